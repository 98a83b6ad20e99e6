# Big files: passed through in pieces, small ones cached whole.
vcl 4.1;

import std;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

sub vcl_recv {
    if (req.url ~ "^/downloads/") {
        if (req.http.Range ~ "bytes=") {
            set req.http.X-Range = req.http.Range;
            unset req.http.Range;
        }
        return (hash);
    }
}

sub vcl_hash {
    if (req.http.X-Range) {
        hash_data(req.http.X-Range);
        unset req.http.Range;
    }
}

sub vcl_backend_fetch {
    if (bereq.http.X-Range) {
        set bereq.http.Range = bereq.http.X-Range;
    }
}

sub vcl_backend_response {
    if (bereq.http.X-Range && beresp.status == 206) {
        set beresp.ttl = 10m;
        set beresp.http.X-Cached-Range = bereq.http.X-Range;
    }
    if (std.bytes(beresp.http.Content-Length, 0B) > 100MB) {
        set beresp.uncacheable = true;
        set beresp.ttl = 1h;
    }
}

sub vcl_deliver {
    unset resp.http.X-Cached-Range;
}
