# A shop on Magento 2: pages are banned by tag, personal parts come over AJAX, GraphQL queries are cached by their
# headers.
vcl 4.0;

import std;

backend shop {
    .host = "127.0.0.1";
    .port = "8080";
    .first_byte_timeout = 600s;
    .probe = {
        .url = "/health_check.php";
        .timeout = 2s;
        .interval = 5s;
        .window = 10;
        .threshold = 5;
    }
}

acl purgers {
    "127.0.0.1";
    "10.0.0.0"/8;
}

sub vcl_recv {
    if (req.restarts > 0) {
        set req.hash_always_miss = true;
    }
    if (req.method == "PURGE") {
        if (client.ip !~ purgers) {
            return (synth(405, "Method not allowed"));
        }
        if (!req.http.X-Magento-Tags-Pattern && !req.http.X-Pool) {
            return (synth(400, "X-Magento-Tags-Pattern or X-Pool header required"));
        }
        if (req.http.X-Magento-Tags-Pattern) {
            ban("obj.http.X-Magento-Tags ~ " + req.http.X-Magento-Tags-Pattern);
        }
        if (req.http.X-Pool) {
            ban("obj.http.X-Pool ~ " + req.http.X-Pool);
        }
        return (synth(200, "Purged"));
    }
    if (req.method != "GET" && req.method != "HEAD") {
        if (req.method == "POST" && req.url ~ "/graphql" && std.cache_req_body(64KB)) {
            return (pass);
        }
        return (pass);
    }
    if (req.url ~ "/(customer|checkout|catalogsearch)") {
        return (pass);
    }
    if (req.url ~ "^/(pub/)?(health_check\.php)$") {
        return (pass);
    }
    set req.http.X-Forwarded-Proto = regsub(req.http.X-Forwarded-Proto, "^.*,\s*", "");
    set req.url = regsuball(req.url, "(gclid|cx|ie|cof|siteurl|zanpid|origin|utm_[a-z]+)=[-_A-z0-9+()%.]+&?", "");
    set req.url = regsub(req.url, "[?|&]+$", "");
    if (req.url ~ "\?") {
        set req.url = std.querysort(req.url);
    }
    std.collect(req.http.Cookie, "; ");
    if (req.url ~ "/graphql" && !req.http.X-Magento-Cache-Id && req.http.Authorization ~ "^Bearer") {
        return (pass);
    }
    return (hash);
}

sub vcl_hash {
    if (req.http.Cookie ~ "X-Magento-Vary=") {
        hash_data(regsub(req.http.Cookie, "^.*?X-Magento-Vary=([^;]+);*.*$", "\1"));
    }
    if (req.http.X-Forwarded-Proto) {
        hash_data(req.http.X-Forwarded-Proto);
    }
    if (req.url ~ "/graphql") {
        call hash_graphql;
    }
}

sub hash_graphql {
    if (req.http.X-Magento-Cache-Id) {
        hash_data(req.http.X-Magento-Cache-Id);
    } else {
        hash_data(req.http.Store);
        hash_data(req.http.Content-Currency);
    }
}

sub vcl_hit {
    if (obj.ttl < 0s && !std.healthy(req.backend_hint) && obj.ttl + 300s > 0s) {
        set req.http.X-Grace = "unhealthy";
        return (deliver);
    }
}

sub vcl_backend_response {
    set beresp.grace = 3d;
    if (beresp.http.Content-Type ~ "text") {
        set beresp.do_esi = true;
    }
    if (bereq.url ~ "\.js$" || beresp.http.Content-Type ~ "text") {
        set beresp.do_gzip = true;
    }
    if (beresp.http.X-Magento-Debug) {
        set beresp.http.X-Magento-Cache-Control = beresp.http.Cache-Control;
    }
    if (beresp.status != 200 && beresp.status != 404 || beresp.http.Cache-Control ~ "private") {
        set beresp.ttl = 86400s;
        set beresp.uncacheable = true;
        return (deliver);
    }
    if (beresp.ttl > 0s && (bereq.method == "GET" || bereq.method == "HEAD")) {
        unset beresp.http.Set-Cookie;
    }
    if (beresp.ttl <= 0s || beresp.http.Surrogate-Control ~ "no-store" || beresp.http.Vary == "*" ||
        (!beresp.http.Surrogate-Control && beresp.http.Cache-Control ~ "no-cache|no-store")) {
        set beresp.ttl = 120s;
        set beresp.uncacheable = true;
    }
    return (deliver);
}

sub vcl_deliver {
    if (resp.http.X-Magento-Debug) {
        if (resp.http.x-varnish ~ " ") {
            set resp.http.X-Magento-Cache-Debug = "HIT";
            set resp.http.Grace = req.http.X-Grace;
        } else {
            set resp.http.X-Magento-Cache-Debug = "MISS";
        }
    } else {
        unset resp.http.Age;
    }
    unset resp.http.X-Magento-Tags;
    unset resp.http.X-Powered-By;
    unset resp.http.Server;
}
