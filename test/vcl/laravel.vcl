# Laravel: a session starts for everybody; only pages that say so are shared.
vcl 4.1;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

sub vcl_recv {
    if (req.url ~ "^/(livewire|broadcasting|telescope|horizon)") {
        return (pass);
    }
    if (req.http.Cookie ~ "remember_web_" || req.method !~ "^(GET|HEAD)$") {
        return (pass);
    }
    unset req.http.Cookie;
}

sub vcl_backend_response {
    if (beresp.http.X-Shared == "1") {
        unset beresp.http.Set-Cookie;
        unset beresp.http.X-Shared;
        set beresp.ttl = 300s;
        return (deliver);
    }
    set beresp.ttl = 120s;
    set beresp.uncacheable = true;
    return (deliver);
}
