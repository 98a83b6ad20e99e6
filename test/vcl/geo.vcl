# Visitors by country, which a front-end proxy tells.
vcl 4.1;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

sub vcl_recv {
    if (req.http.X-Country !~ "^[A-Z]{2}$") {
        set req.http.X-Country = "XX";
    }
    if (req.http.X-Country ~ "^(KP|SY)$") {
        return (synth(451, "Unavailable For Legal Reasons"));
    }
    if (req.http.X-Country ~ "^(DE|AT|CH|LI)$") {
        set req.http.X-Region = "dach";
    } elsif (req.http.X-Country ~ "^(US|CA|MX)$") {
        set req.http.X-Region = "na";
    } else {
        set req.http.X-Region = "world";
    }
}

sub vcl_hash {
    hash_data(req.http.X-Region);
}

sub vcl_deliver {
    set resp.http.X-Region = req.http.X-Region;
}
