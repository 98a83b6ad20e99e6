# Numbers, times and texts in each other's company.
vcl 4.1;

import std;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

sub vcl_recv {
    set req.http.X-Int = 1 + 2 * 3 - 4;
    set req.http.X-Real = 1.5 * 2.0;
    set req.http.X-Time = now + 1.5m;
    set req.http.X-Duration = 90s + 2h;
    set req.http.X-Bytes = std.bytes("1.5M", 0B);
    set req.http.X-Bool = (req.http.X-Int == "3");
    set req.http.X-Age = std.time2integer(now, 0);
    if (now > std.time("Sun, 06 Nov 2050 08:49:37 GMT", now) || !(req.restarts > 0)) {
        set req.http.X-When = "before";
    }
    if (std.integer(req.http.X-Count, -1) % 2 == 0) {
        set req.http.X-Even = "true";
    }
    set req.http.X-Upper = req.url.upper();
    if (req.http.X-Limit && std.real(req.http.X-Limit, 0.0) >= 0.5) {
        set req.ttl = std.duration(req.http.X-Limit, 1s) * 2.0;
    }
}
