# Developers see what the cache did, and can ask it not to.
vcl 4.1;

import std;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

acl developers { "localhost"; "10.1.0.0"/16; }

sub vcl_recv {
    unset req.http.X-Debug;
    if (client.ip ~ developers) {
        set req.http.X-Debug = "1";
        if (req.http.Cache-Control ~ "no-cache") {
            set req.hash_always_miss = true;
        }
        if (req.url ~ "[?&]nocache") {
            return (pass);
        }
    }
    std.timestamp("checked");
}

sub vcl_deliver {
    if (req.http.X-Debug) {
        set resp.http.X-Hits = obj.hits;
        set resp.http.X-Ttl = obj.ttl;
        set resp.http.X-Grace = obj.grace;
        set resp.http.X-Keep = obj.keep;
        set resp.http.X-Age = obj.age;
        set resp.http.X-Restarts = req.restarts;
        set resp.http.X-Esi-Level = req.esi_level;
        set resp.http.X-Backend = req.backend_hint;
        set resp.http.X-Storage = obj.storage;
        set resp.http.X-Server = server.identity + "/" + server.hostname;
        set resp.http.X-Xid = req.xid;
    }
}
