# Errors in the house's own style, as pages or as JSON.
vcl 4.1;

import std;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

sub vcl_recv {
    if (req.url == "/_status") {
        if (std.healthy(req.backend_hint)) {
            return (synth(200, "OK"));
        }
        return (synth(503, "Backend sick"));
    }
}

sub vcl_synth {
    if (req.http.Accept ~ "application/json" || req.url == "/_status") {
        set resp.http.Content-Type = "application/json";
        synthetic({"{"status": "} + resp.status + {", "reason": ""} + resp.reason + {"", "xid": "} + req.xid + {"}"});
        return (deliver);
    }
    set resp.http.Content-Type = "text/html; charset=utf-8";
    synthetic("""<!doctype html>
<title>""" + resp.status + """</title>
<h1>""" + resp.reason + """</h1>
""");
    return (deliver);
}

sub vcl_backend_error {
    set beresp.http.Content-Type = "text/plain";
    set beresp.ttl = 1s;
    synthetic("The server does not answer. " + now);
    return (deliver);
}
