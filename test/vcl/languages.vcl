# One object for each language the site speaks, whatever browsers ask for.
vcl 4.1;

import std;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

sub vcl_recv {
    set req.http.X-Lang = std.tolower(regsub(req.http.Accept-Language, "^ *([a-zA-Z]{2}).*$", "\1"));
    if (req.http.Cookie ~ "(^|; *)lang=") {
        set req.http.X-Lang = regsub(req.http.Cookie, "^(.*; *)?lang=([a-z]{2}).*$", "\2");
    }
    if (req.http.X-Lang !~ "^(de|fr|it|en)$") {
        set req.http.X-Lang = "en";
    }
    if (req.url == "/") {
        return (synth(302, "/" + req.http.X-Lang + "/"));
    }
    set req.http.Accept-Language = req.http.X-Lang;
}

sub vcl_synth {
    if (resp.status == 302) {
        set resp.http.Location = resp.reason;
        set resp.http.Vary = "Accept-Language, Cookie";
        synthetic({"<a href=""} + resp.reason + {"">here</a>"});
        return (deliver);
    }
}

sub vcl_backend_response {
    if (beresp.http.Vary) {
        set beresp.http.Vary = beresp.http.Vary + ", Accept-Language";
    } else {
        set beresp.http.Vary = "Accept-Language";
    }
}
