#!/bin/sh
# Our varnishadm against a running varnishd: arguments, pipes, a terminal, wrong secrets and wrong addresses.
set -eu

admin=$1
server=$2
[ -x "$server" ] || { echo "$server is not there"; exit 77; }
folder=$(mktemp -d)
chmod 755 "$folder"
server_pid=
trap '[ -z "$server_pid" ] || kill $server_pid 2>/dev/null || :; wait; rm -rf "$folder"' EXIT

fail() {
    echo "FAILED: $*" >&2
    cat "$folder/out" "$folder/err" >&2
    exit 1
}

# status command...: runs it, keeps its output in out and err, and checks its exit status.
expect() {
    wanted=$1
    shift
    status=0
    "$@" >"$folder/out" 2>"$folder/err" || status=$?
    [ $status = "$wanted" ] || fail "exit status $status instead of $wanted: $*"
}

shows() { # file text
    grep -qF -- "$2" "$folder/$1" || fail "no '$2' in its $1"
}

"$server" -F -n "$folder/w" -a 127.0.0.1:0 -b none >"$folder/log" 2>&1 &
server_pid=$!
n=0
until "$admin" -n "$folder/w" -t 1 status 2>/dev/null | grep -q running; do
    n=$((n + 1))
    [ $n -lt 60 ] || { cat "$folder/log"; exit 1; }
    sleep 0.2
done

expect 0 "$admin" -n "$folder/w" ping
shows out PONG
expect 0 "$admin" -n "$folder/w" param.show default_ttl
shows out 'Value is: 120.000 [seconds] (default)'
expect 0 "$admin" -n "$folder/w" param.set default_ttl 7
expect 0 "$admin" -n "$folder/w" param.show changed
shows out 'default_ttl                   7.000 [seconds]'
expect 1 "$admin" -n "$folder/w" nosuch
shows err 'Command failed with error code 101'
expect 1 "$admin" -n "$folder/w" param.set default_ttl x
shows out "(attempting to set param 'default_ttl' to 'x')"
shows err 'Command failed with error code 106'
expect 1 "$admin" -n "$folder/w" quit
shows err 'Command failed with error code 500'

expect 0 "$admin" -n "$folder/w" -p ping
grep -qE '^200 [0-9]+ +$' "$folder/out" || fail "no framing"
expect 0 sh -c "printf 'ping\nstatus' | $admin -n $folder/w"
shows out PONG
shows out 'Child in state running'
expect 0 sh -c "printf 'vcl.inline two << E\nvcl 4.1;\nbackend default none;\nE\nvcl.list\n' | $admin -n $folder/w"
shows out two

arg=$(cat "$folder"/w/_.vsm_mgt/_.Arg.* | tr '\0' '\n' | grep -E '^127\.0\.0\.1 [0-9]+$')
endpoint="127.0.0.1:${arg#* }"
expect 2 "$admin" -T "$endpoint" ping
shows err 'Authentication required'
echo wrong >"$folder/wrong"
expect 2 "$admin" -T "$endpoint" -S "$folder/wrong" ping
shows err Rejected
expect 2 "$admin" -T "$endpoint" -S "$folder/none" ping
shows err 'Cannot open'
expect 0 "$admin" -T "$endpoint" -S "$folder/w/_.secret" ping
expect 2 "$admin" -T 127.0.0.1:1 ping
shows err 'Connection failed (127.0.0.1:1): Connection refused'
expect 2 "$admin" -n "$folder/none" -t 0.3 ping
shows err 'Could not get hold of varnishd, is it running?'
expect 1 "$admin" -S "$folder/wrong" ping
shows err Usage
expect 1 "$admin" -n a -T b
expect 2 "$admin" -t abc ping
shows err '-t: Invalid argument: abc'
expect 0 "$admin" -h

if command -v script >/dev/null; then
    (sleep 1; printf 'stat\t\n'; sleep 1; printf 'quit\n'; sleep 1) |
        TERM=vt100 script -qec "$admin -n $folder/w" /dev/null >"$folder/out" 2>"$folder/err" || fail "the terminal"
    shows out 'varnish> '
    shows out "Type 'quit' to close CLI session."
    shows out 'Child in state running'
fi
kill $server_pid
wait $server_pid || :
server_pid=
echo ok
