# Unused symbols are errors by default.
vcl 4.1;

backend default { .host = "127.0.0.1"; }
backend forgotten { .host = "127.0.0.2"; }
