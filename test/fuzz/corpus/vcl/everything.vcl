vcl 4.1;
import std; import directors as d;
include "/v/small.vcl";
probe p { .request = "GET / HTTP/1.1" "Host: a"; .window = 5; .threshold = 3; .initial = 2; .timeout = 1s; }
backend default { .host = "127.0.0.1:81"; .probe = p; .connect_timeout = 1.5s; .max_connections = 10; .preamble = :AAAA:; }
backend s { .path = "/run/x"; .proxy_header = 2; .probe = { .url = "/"; .expected_response = 204; } }
backend n none;
acl a +log -pedantic { "10.0.0.1"/8; ! "10.1"; ("::1"/128); }
sub vcl_init { new v = d.round_robin(); v.add_backend(s); v.add_backend(n); }
sub f { if (req.restarts < 3 && (client.ip !~ a || !req.http."x y" )) { return; } elsif (true) { call g; } else { } }
sub g { set req.http.x += "a" + 1 + 2.5 + 10m + now + -3 + (5 % 2) + req.url.upper() + {"z"} + """q"""; }
sub vcl_recv { call f; set req.backend_hint = v.backend(); set req.ttl = 1h - 5s * 2; unset req.http.y;
  ban("req.url ~ " + regsuball(req.url, "(a)|b", "\1")); std.log("x"); return (synth(750, "r" + 1)); }
sub vcl_backend_response { set beresp.storage = storage.s0; return (pass(1m)); }
sub vcl_synth { set resp.body = :AAAA:; synthetic("x"); return (deliver); }
sub vcl_hash { hash_data(req.url + "b"); }
