# When the backend is sick, old pages are better than none.
vcl 4.1;

import std;

probe alive {
    .url = "/health";
    .interval = 3s;
    .timeout = 1s;
    .window = 5;
    .threshold = 3;
    .initial = 3;
    .expected_response = 204;
}

backend default {
    .host = "127.0.0.1";
    .port = "8080";
    .probe = alive;
}

sub vcl_recv {
    if (std.healthy(req.backend_hint)) {
        set req.grace = 30s;
    } else {
        set req.http.X-Sick = "yes";
    }
}

sub vcl_hit {
    if (obj.ttl <= 0s && req.http.X-Sick) {
        set req.http.X-Stale = "by " + obj.age;
    }
}

sub vcl_backend_response {
    set beresp.grace = 12h;
    if (beresp.status >= 500 && bereq.is_bgfetch) {
        return (abandon);
    }
}

sub vcl_backend_error {
    if (bereq.retries < 1) {
        return (retry);
    }
    set beresp.http.Retry-After = "30";
    return (deliver);
}

sub vcl_deliver {
    if (req.http.X-Stale) {
        set resp.http.Warning = {"110 - "stale ""} + req.http.X-Stale + {"""};
    }
}
