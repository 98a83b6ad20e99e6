# Pages put together from fragments: the page is kept for an hour, its basket for a visit, its news for a minute.
vcl 4.1;

backend default { .host = "127.0.0.1"; .port = "8080"; }

sub vcl_recv {
    if (req.esi_level > 0) {
        set req.http.X-Level = req.esi_level;
        set req.http.X-Page = req_top.url;
        if (req.esi_level > 3) {
            return (synth(508, "Too deep"));
        }
    } else {
        unset req.http.X-Level;
        set req.http.Surrogate-Capability = {"key="ESI/1.0""};
    }
    if (req.url ~ "^/fragment/basket") {
        return (pass);
    }
}

sub vcl_backend_response {
    if (beresp.http.Surrogate-Control ~ "ESI/1\.0") {
        unset beresp.http.Surrogate-Control;
        set beresp.do_esi = true;
    }
    if (bereq.url ~ "^/fragment/news") {
        set beresp.ttl = 1m;
        set beresp.grace = 10s;
    } else {
        set beresp.ttl = 1h;
    }
}

sub vcl_deliver {
    if (req.esi_level == 0 && resp.http.X-Has-Basket) {
        set resp.http.Cache-Control = "private, max-age=0";
    }
}
