# Subroutines in pieces: several bodies under one name run one after the other.
vcl 4.1;

backend default {
    .host = "127.0.0.1";
    .port = "8080";
}

sub vcl_recv {
    set req.http.X-Steps = "first";
}

sub tidy {
    unset req.http.X-Internal;
}

sub vcl_recv {
    call tidy;
    set req.http.X-Steps = req.http.X-Steps + ", second";
}

sub vcl_backend_response {
    set beresp.http.X-Steps = bereq.http.X-Steps;
}

sub vcl_backend_response {
    if (beresp.http.X-Steps !~ "second") {
        return (abandon);
    }
}
