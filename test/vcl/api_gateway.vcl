# An API: versions go to their own backends, JSON is cached for seconds, CORS is answered here, client addresses are
# taken from a trusted proxy.
vcl 4.1;

import std;
import blob;

backend v1 { .host = "127.0.0.1"; .port = "9001"; .proxy_header = 1; }
backend v2 {
    .host = "127.0.0.1";
    .port = "9002";
    .between_bytes_timeout = 250ms;
}

acl proxies -log +table {
    "10.0.0.0"/8;
    ! "10.0.0.1";
    "2001:db8::"/32;
}

sub vcl_recv {
    if (req.method == "OPTIONS" && req.http.Origin) {
        return (synth(204, "No Content"));
    }
    set req.http.X-Real-IP = client.ip;
    if (client.ip ~ proxies) {
        set req.http.X-Real-IP = regsub(req.http.X-Forwarded-For, "^.*?([0-9a-fA-F.:]+)$", "\1");
    }
    if (req.url ~ "^/v2/") {
        set req.backend_hint = v2;
    } else {
        set req.backend_hint = v1;
    }
    if (req.http.Authorization ~ "^Basic ") {
        set req.http.X-User = regsub(blob.transcode(decoding = BASE64,
            encoded = regsub(req.http.Authorization, "^Basic ", "")), ":.*$", "");
        return (pass);
    }
    if (req.http.X-Max-Age) {
        set req.ttl = std.duration(real = std.real(req.http.X-Max-Age, 60.0));
    }
    if (req.method == "GET" && req.http.Content-Type) {
        unset req.http.Content-Type;
    }
    return (hash);
}

sub vcl_hash {
    hash_data(req.url);
    hash_data(req.http.Accept);
    return (lookup);
}

sub vcl_backend_response {
    if (beresp.http.Content-Type ~ "(?i)^application/(.*\+)?json") {
        set beresp.do_gzip = true;
        if (!beresp.http.Cache-Control && beresp.status == 200) {
            set beresp.ttl = 2s;
            set beresp.grace = 30s;
        }
    }
    if (beresp.http.ETag !~ {"^(W/)?".*"$"}) {
        unset beresp.http.ETag;
    }
}

sub vcl_deliver {
    set resp.http.X-Request-Id = req.xid;
    set resp.http.Access-Control-Allow-Origin = "*";
    if (resp.http.X-Secret) {
        unset resp.http.X-Secret;
    }
    set resp.http.X-Digest = blob.encode(HEX, UPPER, blob.decode(encoded = resp.http.X-Request-Id));
}

sub vcl_synth {
    if (resp.status == 204) {
        set resp.http.Access-Control-Allow-Methods = "GET, POST, PUT, DELETE";
        set resp.http.Access-Control-Max-Age = "86400";
        set resp.body = "";
        return (deliver);
    }
}
