# Nextcloud: WebDAV methods go through untouched, static files are kept.
vcl 4.1;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

sub vcl_recv {
    if (req.method ~ "^(PROPFIND|PROPPATCH|MKCOL|MOVE|COPY|LOCK|UNLOCK|REPORT|SEARCH)$") {
        return (pass);
    }
    if (req.url ~ "^/(remote|public)\.php/" || req.url ~ "^/ocs/") {
        return (pass);
    }
    if (req.url ~ "^/(core|apps|dist|themes)/.+\.(css|js|svg|woff2?|png)(\?.*)?$") {
        unset req.http.Cookie;
        return (hash);
    }
    return (pass);
}

sub vcl_backend_response {
    if (bereq.url ~ "^/(core|apps|dist|themes)/") {
        set beresp.ttl = 1w;
        unset beresp.http.Set-Cookie;
    } else {
        set beresp.uncacheable = true;
    }
}
