# The headers that auditors ask for, the ones they do not want to see taken away.
vcl 4.1;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

sub vcl_deliver {
    set resp.http.Strict-Transport-Security = "max-age=31536000; includeSubDomains";
    set resp.http.X-Content-Type-Options = "nosniff";
    set resp.http.Referrer-Policy = "strict-origin-when-cross-origin";
    if (resp.http.Content-Type ~ "^text/html") {
        set resp.http.Content-Security-Policy = "default-src 'self'; " +
            "img-src 'self' data:; " + "frame-ancestors 'none'";
    }
    unset resp.http.Server;
    unset resp.http.X-Powered-By;
    unset resp.http.X-AspNet-Version;
    unset resp.http.Via;
    unset resp.http.X-Varnish;
    return (deliver);
}
