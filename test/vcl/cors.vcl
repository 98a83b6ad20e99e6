# Preflight answers from the cache, one allowed origin at a time.
vcl 4.1;

import std;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

sub choose_origin {
    if (req.http.Origin ~ "^https://([a-z0-9-]+\.)?example\.(com|org)$") {
        set req.http.X-Allowed = std.tolower(req.http.Origin);
    } else {
        unset req.http.X-Allowed;
    }
}

sub vcl_recv {
    call choose_origin;
    if (req.method == "OPTIONS" && req.http.Access-Control-Request-Method) {
        return (synth(204, "No Content"));
    }
}

sub vcl_synth {
    if (resp.status == 204 && req.method == "OPTIONS") {
        if (req.http.X-Allowed) {
            set resp.http.Access-Control-Allow-Origin = req.http.X-Allowed;
            set resp.http.Access-Control-Allow-Methods = "GET, POST, PUT";
            set resp.http.Access-Control-Max-Age = 10m;
        }
        set resp.body = "";
        return (deliver);
    }
}

sub vcl_deliver {
    if (req.http.X-Allowed) {
        set resp.http.Access-Control-Allow-Origin = req.http.X-Allowed;
        if (resp.http.Vary) {
            set resp.http.Vary = resp.http.Vary + ", Origin";
        } else {
            set resp.http.Vary = "Origin";
        }
    }
}
