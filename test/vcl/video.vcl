# Video: playlists live for seconds, segments for a day, both without cookies.
vcl 4.1;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
    .connect_timeout = 0.5s;
    .first_byte_timeout = 3s;
}

sub vcl_recv {
    if (req.url ~ "\.(m3u8|mpd)(\?|$)") {
        set req.http.X-Kind = "playlist";
    } elsif (req.url ~ "\.(ts|m4s|mp4|aac)(\?|$)") {
        set req.http.X-Kind = "segment";
        set req.url = regsub(req.url, "\?.*", "");
    }
    unset req.http.Cookie;
}

sub vcl_backend_response {
    if (bereq.http.X-Kind == "playlist") {
        set beresp.ttl = 1.5s;
        set beresp.grace = 3s;
        set beresp.do_gzip = true;
    } else if (bereq.http.X-Kind == "segment") {
        set beresp.ttl = 24h;
        set beresp.do_stream = true;
    }
    if (beresp.status == 404) {
        set beresp.ttl = 500ms;
    }
}

sub vcl_deliver {
    set resp.http.Access-Control-Allow-Origin = "*";
    unset resp.http.X-Varnish;
}
