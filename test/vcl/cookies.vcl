# Only cookies the application reads reach it.
vcl 4.1;

import cookie;
import std;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

sub vcl_recv {
    cookie.parse(req.http.Cookie);
    if (cookie.isset("sid")) {
        set req.http.X-Session = cookie.get("sid");
    }
    cookie.keep("sid,theme,consent");
    cookie.filter_re("^_ga");
    set req.http.Cookie = cookie.get_string();
    if (req.http.Cookie == "") {
        unset req.http.Cookie;
    }
    std.log("cookies:" + req.http.Cookie);
}

sub vcl_hash {
    if (req.http.Cookie ~ "theme=dark") {
        hash_data("dark");
    }
}

sub vcl_deliver {
    if (!req.http.X-Session && resp.http.Content-Type ~ "text/html") {
        set resp.http.Set-Cookie = "seen=1; Path=/; Expires=" + cookie.format_date(now, 30d);
    }
}
