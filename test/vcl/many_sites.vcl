# Three sites on one cache, each with its own rules.
vcl 4.1;

backend shop { .host = "127.0.0.1"; .port = "8081"; }
backend blog { .host = "127.0.0.1"; .port = "8082"; }
backend files { .host = "127.0.0.1"; .port = "8083"; }

sub recv_shop {
    set req.backend_hint = shop;
    if (req.url ~ "^/(cart|checkout)") {
        return (pass);
    }
}

sub recv_blog {
    set req.backend_hint = blog;
    unset req.http.Cookie;
}

sub recv_files {
    set req.backend_hint = files;
    if (req.method != "GET" && req.method != "HEAD") {
        return (synth(405));
    }
    unset req.http.Cookie;
    return (hash);
}

sub vcl_recv {
    set req.http.Host = regsub(req.http.Host, ":[0-9]+$", "");
    if (req.http.Host == "shop.example.com") {
        call recv_shop;
    } elif (req.http.Host ~ "^(www\.)?blog\.example\.com$") {
        call recv_blog;
    } elsif (req.http.Host == "files.example.com") {
        call recv_files;
    } else {
        return (synth(404, "Unknown site"));
    }
}

sub vcl_backend_response {
    if (bereq.backend == files) {
        set beresp.ttl = 1d;
    }
}
