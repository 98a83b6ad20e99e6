# What must not be shared is marked, so that nobody waits for it.
vcl 4.1;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

sub vcl_backend_response {
    if (beresp.http.Set-Cookie || beresp.http.Cache-Control ~ "(private|no-store)") {
        set beresp.ttl = 2m;
        set beresp.uncacheable = true;
        return (deliver);
    }
    if (bereq.url ~ "^/account") {
        return (pass(10m));
    }
    if (beresp.ttl < 5s) {
        set beresp.ttl = 5s;
    }
    return (deliver);
}

sub vcl_deliver {
    if (req.is_hitmiss) {
        set resp.http.X-Cache = "hit-for-miss";
    } elsif (req.is_hitpass) {
        set resp.http.X-Cache = "hit-for-pass";
    } elsif (obj.uncacheable) {
        set resp.http.X-Cache = "pass";
    } elsif (obj.hits > 0) {
        set resp.http.X-Cache = "hit";
    } else {
        set resp.http.X-Cache = "miss";
    }
}
