# A door that can be closed with a file, redirects with a body of their own, and long strings of every kind.
vcl 4.1;

import std;

backend default { .host = "127.0.0.1"; .port = "8080"; }

sub vcl_recv {
    if (std.file_exists("/etc/maintenance") && req.url !~ "^/assets/") {
        return (synth(503, "Maintenance"));
    }
    if (req.http.Host == "example.com") {
        return (synth(701, "https://www.example.com" + req.url));
    }
    if (req.http.Host ~ "(?i)^old\.") {
        set req.http.X-Target = regsub(req.http.Host, "(?i)^old\.", "new.");
        return (synth(702));
    }
    if (std.syntax(4.1) && req.http.X-Trace) {
        std.timestamp("traced");
        std.syslog(14, "traced " + req.xid);
    }
}

sub vcl_synth {
    if (resp.status == 701) {
        set resp.http.Location = resp.reason;
        set resp.status = 301;
        return (deliver);
    }
    if (resp.status == 702) {
        set resp.status = 302;
        set resp.http.Location = "https://" + req.http.X-Target + req.url;
        return (deliver);
    }
    if (resp.status == 503) {
        set resp.http.Content-Type = "text/html; charset=utf-8";
        set resp.http.Retry-After = std.integer(std.getenv("RETRY_AFTER"), 300);
        synthetic({"<!DOCTYPE html>
<title>Back soon</title>
<p>We are "busy". "} + """Come back in "a few" minutes {"soon"}.""" + {"
<small>"} + now + {"</small>"});
        return (deliver);
    }
}

sub vcl_backend_error {
    if (beresp.status == 503 && bereq.retries == 0) {
        return (retry);
    }
    set beresp.ttl = 5s;
    set beresp.grace = 0s;
    set beresp.http.X-When = now + 1h;
    if (now - 1d < bereq.time && beresp.status * 2 >= 1000) {
        set beresp.http.X-Late = now - bereq.time;
    }
}
