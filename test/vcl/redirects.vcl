# Old paths, the one host name, and https, all answered without the backend.
vcl 4.1;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

sub vcl_recv {
    if (req.http.Host ~ "^(?i)example\.com(:[0-9]+)?$") {
        return (synth(751, "https://www.example.com" + req.url));
    }
    if (req.http.X-Forwarded-Proto && req.http.X-Forwarded-Proto != "https") {
        return (synth(750, "https://" + req.http.Host + req.url));
    }
    if (req.url ~ "^/blog/([0-9]{4})/([0-9]{2})/") {
        return (synth(751, regsub(req.url, "^/blog/([0-9]{4})/([0-9]{2})/", "/news/\1-\2/")));
    }
    if (req.url == "/old" || req.url == "/older") {
        return (synth(751, "/new"));
    }
}

sub vcl_synth {
    if (resp.status == 750 || resp.status == 751) {
        set resp.http.Location = resp.reason;
        if (resp.status == 750) {
            set resp.status = 302;
        } else {
            set resp.status = 301;
        }
        set resp.reason = "Moved";
        return (deliver);
    }
}
