# Who may see what, by address.
vcl 4.1;

import std;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

acl office +log +pedantic {
    "192.0.2.0"/24;
    "198.51.100.7";
    "2001:db8:1::"/48;
}

acl partners -pedantic {
    "203.0.113.0"/24;
    ! "203.0.113.13";
}

acl private_nets +table {
    "10.0.0.0"/8;
    "172.16.0.0"/12;
    "192.168.0.0"/16;
    "fc00::"/7;
}

sub vcl_recv {
    if (std.ip(req.http.X-Client, "0.0.0.0") ~ private_nets) {
        set req.http.X-Zone = "inside";
    } else if (client.ip ~ office) {
        set req.http.X-Zone = "office";
    } else if (remote.ip ~ partners) {
        set req.http.X-Zone = "partner";
    } else {
        set req.http.X-Zone = "outside";
    }
    if (req.url ~ "^/internal/" && req.http.X-Zone == "outside") {
        return (synth(404));
    }
}
