# Crawlers get cached pages a little older than people, scrapers nothing.
vcl 4.1;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

sub recognize {
    if (req.http.User-Agent ~ "(?i)(googlebot|bingbot|duckduckbot)") {
        set req.http.X-Bot = "search";
    } else if (req.http.User-Agent ~ "(?i)(curl|wget|python-requests|scrapy)") {
        set req.http.X-Bot = "tool";
    } else if (!req.http.User-Agent) {
        set req.http.X-Bot = "nameless";
    } else {
        unset req.http.X-Bot;
    }
}

sub vcl_recv {
    call recognize;
    if (req.http.X-Bot ~ "^(tool|nameless)$" && req.url !~ "^/(robots\.txt|feed)") {
        return (synth(403, "No robots here"));
    }
    if (req.url == "/robots.txt") {
        return (synth(700));
    }
    if (req.http.X-Bot == "search") {
        set req.grace = 24h;
        unset req.http.Cookie;
    } else {
        set req.grace = 1m;
    }
}

sub vcl_synth {
    if (resp.status == 700) {
        set resp.status = 200;
        set resp.http.Content-Type = "text/plain";
        synthetic({"User-agent: *
Disallow: /search
"});
        return (deliver);
    }
}
