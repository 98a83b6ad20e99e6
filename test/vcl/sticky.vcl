# Sessions stay with their server as long as it is healthy.
vcl 4.1;

import directors;

backend app1 { .host = "127.0.0.1"; .port = "8081"; }
backend app2 { .host = "127.0.0.1"; .port = "8082"; }

sub vcl_init {
    new sticky = directors.hash();
    sticky.add_backend(app1, 1.0);
    sticky.add_backend(app2, 2.0);
    new any = directors.round_robin();
    any.add_backend(app1);
    any.add_backend(app2);
}

sub vcl_recv {
    if (req.http.Cookie ~ "JSESSIONID=") {
        set req.http.X-Session = regsub(req.http.Cookie, "^.*JSESSIONID=([^;]+).*$", "\1");
        set req.backend_hint = sticky.backend(req.http.X-Session);
    } else {
        set req.backend_hint = any.backend();
    }
}
