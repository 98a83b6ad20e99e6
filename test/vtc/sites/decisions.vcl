# Stands before the site's file: tells the origin and the client what was decided, in headers. Times in whole seconds, rounded
# up, so that a slow machine changes nothing.
vcl 4.0;

import std;

sub vcl_hit {
    set req.http.How = "hit";
}

sub vcl_miss {
    set req.http.How = "miss";
}

sub vcl_pass {
    set req.http.How = "pass";
}

sub vcl_deliver {
    set resp.http.How = req.http.How;
    set resp.http.Ttl = std.integer(duration = obj.ttl + 0.99s);
    set resp.http.Grace-Time = std.integer(duration = obj.grace + 0.99s);
    set resp.http.Keep-Time = std.integer(duration = obj.keep + 0.99s);
}
