# A forum on Discourse: message bus connections are piped or passed at once, avatars are kept, users that log in are
# never mixed up.
vcl 4.1;

import std;

backend forum {
    .path = "/var/run/discourse/nginx.http.sock";
}

sub vcl_recv {
    if (req.url ~ "^/message-bus/") {
        return (pass);
    }
    if (req.http.Cookie ~ "(^|;\s*)_t=") {
        set req.http.X-User = "member";
        return (pass);
    } else {
        set req.http.X-User = "anonymous";
    }
    if (req.url ~ "^/(user_avatar|letter_avatar_proxy|uploads|assets|stylesheets)/") {
        unset req.http.Cookie;
        set req.grace = 1h;
    }
    if (req.method == "POST" && req.http.Content-Length && std.integer(req.http.Content-Length, 0) > 20971520) {
        return (synth(413, "Payload too large"));
    }
}

sub vcl_hash {
    hash_data(req.http.X-User);
    if (req.http.User-Agent ~ "(?i)mobile") {
        hash_data("mobile");
    }
}

sub vcl_pipe {
    if (req.http.Upgrade) {
        set bereq.http.Upgrade = req.http.Upgrade;
        set bereq.http.Connection = req.http.Connection;
    }
}

sub vcl_backend_fetch {
    if (bereq.url ~ "^/uploads/") {
        set bereq.first_byte_timeout = 30s;
        set bereq.between_bytes_timeout = 5s;
    }
}

sub vcl_backend_response {
    if (beresp.http.Vary ~ "Cookie") {
        set beresp.uncacheable = true;
    }
    if (std.bytes(beresp.http.Content-Length, 0B) > 10MB) {
        set beresp.do_stream = true;
        set beresp.uncacheable = true;
    }
}
