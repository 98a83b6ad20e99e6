# Behind a TLS terminator that speaks the PROXY protocol.
vcl 4.1;

import proxy;
import std;

backend default { .host = "127.0.0.1"; .port = "8080"; .proxy_header = 1; }

sub vcl_recv {
    if (proxy.is_ssl()) {
        set req.http.X-Forwarded-Proto = "https";
        set req.http.X-Tls-Version = proxy.ssl_version();
        set req.http.X-Cipher = proxy.ssl_cipher();
    } else {
        set req.http.X-Forwarded-Proto = "http";
    }
    if (std.port(server.ip) == 80) {
        return (synth(301, "https://" + req.http.Host + req.url));
    }
    set req.http.X-Real-IP = client.ip;
    if (local.socket == "admin") {
        return (pass);
    }
}

sub vcl_hash {
    hash_data(req.http.X-Forwarded-Proto);
}

sub vcl_synth {
    if (resp.status == 301) {
        set resp.http.Location = resp.reason;
        return (deliver);
    }
}
