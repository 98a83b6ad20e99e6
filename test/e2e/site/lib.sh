# For scripts with a site behind us: a real Apache, and curl with what it saw. Sourced behind ../lib.sh.

# start_apache PORT: serves WORK/htdocs; its process id in $apache.
start_apache() {
    mkdir -p "$WORK/htdocs"
    cat >"$WORK/apache.conf" <<END
ServerRoot $WORK
ServerName localhost
Listen 127.0.0.1:$1
PidFile $WORK/apache.pid
ErrorLog $WORK/apache-error.log
LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
LoadModule dir_module /usr/lib/apache2/modules/mod_dir.so
LoadModule mime_module /usr/lib/apache2/modules/mod_mime.so
TypesConfig /etc/mime.types
DocumentRoot $WORK/htdocs
User www-data
Group www-data
<Directory $WORK/htdocs>
  Require all granted
</Directory>
END
    /usr/sbin/apache2 -f "$WORK/apache.conf" -D FOREGROUND >"$WORK/apache.out" 2>&1 &
    apache=$!
    started+=("$apache")
    until_true 15 curl -s -o /dev/null "http://127.0.0.1:$1/" || fail "apache does not start: $(cat "$WORK/apache.out")"
}

# get URL [CURL ARGUMENT...]: the head of the answer in $head, the body in $body.
get() {
    local url=$1
    shift
    body=$(curl -sS --max-time 10 -D "$WORK/head" "$@" "$url") || fail "no answer from $url"
    head=$(tr -d '\r' <"$WORK/head")
}

# field NAME: that field of $head.
field() {
    sed -n "s/^$1: //Ip" <<<"$head" | head -n 1
}
