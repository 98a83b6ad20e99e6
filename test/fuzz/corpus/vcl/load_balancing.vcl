# Every way to choose a backend: by turns, by weight, by order, by a client's key, and shards in two layers.
vcl 4.1;

import directors;
import std;

probe fast {
    .url = "/alive";
    .interval = 500ms;
    .timeout = 0.25s;
    .window = 8;
    .threshold = 6;
}

backend web1 { .host = "192.0.2.1"; .probe = fast; }
backend web2 { .host = "192.0.2.2"; .probe = fast; }
backend web3 { .host = "192.0.2.3"; .probe = fast; .max_connections = 20; }
backend spare { .host = "192.0.2.99"; .port = "8080"; }
backend nobody none;

sub vcl_init {
    new turns = directors.round_robin();
    turns.add_backend(web1);
    turns.add_backend(web2);
    turns.add_backend(web3);

    new safe = directors.fallback(sticky = true);
    safe.add_backend(turns.backend());
    safe.add_backend(spare);

    new lots = directors.random();
    lots.add_backend(web1, 10);
    lots.add_backend(web2, 2.5);

    new by_user = directors.hash();
    by_user.add_backend(web1, 1.0);
    by_user.add_backend(web2, weight = 2.0);

    new retry_params = directors.shard_param();
    retry_params.set(by = URL, healthy = ALL);

    new ring = directors.shard();
    ring.associate(retry_params.use());
    ring.add_backend(web1, rampup = 30s);
    ring.add_backend(web2, ident = "second", weight = 1.5);
    ring.add_backend(web3);
    ring.set_warmup(0.1);
    ring.set_rampup(1m);
    if (!ring.reconfigure(replicas = 25)) {
        return (fail("no shards"));
    }
}

sub vcl_recv {
    if (req.url ~ "^/lots/") {
        set req.backend_hint = lots.backend();
    } else if (req.http.X-User) {
        set req.backend_hint = by_user.backend(req.http.X-User);
    } else if (req.url ~ "^/ring/") {
        set req.backend_hint = ring.backend(resolve = LAZY);
    } else if (req.url == "/now") {
        set req.backend_hint = ring.backend(by = KEY, key = ring.key(req.url + req.http.Host));
    } else if (req.url == "/none") {
        set req.backend_hint = nobody;
    } else {
        set req.backend_hint = safe.backend();
    }
    if (!std.healthy(req.backend_hint)) {
        set req.http.X-Backend = "sick " + req.backend_hint;
    }
}

sub vcl_backend_fetch {
    if (bereq.url ~ "^/ring/") {
        retry_params.set(alt = bereq.retries, by = HASH);
        set bereq.http.X-Shard = retry_params.get_by() + retry_params.get_alt();
    }
}

sub vcl_backend_response {
    set beresp.http.X-From = beresp.backend.name;
    if (beresp.status >= 500 && bereq.retries < 3) {
        return (retry);
    }
}
