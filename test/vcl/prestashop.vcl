# PrestaShop: the cart and the customer's pages pass, catalogue pages differ by currency and language.
vcl 4.1;

import std;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

acl shop_staff {
    "10.0.0.0"/8;
    ! "10.6.6.6";
    "::1";
}

sub vcl_recv {
    if (req.method == "BAN") {
        if (client.ip !~ shop_staff) {
            return (synth(405, "Not for you"));
        }
        ban("obj.http.X-Url ~ " + req.url);
        return (synth(200, "Banned"));
    }
    if (req.url ~ "(?i)controller=(cart|order|authentication|my-account)|/(cart|order|login)(\?|$)") {
        return (pass);
    }
    set req.http.X-Currency = regsub(req.http.Cookie, ".*id_currency=([0-9]+).*", "\1");
    if (!req.http.Cookie || req.http.X-Currency == req.http.Cookie) {
        set req.http.X-Currency = "default";
    }
    # Only the session makes a page somebody's own.
    if (req.http.Cookie !~ "(^|; *)PrestaShop-") {
        unset req.http.Cookie;
    }
    set req.url = std.querysort(req.url);
}

sub vcl_hash {
    hash_data(req.http.X-Currency);
    hash_data(req.http.Accept-Language);
}

sub vcl_backend_response {
    set beresp.http.X-Url = bereq.url;
    if (beresp.ttl > 0s) {
        unset beresp.http.Set-Cookie;
    }
}

sub vcl_deliver {
    unset resp.http.X-Url;
}
