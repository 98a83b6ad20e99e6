vcl 4.1;

import std;

backend default { .host = "127.0.0.1"; }

sub vcl_recv {
    if (std.fnmatch(pattern = "*", subject = req.url, pattern = "?")) {
        return (pass);
    }
}
