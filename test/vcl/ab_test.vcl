# Two variants of a site, kept by cookie; the share of the new one is a number in one place.
vcl 4.1;

import std;
import cookie;

backend old { .host = "127.0.0.1"; .port = "8001"; }
backend new_site { .host = "127.0.0.1"; .port = "8002"; }

sub vcl_recv {
    cookie.parse(req.http.Cookie);
    if (cookie.get("variant") ~ "^[ab]$") {
        set req.http.X-Variant = cookie.get("variant");
    } elsif (std.random(0, 100) < 12.5) {
        set req.http.X-Variant = "b";
        set req.http.X-New-Variant = "1";
    } else {
        set req.http.X-Variant = "a";
        set req.http.X-New-Variant = "1";
    }
    cookie.delete("variant");
    set req.http.Cookie = cookie.get_string();
    if (req.http.Cookie == "") {
        unset req.http.Cookie;
    }
    if (req.http.X-Variant == "b") {
        set req.backend_hint = new_site;
    } else {
        set req.backend_hint = old;
    }
}

sub vcl_hash {
    hash_data(req.http.X-Variant);
}

sub vcl_deliver {
    if (req.http.X-New-Variant) {
        set resp.http.Set-Cookie = "variant=" + req.http.X-Variant + "; Path=/; Expires=" +
            cookie.format_date(now, 30d);
    }
    set resp.http.X-Variant = req.http.X-Variant;
}
