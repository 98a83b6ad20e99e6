vcl 4.1;

import directors;

backend default { .host = "127.0.0.1"; }

sub vcl_recv {
    directors.fallback.add_backend(default);
}
