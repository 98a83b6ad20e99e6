vcl 4.1;

import std;

backend default {
    .host = "127.0.0.1";
    .port = "%PORT%";
}

backend gone {
    .host = "127.0.0.1";
    .port = "1";
}

acl purgers {
    "127.0.0.1";
}

sub vcl_recv {
    std.log("shop:basket of " + req.http.User-Agent);
    if (req.method == "PURGE") {
        if (client.ip !~ purgers) {
            return (synth(405));
        }
        return (purge);
    }
    if (req.method == "BAN") {
        std.ban("obj.http.X-Name == " + req.http.X-Name);
        return (synth(200, "Banned"));
    }
    if (req.url ~ "^/pipe") {
        set req.url = "/about";
        return (pipe);
    }
    if (req.url ~ "^/gone") {
        set req.backend_hint = gone;
    }
    if (req.url ~ "^/again" && req.restarts < 2) {
        set req.http.X-Again = req.restarts + 1;
        return (restart);
    }
    if (req.url ~ "^/pass") {
        return (pass);
    }
    if (req.url ~ "^/synth") {
        return (synth(750, "Teapot"));
    }
}

sub vcl_synth {
    if (resp.status == 750) {
        set resp.status = 418;
        set resp.http.X-Quote = {"say "hello" \o/"};
        set resp.body = "short and stout";
        return (deliver);
    }
}

sub vcl_backend_response {
    set beresp.http.X-Name = bereq.url;
    if (bereq.url ~ "^/retry" && bereq.retries < 1) {
        return (retry);
    }
    if (bereq.url ~ "short") {
        set beresp.ttl = 0.5s;
        set beresp.grace = 1m;
    }
    if (bereq.url ~ "marker") {
        return (pass(10s));
    }
}

sub vcl_deliver {
    if (obj.hits > 0) {
        set resp.http.X-Cache = "hit " + obj.hits;
    }
}
