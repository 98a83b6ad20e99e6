# A catalogue for browsers and programs: one object for each format, no parameters that do not matter.
# With our modules accept and querystring.
vcl 4.1;

import accept;
import querystring;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

sub vcl_init {
    new format = accept.rule("text/html");
    format.add("application/json");
    format.add("text/csv");
    new noise = querystring.filter(sort = true);
    noise.add_glob("utm_*");
    noise.add_string("sid");
}

sub vcl_recv {
    set req.url = noise.apply(req.url);
    set req.http.Accept = format.filter(req.http.Accept);
}

sub vcl_hash {
    hash_data(req.http.Accept);
}

sub vcl_deliver {
    set resp.http.X-Format = req.http.Accept;
}
