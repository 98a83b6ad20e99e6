# Banning by tags that the application puts on its pages, friendly to the lurker.
vcl 4.1;

import std;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

acl editors {
    "localhost";
    "192.0.2.0"/24;
    "2001:db8::"/32;
}

sub vcl_recv {
    if (req.method == "BAN") {
        if (client.ip !~ editors) {
            return (synth(403));
        }
        if (req.http.X-Tag) {
            if (std.ban("obj.http.X-Tags ~ (^|,)" + req.http.X-Tag + "(,|$)")) {
                return (synth(200, "Ban added"));
            }
            return (synth(400, std.ban_error()));
        }
        return (synth(400, "No tag"));
    }
}

sub vcl_backend_response {
    if (beresp.http.X-Tags) {
        set beresp.ttl = 1h;
        set beresp.grace = 1d;
    }
}

sub vcl_deliver {
    if (client.ip !~ editors) {
        unset resp.http.X-Tags;
    }
}
