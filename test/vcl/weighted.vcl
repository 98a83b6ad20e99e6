# One server in ten gets the new release, a spare waits.
vcl 4.1;

import directors;

backend stable { .host = "127.0.0.1"; .port = "8081"; }
backend canary { .host = "127.0.0.1"; .port = "8082"; }
backend spare { .host = "127.0.0.1"; .port = "8083"; }

sub vcl_init {
    new release = directors.random();
    release.add_backend(stable, 9);
    release.add_backend(canary, 1);
    new all = directors.fallback(sticky = true);
    all.add_backend(release.backend());
    all.add_backend(spare);
}

sub vcl_recv {
    if (req.http.X-Release == "canary") {
        set req.backend_hint = canary;
    } else {
        set req.backend_hint = all.backend();
    }
}

sub vcl_deliver {
    set resp.http.X-Served-By = req.backend_hint;
}
