# A single-page application: every unknown path is the one page.
vcl 4.1;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

sub vcl_recv {
    if (req.url !~ "\.[a-z0-9]{2,5}(\?|$)" && req.url !~ "^/api/") {
        set req.http.X-Path = req.url;
        set req.url = "/index.html";
    }
    if (req.url ~ "^/api/") {
        return (pass);
    }
    unset req.http.Cookie;
    return (hash);
}

sub vcl_backend_response {
    if (bereq.url == "/index.html") {
        set beresp.ttl = 10s;
    } else {
        set beresp.ttl = 1d;
    }
    set beresp.grace = 6h;
}

sub vcl_deliver {
    if (req.http.X-Path) {
        set resp.http.Content-Location = req.url;
    }
}
