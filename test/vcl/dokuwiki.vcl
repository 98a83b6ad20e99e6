# DokuWiki: readers without a session get cached pages, editing passes.
vcl 4.1;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

sub vcl_recv {
    if (req.url ~ "[?&]do=(edit|admin|login|register|recent|revisions)") {
        return (pass);
    }
    if (req.http.Cookie ~ "(DokuWiki|DW[0-9a-f]+)=") {
        return (pass);
    }
}

sub vcl_backend_response {
    if (beresp.http.Content-Type ~ "text/html" && !beresp.http.Set-Cookie) {
        set beresp.ttl = 90s;
    } else if (bereq.url ~ "/lib/exe/(css|js|fetch)\.php") {
        set beresp.ttl = 1d;
        unset beresp.http.Set-Cookie;
    }
}
