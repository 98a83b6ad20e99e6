# GraphQL by POST: the body is part of the key for queries, mutations pass.
vcl 4.1;

import std;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

sub vcl_recv {
    if (req.url == "/graphql" && req.method == "POST") {
        if (!std.cache_req_body(64KB)) {
            return (pass);
        }
        if (req.http.X-Operation == "mutation") {
            return (pass);
        }
        set req.http.X-Graphql = "1";
        return (hash);
    }
}

sub vcl_hash {
    if (req.http.X-Graphql) {
        hash_data(req.http.X-Query-Hash);
        hash_data("" + req.http.Authorization);
    }
}

sub vcl_backend_fetch {
    if (bereq.http.X-Graphql) {
        set bereq.method = "POST";
    }
}

sub vcl_backend_response {
    if (bereq.http.X-Graphql && beresp.status == 200) {
        set beresp.ttl = 15s;
        set beresp.uncacheable = false;
    }
}
