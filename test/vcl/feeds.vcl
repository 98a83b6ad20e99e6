# Feeds and sitemaps: asked for by many, changed by few.
vcl 4.1;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

sub vcl_recv {
    if (req.url ~ "^/(feed|rss|atom|sitemap[a-z0-9-]*)(\.xml)?(/|\?|$)") {
        unset req.http.Cookie;
        unset req.http.Authorization;
        set req.url = regsub(req.url, "\?.*$", "");
        set req.http.X-Feed = "yes";
        return (hash);
    }
}

sub vcl_backend_response {
    if (bereq.http.X-Feed) {
        unset beresp.http.Set-Cookie;
        set beresp.http.Content-Type = regsub(beresp.http.Content-Type, "^text/html", "application/xml");
        set beresp.ttl = 10m;
        set beresp.grace = 2h;
        set beresp.keep = 2h;
        set beresp.do_gzip = true;
    }
}
