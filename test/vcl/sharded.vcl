# Four caches behind us: each address always goes to the same one, neighbours take over.
vcl 4.1;

import directors;
import std;

probe ping { .url = "/ping"; .interval = 2s; .timeout = 0.3s; }

backend c1 { .host = "127.0.0.1"; .port = "8081"; .probe = ping; }
backend c2 { .host = "127.0.0.1"; .port = "8082"; .probe = ping; }
backend c3 { .host = "127.0.0.1"; .port = "8083"; .probe = ping; }
backend c4 { .host = "127.0.0.1"; .port = "8084"; .probe = ping; }

sub vcl_init {
    new caches = directors.shard();
    caches.add_backend(c1);
    caches.add_backend(c2);
    caches.add_backend(c3, weight=2.0);
    caches.add_backend(c4, rampup=30s);
    caches.set_warmup(0.05);
    caches.reconfigure(replicas=67);
}

sub vcl_backend_fetch {
    set bereq.backend = caches.backend(by=URL);
    if (bereq.retries > 0) {
        set bereq.backend = caches.backend(by=URL, alt=bereq.retries, healthy=ALL);
    }
    std.log("shard for " + bereq.url);
}
