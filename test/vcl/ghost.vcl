# Ghost: a blog whose editor lives under /ghost/.
vcl 4.1;

backend default {
    .host = "127.0.0.1";
    .port = "2368";
    .first_byte_timeout = 20s;
    .between_bytes_timeout = 5s;
}

sub vcl_recv {
    if (req.url ~ "^/(ghost|members|p)/") {
        return (pass);
    }
    unset req.http.Cookie;
    if (req.url ~ "^/[^?]+\?ref=") {
        set req.url = regsub(req.url, "\?ref=[^&]*&?", "?");
        set req.url = regsub(req.url, "\?$", "");
    }
}

sub vcl_backend_response {
    if (bereq.url !~ "^/(ghost|members|p)/") {
        unset beresp.http.Set-Cookie;
        set beresp.ttl = 2m;
        set beresp.keep = 1d;
    }
}
