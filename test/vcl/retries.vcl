# A second try goes to the other data centre.
vcl 4.1;

backend near { .host = "127.0.0.1"; .port = "8080"; }
backend far { .host = "127.0.0.2"; .port = "8080"; .first_byte_timeout = 5s; }

sub vcl_backend_fetch {
    if (bereq.retries == 0) {
        set bereq.backend = near;
    } else {
        set bereq.backend = far;
        set bereq.http.X-Attempt = bereq.retries;
        set bereq.connect_timeout = 1s;
    }
}

sub vcl_backend_response {
    if (beresp.status == 503 || beresp.status == 502) {
        if (bereq.retries < 2 && bereq.method == "GET") {
            return (retry);
        }
    }
}

sub vcl_backend_error {
    if (bereq.retries < 2 && bereq.method == "GET") {
        return (retry);
    }
    set beresp.status = 503;
    set beresp.http.Content-Type = "text/html; charset=utf-8";
    set beresp.body = {"<h1>Back soon</h1>
<p>Reference "} + bereq.xid + "</p>";
    return (deliver);
}
