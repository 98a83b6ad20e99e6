# Pictures: one variant for each width and format that browsers can show.
vcl 4.1;

import std;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

sub vcl_recv {
    if (req.url ~ "^/img/") {
        if (req.http.Accept ~ "image/avif") {
            set req.http.X-Format = "avif";
        } else if (req.http.Accept ~ "image/webp") {
            set req.http.X-Format = "webp";
        } else {
            set req.http.X-Format = "jpeg";
        }
        set req.http.X-Width = regsub(req.url, "^.*[?&]w=([0-9]{1,4}).*$", "\1");
        if (req.http.X-Width == req.url) {
            set req.http.X-Width = "800";
        } elsif (std.integer(req.http.X-Width, 800) > 1600) {
            set req.http.X-Width = "1600";
        }
        set req.url = regsub(req.url, "\?.*$", "");
        return (hash);
    }
}

sub vcl_hash {
    if (req.http.X-Format) {
        hash_data(req.http.X-Format + "/" + req.http.X-Width);
    }
}

sub vcl_backend_fetch {
    if (bereq.http.X-Format) {
        set bereq.url = bereq.url + "?w=" + bereq.http.X-Width + "&fm=" + bereq.http.X-Format;
    }
}

sub vcl_backend_response {
    if (beresp.http.Content-Length && std.integer(beresp.http.Content-Length, 0) > 5000000) {
        set beresp.uncacheable = true;
        set beresp.ttl = 10m;
    }
}
