# Symfony with ESI: the application learns that the cache understands includes.
vcl 4.1;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

acl invalidators { "localhost"; }

sub vcl_recv {
    set req.http.Surrogate-Capability = "abc=ESI/1.0";
    if (req.method == "PURGE") {
        if (!client.ip ~ invalidators) {
            return (synth(405));
        }
        return (purge);
    }
    if (req.http.X-Forwarded-Proto == "https") {
        set req.http.X-Forwarded-Port = "443";
    } else {
        set req.http.X-Forwarded-Port = "80";
    }
}

sub vcl_backend_response {
    if (beresp.http.Surrogate-Control ~ "ESI/1.0") {
        unset beresp.http.Surrogate-Control;
        set beresp.do_esi = true;
    }
}

sub vcl_purge {
    return (synth(200, "Purged"));
}
