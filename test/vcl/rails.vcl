# Rails: fingerprinted assets for ever, ETags for the rest.
vcl 4.1;

backend default { .host = "127.0.0.1"; .port = "3000"; .max_connections = 50; }

sub vcl_recv {
    if (req.url ~ "^/assets/.+-[0-9a-f]{32,64}\.") {
        unset req.http.Cookie;
        unset req.http.If-None-Match;
        return (hash);
    }
    if (req.url ~ "^/(cable|rails/active_storage)") {
        return (pipe);
    }
}

sub vcl_pipe {
    if (req.http.Upgrade) {
        set bereq.http.Upgrade = req.http.Upgrade;
        set bereq.http.Connection = "Upgrade";
    }
}

sub vcl_backend_response {
    if (bereq.url ~ "^/assets/") {
        set beresp.ttl = 1y;
    } elseif (beresp.http.ETag && beresp.ttl <= 0s) {
        set beresp.keep = 10m;
    }
}
