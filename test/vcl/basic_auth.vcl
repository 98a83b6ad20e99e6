# A staging site behind a password that the cache asks for.
vcl 4.1;

import blob;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

sub vcl_init {
    new password = blob.blob(IDENTITY, "staging:open sesame");
}

sub vcl_recv {
    if (req.http.Authorization !~ "^Basic " ||
        !blob.equal(blob.decode(BASE64, encoded=regsub(req.http.Authorization, "^Basic ", "")), password.get())) {
        return (synth(401, "Authentication required"));
    }
    unset req.http.Authorization;
}

sub vcl_synth {
    if (resp.status == 401) {
        set resp.http.WWW-Authenticate = {"Basic realm="staging""};
        set resp.http.Content-Type = "text/plain";
        set resp.body = "Ask the team for the password.";
        return (deliver);
    }
}
