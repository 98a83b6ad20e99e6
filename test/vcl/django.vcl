# Django: Vary on Cookie is honest, so analytics' cookies must go first.
vcl 4.1;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

sub vcl_recv {
    if (req.http.Cookie) {
        set req.http.Cookie = ";" + req.http.Cookie;
        set req.http.Cookie = regsuball(req.http.Cookie, "; +", ";");
        set req.http.Cookie = regsuball(req.http.Cookie, ";(sessionid|csrftoken|messages)=", "; \1=");
        set req.http.Cookie = regsuball(req.http.Cookie, ";[^ ][^;]*", "");
        set req.http.Cookie = regsuball(req.http.Cookie, "^[; ]+|[; ]+$", "");
        if (req.http.Cookie == "") {
            unset req.http.Cookie;
        }
    }
    if (req.url ~ "^/(admin|accounts)/") {
        return (pass);
    }
}

sub vcl_backend_response {
    if (bereq.url ~ "^/static/") {
        unset beresp.http.Vary;
        set beresp.ttl = 365d;
    }
}
