# Purges that leave old pages for the time of the next fetch.
vcl 4.1;

import purge;
import std;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

acl admins { "127.0.0.1"; }

sub vcl_recv {
    if (req.method == "SOFTPURGE" || req.method == "PURGE") {
        if (client.ip !~ admins) {
            return (synth(405, "Method not allowed"));
        }
        if (req.method == "PURGE") {
            return (purge);
        }
        return (hash);
    }
}

sub soft {
    if (req.method == "SOFTPURGE") {
        set req.http.X-Count = purge.soft(ttl = 0s, grace = 10m);
        return (synth(200, req.http.X-Count + " softened"));
    }
}

sub vcl_hit {
    call soft;
}

sub vcl_miss {
    call soft;
}

sub vcl_deliver {
    std.log("age:" + resp.http.Age);
}
