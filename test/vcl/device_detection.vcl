# One address for every device: the class of the device becomes a header that the backend sees and Vary names.
vcl 4.1;

backend default { .host = "127.0.0.1"; .port = "8080"; }

sub detect_device {
    unset req.http.X-Device;
    set req.http.X-Device = "pc";
    if (req.http.User-Agent ~ "(?i)(ads|google|bing|msn|yandex|baidu|duckduck)bot|slurp") {
        set req.http.X-Device = "bot";
    } elsif (req.http.User-Agent ~ "(?i)ipad" ||
             (req.http.User-Agent ~ "(?i)android" && req.http.User-Agent !~ "(?i)mobile")) {
        set req.http.X-Device = "tablet";
    } elsif (req.http.User-Agent ~ "(?i)ip(hone|od)|mobile|symbian|windows phone") {
        set req.http.X-Device = "phone";
    }
    if (req.http.Cookie ~ "(^|;\s*)device=(pc|tablet|phone)(;|$)") {
        set req.http.X-Device = regsub(req.http.Cookie, "^(?:.*;\s*)?device=([a-z]+).*$", "\1");
    }
}

sub vcl_recv {
    call detect_device;
    if (req.http.X-Device == "bot" && req.url ~ "^/search") {
        return (synth(429, "Slow down"));
    }
}

sub vcl_backend_response {
    if (beresp.http.Content-Type ~ "^text/html") {
        if (!beresp.http.Vary) {
            set beresp.http.Vary = "X-Device";
        } elseif (beresp.http.Vary !~ "X-Device") {
            set beresp.http.Vary = beresp.http.Vary + ", X-Device";
        }
    }
}

sub vcl_deliver {
    if (req.http.X-Device && resp.http.Vary) {
        set resp.http.Vary = regsub(resp.http.Vary, "X-Device", "User-Agent");
    }
}

sub vcl_synth {
    if (resp.status == 429) {
        set resp.http.Retry-After = "30";
        synthetic("Please come back later, " + req.http.X-Device + ".");
        return (deliver);
    }
}
