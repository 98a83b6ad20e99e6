# Plone behind a virtual host monster: images without cookies, split paths for two languages, restarts for lost pages.
vcl 4.0;

import directors;
import std;

probe zope {
    .url = "/VirtualHostBase/http/www.example.edu:80/Plone/VirtualHostRoot/ok";
    .interval = 30s;
    .timeout = 5s;
    .window = 5;
    .threshold = 3;
    .expected_response = 200;
    .initial = 2;
}

backend instance1 { .host = "127.0.0.1"; .port = "8091"; .probe = zope; }
backend instance2 { .host = "127.0.0.1"; .port = "8092"; .probe = zope; }

acl purge {
    "localhost";
    "127.0.0.1";
}

sub vcl_init {
    new cluster = directors.hash();
    cluster.add_backend(instance1, 1.0);
    cluster.add_backend(instance2);
}

sub vcl_recv {
    set req.backend_hint = cluster.backend(req.http.Cookie + client.ip);
    if (req.http.X-Forwarded-For) {
        set req.http.X-Forwarded-For = req.http.X-Forwarded-For + ", " + client.ip;
    }
    if (req.restarts == 0) {
        set req.http.X-Path = req.url;
        set req.http.X-Language = "en";
        if (req.http.Accept-Language ~ "^de") {
            set req.http.X-Language = "de";
        }
    }
    set req.url = "/VirtualHostBase/http/" + regsub(req.http.host, ":.*$", "") + ":80/Plone/" +
        req.http.X-Language + "/VirtualHostRoot" + req.http.X-Path;
    if (req.method == "PURGE") {
        if (!client.ip ~ purge) {
            return (synth(405));
        }
        return (purge);
    }
    if (req.http.Cookie && req.http.Cookie ~ "__ac(=|_)") {
        if (req.url !~ "\.(png|gif|jpe?g|css|js)$") {
            return (pass);
        }
        unset req.http.Cookie;
    }
}

sub vcl_backend_response {
    if (beresp.http.X-Cache-Rule ~ "(?i)^plone\.resource$") {
        set beresp.ttl = 1y;
    } elif (!beresp.http.Cache-Control) {
        set beresp.ttl = std.duration(beresp.http.X-Default-TTL, 5m);
    }
    if (beresp.status == 502 && bereq.retries < 2) {
        return (retry);
    }
}

sub vcl_deliver {
    if (resp.status == 404 && req.restarts == 0 && req.http.X-Language == "de") {
        set req.http.X-Language = "en";
        return (restart);
    }
}
