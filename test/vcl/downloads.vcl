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
        # A part is stored like a whole answer, and becomes a part again when it is delivered.
        set beresp.http.X-Cached-Range = beresp.http.Content-Range;
        unset beresp.http.Content-Range;
        set beresp.status = 200;
    }
    if (std.bytes(beresp.http.Content-Length, 0B) > 100MB) {
        set beresp.uncacheable = true;
        set beresp.ttl = 1h;
    }
}

sub vcl_deliver {
    if (resp.http.X-Cached-Range) {
        set resp.status = 206;
        set resp.http.Content-Range = resp.http.X-Cached-Range;
        unset resp.http.X-Cached-Range;
    }
}
