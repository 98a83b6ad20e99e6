# Short-lived things stay in Transient, everything else where the command line says.
vcl 4.1;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

sub vcl_backend_response {
    if (beresp.ttl < 10s || beresp.http.Content-Length ~ "^[0-9]{9,}$") {
        set beresp.storage = storage.Transient;
    }
    if (storage.Transient.used_space > 500MB) {
        set beresp.uncacheable = true;
    }
}

sub vcl_deliver {
    set resp.http.X-Stored = obj.storage;
}
