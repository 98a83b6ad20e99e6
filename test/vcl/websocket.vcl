# Sockets for the chat, a cache for the rest.
vcl 4.1;

backend pages { .host = "127.0.0.1"; .port = "8080"; }
backend chat { .host = "127.0.0.1"; .port = "8090"; .first_byte_timeout = 0s; }

sub vcl_recv {
    if (req.http.Upgrade ~ "(?i)websocket") {
        set req.backend_hint = chat;
        return (pipe);
    }
    set req.backend_hint = pages;
    if (req.url ~ "^/chat/") {
        set req.backend_hint = chat;
        return (pass);
    }
}

sub vcl_pipe {
    if (req.http.Upgrade) {
        set bereq.http.Upgrade = req.http.Upgrade;
        set bereq.http.Connection = req.http.Connection;
    }
    return (pipe);
}
