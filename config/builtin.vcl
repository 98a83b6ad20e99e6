# The policy every VCL ends with. This file is appended to the VCL that is loaded: a built-in subroutine that does not
# return by itself continues here. Each decision sits in a subroutine of its own, so a VCL can put its own code in front
# of one without giving up the others.

vcl 4.0;

## Requests

sub vcl_recv {
    call vcl_builtin_recv;
    return (hash);
}

sub vcl_builtin_recv {
    call vcl_req_host;
    call vcl_req_method;
    call vcl_req_authorization;
    call vcl_req_cookie;
}

# Host names have no case. A client of HTTP/1.1 has to send one (RFC 9112, section 3.2); sub-requests and older
# protocols may go without.
sub vcl_req_host {
    if (req.http.Host ~ "[[:upper:]]") {
        set req.http.Host = req.http.Host.lower();
    }
    if (req.proto == "HTTP/1.1" && req.esi_level == 0 && !req.http.Host) {
        return (synth(400));
    }
}

sub vcl_req_method {
    # The first word of an HTTP/2 preface is no method of ours.
    if (req.method == "PRI") {
        return (synth(405));
    }
    # What is not known here goes through untouched: CONNECT, WebDAV, inventions.
    if (req.method != "GET" && req.method != "HEAD" && req.method != "POST" && req.method != "PUT" &&
        req.method != "PATCH" && req.method != "DELETE" && req.method != "OPTIONS" && req.method != "TRACE") {
        return (pipe);
    }
    # Of the known ones, two have answers worth keeping.
    if (req.method != "GET" && req.method != "HEAD") {
        return (pass);
    }
}

# Answers to one person's request are not shown to others.
sub vcl_req_authorization {
    if (req.http.Authorization) {
        return (pass);
    }
}

sub vcl_req_cookie {
    if (req.http.Cookie) {
        return (pass);
    }
}

# The key of an object: the URL, and the site it belongs to.
sub vcl_hash {
    call vcl_builtin_hash;
    return (lookup);
}

sub vcl_builtin_hash {
    hash_data(req.url);
    if (!req.http.Host) {
        hash_data(server.ip);
    } else {
        hash_data(req.http.Host);
    }
}

sub vcl_hit {
    call vcl_builtin_hit;
    return (deliver);
}

sub vcl_builtin_hit {
}

sub vcl_miss {
    call vcl_builtin_miss;
    return (fetch);
}

sub vcl_builtin_miss {
}

sub vcl_pass {
    call vcl_builtin_pass;
    return (fetch);
}

sub vcl_builtin_pass {
}

# A piped connection is closed after its request ("Connection: close" is set before this runs), since later requests on
# it would bypass all of the above. `unset bereq.http.Connection;` keeps it open.
sub vcl_pipe {
    call vcl_builtin_pipe;
    return (pipe);
}

sub vcl_builtin_pipe {
}

sub vcl_purge {
    call vcl_builtin_purge;
    return (synth(200, "Purged"));
}

sub vcl_builtin_purge {
}

sub vcl_deliver {
    call vcl_builtin_deliver;
    return (deliver);
}

sub vcl_builtin_deliver {
}

# Answers made here, also those for failures (503) and for requests that cannot be understood.
sub vcl_synth {
    call vcl_builtin_synth;
    return (deliver);
}

sub vcl_builtin_synth {
    set resp.http.Content-Type = "text/html; charset=utf-8";
    set resp.http.Retry-After = "5";
    set resp.body = {"<!DOCTYPE html>
<html lang="en">
  <head><title>"} + resp.status + " " + resp.reason + {"</title></head>
  <body>
    <h1>Error "} + resp.status + " " + resp.reason + {"</h1>
    <p>"} + resp.reason + {"</p>
    <p>XID: "} + req.xid + {"</p>
  </body>
</html>
"};
}

## Fetches

sub vcl_backend_fetch {
    call vcl_builtin_backend_fetch;
    return (fetch);
}

# The body of a GET means nothing to a backend, and could smuggle a second request.
sub vcl_builtin_backend_fetch {
    if (bereq.method == "GET") {
        unset bereq.body;
    }
}

sub vcl_backend_response {
    call vcl_builtin_backend_response;
    return (deliver);
}

sub vcl_builtin_backend_response {
    if (!bereq.uncacheable) {
        call vcl_beresp_stale;
        call vcl_beresp_cookie;
        call vcl_beresp_control;
        call vcl_beresp_vary;
    } else {
        return (deliver);
    }
}

# Expired on arrival.
sub vcl_beresp_stale {
    if (beresp.ttl <= 0s) {
        call vcl_beresp_hitmiss;
    }
}

sub vcl_beresp_cookie {
    if (beresp.http.Set-Cookie) {
        call vcl_beresp_hitmiss;
    }
}

# Surrogate-Control speaks to caches like this one and so comes first; where it is silent, Cache-Control counts.
sub vcl_beresp_control {
    if (beresp.http.Surrogate-Control ~ "(?i)no-store") {
        call vcl_beresp_hitmiss;
    }
    if (!beresp.http.Surrogate-Control && beresp.http.Cache-Control ~ "(?i)(no-cache|no-store|private)") {
        call vcl_beresp_hitmiss;
    }
}

sub vcl_beresp_vary {
    if (beresp.http.Vary == "*") {
        call vcl_beresp_hitmiss;
    }
}

# Remember for a while (uncacheable_ttl) that this one is not to be kept, so that its next readers do not wait for each other.
sub vcl_beresp_hitmiss {
    set beresp.ttl = param.uncacheable_ttl;
    set beresp.uncacheable = true;
    return (deliver);
}

# A 304 answered the revalidation of a stored object: the new headers are laid over the stored ones.
sub vcl_backend_refresh {
    call vcl_builtin_backend_refresh;
    return (merge);
}

sub vcl_builtin_backend_refresh {
}

sub vcl_backend_error {
    call vcl_builtin_backend_error;
    return (deliver);
}

sub vcl_builtin_backend_error {
    set beresp.http.Content-Type = "text/html; charset=utf-8";
    set beresp.http.Retry-After = "5";
    set beresp.body = {"<!DOCTYPE html>
<html lang="en">
  <head><title>"} + beresp.status + " " + beresp.reason + {"</title></head>
  <body>
    <h1>Error "} + beresp.status + " " + beresp.reason + {"</h1>
    <p>"} + beresp.reason + {"</p>
    <p>XID: "} + bereq.xid + {"</p>
  </body>
</html>
"};
}

## The life of a loaded VCL

sub vcl_init {
    return (ok);
}

sub vcl_fini {
    return (ok);
}
