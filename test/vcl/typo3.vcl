# TYPO3: pages of the frontend are cached until the CMS bans them by page id.
vcl 4.1;

backend typo3 {
    .host = "::1";
    .port = "8080";
}

acl cms {
    "127.0.0.1";
    "::1";
}

sub vcl_recv {
    if (req.method == "BAN") {
        if (client.ip !~ cms) {
            return (synth(405, "Not allowed."));
        }
        if (req.http.X-Cache-Tags) {
            ban("obj.http.X-Cache-Tags ~ (^|,)" + req.http.X-Cache-Tags + "(,|$)");
        } elseif (req.http.Varnish-Ban-All == "1") {
            ban("req.http.host == " + req.http.host + " && req.url ~ /");
        } else if (req.http.Varnish-Ban-TYPO3-Pid) {
            ban("obj.http.TYPO3-Pid == " + req.http.Varnish-Ban-TYPO3-Pid);
        }
        return (synth(200, "Banned TYPO3 pid " + req.http.Varnish-Ban-TYPO3-Pid));
    }
    if (req.http.Cookie ~ "be_typo_user|fe_typo_user" || req.url ~ "^/typo3" || req.url ~ "[?&](eID|no_cache)=") {
        return (pass);
    }
    unset req.http.Cookie;
}

sub vcl_backend_response {
    if (beresp.http.TYPO3-Pid && beresp.http.Pragma == "public") {
        unset beresp.http.Set-Cookie;
    }
    if (beresp.ttl > 7d) {
        set beresp.ttl = 7d;
    }
    set beresp.grace = 10m;
}

sub vcl_deliver {
    unset resp.http.TYPO3-Pid;
    unset resp.http.X-Cache-Tags;
    set resp.http.X-Age-Minutes = resp.http.Age;
}
