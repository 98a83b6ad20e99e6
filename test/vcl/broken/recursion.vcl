vcl 4.1;

backend default { .host = "127.0.0.1"; }

sub there {
    call back;
}

sub back {
    call there;
}

sub vcl_recv {
    call there;
}
