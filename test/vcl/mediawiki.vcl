# A wiki: purges come from the wiki itself, users with a session are passed, the rest sees pages up to a day old.
vcl 4.1;

import std;
import purge;

backend wiki {
    .host = "127.0.0.1";
    .port = "8082";
    .connect_timeout = 500ms;
}

acl wiki_servers {
    "127.0.0.1";
    "192.0.2.0"/28;
}

sub vcl_recv {
    if (req.method == "PURGE") {
        if (std.port(local.ip) == 80 && client.ip !~ wiki_servers) {
            return (synth(405));
        }
        return (hash);
    }
    set req.http.X-Forwarded-For = client.ip;
    set req.url = regsub(req.url, "^/index\.php/", "/wiki/");
    if (req.http.Authorization || req.http.Cookie ~ "([sS]ession|Token)=") {
        return (pass);
    }
    unset req.http.Cookie;
    if (req.http.User-Agent ~ "^(Wget|curl)/") {
        std.log("tool: " + req.http.User-Agent);
    }
}

sub count_purges {
    set req.http.X-Purged = purge.soft(0s, 30s);
    if (req.http.X-Purged == "0") {
        return (synth(404, "Nothing to purge"));
    }
    return (synth(200, "Purged " + req.http.X-Purged));
}

sub vcl_hit {
    if (req.method == "PURGE") {
        call count_purges;
    }
}

sub vcl_miss {
    if (req.method == "PURGE") {
        call count_purges;
    }
}

sub vcl_backend_response {
    set beresp.ttl = std.duration(regsub(beresp.http.X-Max-Age, "^([0-9]+)$", "\1s"), 1d);
    set beresp.grace = 120s;
    if (!beresp.ttl > 0s) {
        set beresp.uncacheable = true;
        return (deliver);
    }
}

sub vcl_synth {
    if (req.method == "PURGE") {
        set resp.http.Content-Type = "text/plain; charset=utf-8";
        set resp.body = resp.reason + {"
"};
        return (deliver);
    }
}
