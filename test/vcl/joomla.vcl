# A Joomla site: administration and sessions pass, the rest is cached without its session cookie.
vcl 4.1;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

sub vcl_recv {
    if (req.url ~ "^/administrator(/|$)" || req.url ~ "option=com_(users|mailto|ajax)") {
        return (pass);
    }
    if (req.http.Cookie ~ "joomla_user_state=logged_in") {
        return (pass);
    }
    if (req.method == "GET" || req.method == "HEAD") {
        set req.http.Cookie = regsuball(req.http.Cookie, "(^|; *)[0-9a-f]{32}=[^;]*", "");
        if (req.http.Cookie ~ "^[; ]*$") {
            unset req.http.Cookie;
        }
    }
}

sub vcl_backend_response {
    if (!beresp.http.Set-Cookie ~ "joomla_user_state" && bereq.url !~ "^/administrator") {
        unset beresp.http.Set-Cookie;
    }
    if (beresp.status == 200 && beresp.http.Content-Type ~ "^text/html") {
        set beresp.ttl = 5m;
        set beresp.grace = 1h;
    }
}

sub vcl_deliver {
    unset resp.http.X-Powered-By;
    set resp.http.X-Cache-Hits = obj.hits;
}
