# Moodle: course pages belong to people, theme files and pictures do not.
vcl 4.1;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

sub vcl_recv {
    if (req.url ~ "^/(theme|lib|pix)/" || req.url ~ "^/pluginfile\.php/1/theme_") {
        unset req.http.Cookie;
        set req.http.X-Static = "yes";
        return (hash);
    }
    if (req.http.Cookie ~ "MoodleSession" || req.method == "POST") {
        return (pass);
    }
}

sub vcl_backend_response {
    if (bereq.http.X-Static) {
        unset beresp.http.Set-Cookie;
        unset beresp.http.Pragma;
        set beresp.http.Cache-Control = "public, max-age=604800";
        set beresp.ttl = 7d;
    } elsif (beresp.ttl > 1m) {
        set beresp.ttl = 1m;
    }
}
