# Shopware 6: HTTP cache invalidated by BAN on tags, context hashes for currencies and customer groups.
vcl 4.1;

import std;
import cookie;

backend default { .host = "127.0.0.1"; .port = "8000"; }

acl invalidators {
    "127.0.0.1"/32;
    "172.16.0.0"/12;
}

sub vcl_recv {
    set req.http.cache-hash = "";
    if (req.method == "BAN" || req.method == "BANALL" || req.method == "PURGE") {
        if (!(client.ip ~ invalidators)) {
            return (synth(403, "Forbidden"));
        }
        if (req.method == "PURGE") {
            return (purge);
        }
        if (req.method == "BANALL") {
            ban("req.url ~ .");
        } else {
            ban("obj.http.sw-invalidation-states ~ " + req.http.x-tags);
        }
        return (synth(200, "BANNED"));
    }
    cookie.parse(req.http.Cookie);
    if (cookie.isset("sw-cache-hash")) {
        set req.http.cache-hash = cookie.get("sw-cache-hash");
    } elseif (cookie.isset("sw-currency")) {
        set req.http.cache-hash = cookie.get("sw-currency");
    }
    set req.http.states = cookie.get("sw-states");
    if (req.url == "/widgets/checkout/info" && (req.http.cache-hash == "" || req.http.states !~ "cart-filled")) {
        return (synth(204, ""));
    }
    set req.url = regsuball(req.url, "([?&])(pk_campaign|piwik_campaign|utm_[^=&]+|gclid)=[^&]*&?", "\1");
    set req.url = regsub(req.url, "[?&]$", "");
    if (req.url ~ "^/(account|checkout|admin|api|store-api)(/|$)") {
        return (pass);
    }
    return (hash);
}

sub vcl_hash {
    if (req.http.cache-hash != "") {
        hash_data("+context=" + req.http.cache-hash);
    }
}


sub vcl_backend_fetch {
    unset bereq.http.cache-hash;
    unset bereq.http.states;
}

sub vcl_backend_response {
    set beresp.grace = 3d;
    unset beresp.http.X-Powered-By;
    if (beresp.http.Cache-Control ~ "public" && beresp.http.Set-Cookie) {
        unset beresp.http.Set-Cookie;
    }
}

sub vcl_deliver {
    if (resp.http.sw-cache-hash) {
        set resp.http.Cache-Control = "no-cache, private";
    }
}
