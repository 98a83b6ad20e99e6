vcl 4.1;

import directors;

backend default { .host = "127.0.0.1"; }

sub vcl_recv {
    set req.backend_hint = directors.round_robin.backend();
}
