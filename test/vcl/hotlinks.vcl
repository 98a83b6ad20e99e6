# Pictures only for our own pages.
vcl 4.1;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

sub vcl_recv {
    if (req.url ~ "(?i)\.(jpe?g|png|gif|webp)$" && req.http.Referer &&
        req.http.Referer !~ "^https?://([a-z0-9-]+\.)*example\.com(/|$)") {
        set req.url = "/images/not-yours.png";
    }
}

sub vcl_backend_response {
    if (bereq.url == "/images/not-yours.png") {
        set beresp.ttl = 1w;
        set beresp.http.Cache-Control = "no-store";
    }
}
