# Who asks too much is asked to wait: a limit for everybody, a stricter one for logins. With our module vsthrottle.
vcl 4.1;

import std;
import vsthrottle;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

acl monitoring { "192.0.2.0"/24; }

sub limit {
    if (client.ip ~ monitoring) {
        return;
    }
    if (req.method == "POST" && req.url ~ "^/login") {
        if (vsthrottle.is_denied("login:" + client.ip, 2, 1m, 5m)) {
            return (synth(429, "Too many logins"));
        }
    } else if (vsthrottle.is_denied(client.ip, 5, 1m)) {
        return (synth(429, "Too many requests"));
    }
    set req.http.X-Left = vsthrottle.remaining(client.ip, 5, 1m);
}

sub vcl_recv {
    unset req.http.X-Left;
    if (req.restarts == 0) {
        call limit;
    }
}

sub vcl_deliver {
    if (req.http.X-Left) {
        set resp.http.RateLimit-Remaining = req.http.X-Left;
    }
}

sub vcl_synth {
    if (resp.status == 429) {
        set resp.http.Retry-After = "60";
        set resp.http.Content-Type = "text/plain";
        set resp.body = resp.reason;
        return (deliver);
    }
}
