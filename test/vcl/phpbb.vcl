# A phpBB board: guests share pages for half a minute.
vcl 4.0;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

sub vcl_recv {
    if (req.method != "GET" && req.method != "HEAD") {
        return (pass);
    }
    if (req.http.Cookie ~ "phpbb3_[a-z0-9]+_u=(?!1(;|$))") {
        return (pass);
    }
    if (req.url ~ "(ucp|mcp|posting|adm/)") {
        return (pass);
    }
    set req.url = regsuball(req.url, "([?&])sid=[0-9a-f]{32}(&|$)", "\1");
    set req.url = regsub(req.url, "[?&]$", "");
    unset req.http.Cookie;
}

sub vcl_backend_response {
    if (bereq.method == "GET" && !bereq.http.Cookie) {
        unset beresp.http.Set-Cookie;
        set beresp.ttl = 30s;
        set beresp.grace = 10s;
    }
}
