# Articles for subscribers: one check by the backend, one cached text for both kinds of readers.
vcl 4.1;

backend articles { .host = "127.0.0.1"; .port = "8080"; }
backend accounts { .host = "127.0.0.1"; .port = "8081"; .connect_timeout = 200ms; }

sub vcl_recv {
    if (req.restarts == 0) {
        unset req.http.X-Reader;
        if (req.url ~ "^/article/" && req.http.Cookie ~ "token=") {
            set req.http.X-Original = req.url;
            set req.url = "/check";
            set req.backend_hint = accounts;
            return (pass);
        }
        set req.http.X-Reader = "guest";
    } else {
        set req.url = req.http.X-Original;
        set req.backend_hint = articles;
        unset req.http.X-Original;
        unset req.http.Cookie;
    }
    if (req.url ~ "^/article/") {
        return (hash);
    }
}

sub vcl_hash {
    if (req.url ~ "^/article/") {
        hash_data(req.http.X-Reader);
    }
}

sub vcl_deliver {
    if (req.restarts == 0 && req.http.X-Original) {
        if (resp.status == 204) {
            set req.http.X-Reader = "subscriber";
        } else {
            set req.http.X-Reader = "guest";
        }
        return (restart);
    }
}
