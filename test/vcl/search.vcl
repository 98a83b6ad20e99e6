# A search page: few parameters count, the order does not.
vcl 4.1;

import std;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

sub vcl_recv {
    if (req.url ~ "^/search\?") {
        set req.url = regsuball(req.url, "([?&])(utm_[a-z]+|gclid|fbclid|sessionid)=[^&]*", "\1");
        set req.url = regsub(req.url, "\?&+", "?");
        set req.url = regsuball(req.url, "&+(&|$)", "\1");
        set req.url = std.querysort(std.tolower(req.url));
        if (req.url !~ "[?&]q=[^&]") {
            return (synth(400, "What are you looking for?"));
        }
        unset req.http.Cookie;
        return (hash);
    }
}

sub vcl_backend_response {
    if (bereq.url ~ "^/search\?") {
        set beresp.ttl = 20s;
        set beresp.grace = 40s;
        unset beresp.http.Set-Cookie;
    }
}
