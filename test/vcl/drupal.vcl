# Drupal with cache tags: purging by tag with BAN, sessions pass, files are kept long.
vcl 4.1;

import std;

backend default {
    .host = "127.0.0.1";
    .port = "8081";
    .host_header = "cms.example.net";
}

acl internal {
    "10.1.0.0"/16;
    "fd00::"/8;
}

sub vcl_recv {
    unset req.http.Proxy;
    if (req.method == "BAN") {
        if (std.ip(req.http.X-Client, "0.0.0.0") !~ internal && !(client.ip ~ internal)) {
            return (synth(403));
        }
        if (req.http.Cache-Tags) {
            ban("obj.http.Cache-Tags ~ " + req.http.Cache-Tags);
        } else {
            return (synth(403, "Cache-Tags header missing."));
        }
        return (synth(200, "Ban added."));
    }
    if (req.url ~ "^/(status|update)\.php$" || req.url ~ "^/(admin|user|flag)(/|$)" || req.url ~ "/ajax/") {
        return (pass);
    }
    if (req.url ~ "^/system/files" && client.ip !~ internal) {
        return (synth(404, "Page not found."));
    }
    if (req.http.Cookie) {
        set req.http.Cookie = ";" + req.http.Cookie;
        set req.http.Cookie = regsuball(req.http.Cookie, "; +", ";");
        set req.http.Cookie = regsuball(req.http.Cookie, ";(SS?ESS[a-z0-9]+|NO_CACHE)=", "; \1=");
        set req.http.Cookie = regsuball(req.http.Cookie, ";[^ ][^;]*", "");
        set req.http.Cookie = regsuball(req.http.Cookie, "^[; ]+|[; ]+$", "");
        if (req.http.Cookie == "") {
            unset req.http.Cookie;
        } else {
            return (pass);
        }
    }
}

sub vcl_backend_response {
    set beresp.http.X-Url = bereq.url;
    set beresp.http.X-Host = bereq.http.Host;
    if (bereq.url ~ "^/sites/.*/files/" || beresp.http.Content-Type ~ "^(image|font|video)/") {
        set beresp.ttl = 2w;
        set beresp.do_stream = true;
        unset beresp.http.Set-Cookie;
    }
    set beresp.grace = 1d;
    set beresp.keep = 2d;
}

sub vcl_backend_error {
    set beresp.http.Content-Type = "application/json";
    set beresp.body = {"{"error": "} + beresp.status + {", "path": "} + bereq.url + "}";
    return (deliver);
}

sub vcl_deliver {
    unset resp.http.Cache-Tags;
    unset resp.http.X-Url;
    unset resp.http.X-Host;
    if (client.ip ~ internal) {
        set resp.http.X-Served-By = server.identity;
        set resp.http.X-Storage = obj.storage;
    }
}
