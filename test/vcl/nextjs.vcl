# Next.js: build output is immutable, data files follow the page.
vcl 4.1;

import std;

backend default { .host = "127.0.0.1"; .port = "3000"; }

sub vcl_recv {
    if (req.url ~ "^/_next/static/") {
        unset req.http.Cookie;
        return (hash);
    }
    if (req.url ~ "^/api/") {
        return (pass);
    }
    if (req.http.Cookie ~ "__prerender_bypass=") {
        return (pass);
    }
    if (std.integer(req.http.X-Session-Age, 0) > 0) {
        return (pass);
    }
    unset req.http.Cookie;
}

sub vcl_backend_response {
    if (beresp.http.Cache-Control ~ "stale-while-revalidate=([0-9]+)") {
        set beresp.grace = std.duration(
            regsub(beresp.http.Cache-Control, "^.*stale-while-revalidate=([0-9]+).*$", "\1") + "s", 10s);
    }
}
