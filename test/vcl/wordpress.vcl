# A blog on WordPress: readers without a login get cached pages, editors and commenters go through.
vcl 4.1;

import std;
import cookie;

backend blog {
    .host = "127.0.0.1";
    .port = "8080";
    .connect_timeout = 2s;
    .first_byte_timeout = 120s;
    .between_bytes_timeout = 10s;
    .max_connections = 150;
    .probe = {
        .request =
            "HEAD /wp-login.php HTTP/1.1"
            "Host: blog.example.org"
            "Connection: close"
            "User-Agent: probe";
        .interval = 10s;
        .timeout = 3s;
        .window = 6;
        .threshold = 4;
    }
}

acl editors {
    "localhost";
    "127.0.0.0"/8;
    "192.168.10.0"/24;
    ! "192.168.10.66";
    "::1";
}

sub forget_tracking_parameters {
    if (req.url ~ "[?&](utm_[a-z]+|gclid|fbclid|mc_[ce]id)=") {
        set req.url = regsuball(req.url, "([?&])(utm_[a-z]+|gclid|fbclid|mc_[ce]id)=[^&]*", "\1");
        set req.url = regsuball(req.url, "[?&]+$", "");
        set req.url = regsub(req.url, "\?&+", "?");
    }
    set req.url = std.querysort(req.url);
}

sub vcl_recv {
    if (req.method == "PURGE" || req.method == "BAN") {
        if (client.ip !~ editors) {
            return (synth(403, "Not for you"));
        }
        if (req.method == "BAN") {
            if (!std.ban("obj.http.X-Host == " + req.http.Host + " && obj.http.X-Url ~ " + req.http.X-Ban-Url)) {
                return (synth(400, std.ban_error()));
            }
            return (synth(200, "Banned"));
        }
        return (purge);
    }
    if (req.http.Upgrade ~ "(?i)websocket") {
        return (pipe);
    }
    call forget_tracking_parameters;
    if (req.url ~ "^/(wp-admin|wp-login\.php|xmlrpc\.php|wp-cron\.php)" || req.url ~ "[?&](preview|s)=") {
        return (pass);
    }
    if (req.url ~ "(?i)\.(css|js|woff2?|ttf|svg|png|jpe?g|gif|webp|ico|mp4|pdf)(\?.*)?$") {
        unset req.http.Cookie;
        return (hash);
    }
    if (req.http.Cookie) {
        cookie.parse(req.http.Cookie);
        cookie.filter_re("^(_ga.*|_fb.*|wp-settings-.*|wordpress_test_cookie)$");
        if (cookie.get_re("^(wordpress_logged_in|comment_author|wp-postpass)")) {
            return (pass);
        }
        set req.http.Cookie = cookie.get_string();
        if (req.http.Cookie == "") {
            unset req.http.Cookie;
        }
    }
}

sub vcl_backend_response {
    set beresp.http.X-Host = bereq.http.Host;
    set beresp.http.X-Url = bereq.url;
    set beresp.grace = 6h;
    if (bereq.url ~ "(?i)\.(css|js|woff2?|png|jpe?g|gif|webp|ico)(\?|$)") {
        unset beresp.http.Set-Cookie;
        set beresp.ttl = 30d;
    } elsif (beresp.status == 404 || beresp.status == 410) {
        set beresp.ttl = 1m;
    } elsif (beresp.status >= 500 && bereq.is_bgfetch) {
        return (abandon);
    }
}

sub vcl_deliver {
    unset resp.http.X-Host;
    unset resp.http.X-Url;
    if (obj.hits > 0) {
        set resp.http.X-Cache = "HIT " + obj.hits;
    } else {
        set resp.http.X-Cache = "MISS";
    }
}
