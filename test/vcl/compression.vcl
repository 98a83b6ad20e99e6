# What is compressed, and what had better not be.
vcl 4.1;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

sub vcl_recv {
    if (req.url ~ "\.(jpe?g|png|gz|zip|mp4|woff2)(\?|$)") {
        unset req.http.Accept-Encoding;
    }
}

sub vcl_backend_response {
    if (beresp.http.Content-Type ~ "^(text/|application/(json|javascript|xml))" && !beresp.http.Content-Encoding) {
        set beresp.do_gzip = true;
    }
    if (beresp.http.Content-Encoding == "gzip" && bereq.url ~ "^/raw/") {
        set beresp.do_gunzip = true;
    }
    if (beresp.http.X-Filters == "none") {
        set beresp.filters = "";
    }
    if (bereq.url ~ "^/stream/") {
        set beresp.do_stream = true;
    }
}
