# Probes that speak like the application's clients.
vcl 4.1;

probe default {
    .request =
        "HEAD /status HTTP/1.1"
        "Host: app.example.com"
        "Connection: close"
        "User-Agent: probe";
    .interval = 10s;
    .timeout = 2s;
    .window = 10;
    .threshold = 7;
    .initial = 6;
    .expected_response = 200;
}

probe slow {
    .url = "/deep-check?full=1";
    .interval = 1m;
    .timeout = 20s;
}

backend app { .host = "127.0.0.1"; .port = "8080"; .probe = default; }
backend report {
    .host = "127.0.0.1";
    .port = "8090";
    .probe = slow;
    .host_header = "reports.example.com";
}
backend legacy {
    .host = "127.0.0.1";
    .port = "8070";
    .probe = { .url = "/"; .window = 3; .threshold = 2; .interval = 30s; }
}

sub vcl_recv {
    if (req.url ~ "^/report/") {
        set req.backend_hint = report;
    } elseif (req.url ~ "^/legacy/") {
        set req.backend_hint = legacy;
    } else {
        set req.backend_hint = app;
    }
}
