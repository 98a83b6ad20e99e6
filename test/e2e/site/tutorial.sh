#!/bin/bash
# tutorial.sh PROGRAMS: the command lines that tutorials show, before a real Apache: miss, hit, pass, Age, management and log.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/lib.sh"
need varnishadm
need varnishncsa
[[ -x /usr/sbin/apache2 ]] || { echo "needs apache2"; exit 77; }
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
id vcache >/dev/null 2>&1 && id varnish >/dev/null 2>&1 || { echo "needs the users of the varnish package"; exit 77; }

origin=$(free_port)
start_apache "$origin"
echo "<h1>It works</h1>" >"$WORK/htdocs/index.html"
printf 'vcl 4.1;\nbackend default {\n  .host = "127.0.0.1";\n  .port = "%s";\n}\n' "$origin" >"$WORK/default.vcl"
printf 'backend default {\n  .host = "127.0.0.1";\n  .port = "%s";\n}\n' "$origin" >"$WORK/old.vcl"
head -c 32 /dev/urandom | base64 >"$WORK/secret"
echo wrong >"$WORK/wrong"

# site NAME PORT: what every command line must do.
site() {
    local name=$1 url=http://127.0.0.1:$2/
    until_true 20 curl -s -o /dev/null "$url" || fail "$name: does not answer: $(cat "$WORK/$name.err")"
    get "${url}index.html?$name"
    [[ $body == "<h1>It works</h1>" ]] || fail "$name: body is '$body'"
    [[ $(field X-Varnish) =~ ^[0-9]+$ ]] || fail "$name: the first request is no miss: $head"
    get "${url}index.html?$name"
    [[ $(field X-Varnish) =~ ^[0-9]+\ [0-9]+$ ]] || fail "$name: the second request is no hit: $head"
    [[ $(field Via) == "1.1 varnish (Varnish/7.1)" ]] || fail "$name: Via is '$(field Via)'"
    local age
    age=$(field Age)
    sleep 2.1
    get "${url}index.html?$name"
    (($(field Age) >= age + 2)) || fail "$name: Age does not grow: $age, then $(field Age)"
    get "${url}index.html?$name" -H "Cookie: session=1"
    [[ $(field X-Varnish) =~ ^[0-9]+$ ]] || fail "$name: a request with a cookie does not pass: $head"
    until_true 5 bash -c "varnishncsa -n '$WORK/$name' -d | grep -q 'GET http://127.0.0.1:$2/index.html?$name HTTP/1.1\" 200'" \
        || fail "$name: varnishncsa does not show the requests"
}

# managed NAME PORT: the management port asks for the secret.
managed() {
    varnishadm -S "$WORK/secret" -T "127.0.0.1:$2" status | grep -q "running" || fail "$1: varnishadm is not answered"
    ! varnishadm -S "$WORK/wrong" -T "127.0.0.1:$2" status >/dev/null 2>&1 || fail "$1: a wrong secret is accepted"
}

http=$(free_port) admin_port=$(free_port)
start packaged -j unix,user=vcache -a ":$http" -T "localhost:$admin_port" -f "$WORK/default.vcl" -S "$WORK/secret" -s malloc,256m
site packaged "$http"
managed packaged "$admin_port"

http=$(free_port)
start short -a ":$http" -b "127.0.0.1:$origin" -s malloc,256m -T none
site short "$http"

http=$(free_port) admin_port=$(free_port)
start old -a ":$http" -f "$WORK/old.vcl" -T "127.0.0.1:$admin_port" -t 120 -w 50,1000,120 -u varnish -g varnish -S "$WORK/secret" \
    -s "file,$WORK/varnish_storage.bin,64M"
site old "$http"
managed old "$admin_port"
[[ $(stat -c %s "$WORK/varnish_storage.bin") == $((64 << 20)) ]] || fail "old: the storage file has not its size"
grep -qi "warning" "$WORK/old.err" || fail "old: no warning about the old options: $(cat "$WORK/old.err")"
echo "tutorial: all right"
