# Stands behind the site's file and a backend s1: every request goes there, and says which backend the site had chosen.
# A request with the header Down finds no backend.
vcl 4.0;

backend nowhere none;

sub vcl_backend_fetch {
    set bereq.http.Chosen = bereq.backend;
    if (bereq.http.Down) {
        set bereq.backend = nowhere;
    } else {
        set bereq.backend = s1;
    }
}

sub vcl_pipe {
    set bereq.http.How = "pipe";
    set bereq.http.Chosen = bereq.backend;
    set bereq.backend = s1;
}
