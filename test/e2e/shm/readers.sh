#!/bin/sh
# The reference's own readers attach to what lib/shm writes: everything at once, and following four threads over many
# wraps of a small ring.
set -eu

writer=$1
for tool in varnishlog varnishncsa varnishstat varnishtop; do
    command -v $tool >/dev/null || { echo "$tool is not installed"; exit 77; }
done
folder=$(mktemp -d)
pids=
trap 'for p in $pids; do kill $p 2>/dev/null || :; done; rm -rf "$folder"' EXIT

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

wait_for() { # pattern file
    n=0
    until grep -q "$1" "$2"; do
        n=$((n + 1))
        [ $n -lt 600 ] || fail "no '$1' in $2"
        sleep 0.1
    done
}

start_writer() {
    rm -f "$folder/in"
    mkfifo "$folder/in"
    "$writer" "$folder/w" "$@" <"$folder/in" >"$folder/out" &
    writer_pid=$!
    pids="$pids $writer_pid"
    exec 9>"$folder/in"
    wait_for ready "$folder/out"
}

stop_writer() {
    exec 9>&-
    wait $writer_pid || fail "the writer ended with $?"
}

mkdir "$folder/w"
start_writer 3 83886080 1 0
echo >&9
wait_for written "$folder/out"

varnishlog -n "$folder/w" -d -g raw >"$folder/log"
[ "$(wc -l <"$folder/log")" = 40 ] || fail "varnishlog shows other than 40 records"
grep -q '^         0 CLI            - Rd ping$' "$folder/log" || fail "no CLI record"
grep -q '^         4 ReqURL         c /1$' "$folder/log" || fail "no ReqURL record"
! grep -q Hash "$folder/log" || fail "a masked record"
varnishlog -n "$folder/w" -d -g request -q 'ReqURL eq "/2"' >"$folder/log"
grep -q '<< Request  >> 6' "$folder/log" || fail "varnishlog does not find the request"
[ "$(varnishncsa -n "$folder/w" -d | tail -1)" = \
  '127.0.0.1 - - [14/Nov/2023:22:13:22 +0000] "GET http://example.com/2 HTTP/1.1" 200 30 "-" "-"' ] ||
    fail "varnishncsa prints another line"
varnishtop -n "$folder/w" -1 -d -i ReqMethod >"$folder/top"
grep -q '3.00 ReqMethod GET' "$folder/top" || fail "varnishtop counts otherwise"
varnishstat -n "$folder/w" -1 >"$folder/stat"
for line in 'MGT.uptime  *17' 'MAIN.cache_hit  *42' 'MAIN.shm_records  *40' 'SMA.s0.g_space  *1048576' \
    'VBE.boot.default.happy  *5'; do
    grep -q "^$line " "$folder/stat" || fail "varnishstat has no $line"
done
! grep -q VBE.old "$folder/stat" || fail "a segment that is gone"
[ "$(grep -c '^MAIN\.' "$folder/stat")" = 146 ] || fail "varnishstat does not know all counters"
varnishstat -n "$folder/w" -j | grep -q '"MAIN.uptime": {' || fail "varnishstat -j"
stop_writer

# 4 threads, 5000 requests each: about 7 MB over a ring of 1 MB.
start_writer 5000 1048576 4 8000
varnishlog -n "$folder/w" -g vxid -i ReqURL,End >"$folder/log" 2>"$folder/err" &
reader=$!
pids="$pids $reader"
sleep 1
echo >&9
wait_for written "$folder/out"
sleep 2
kill $reader || fail "the reader ended: $(cat "$folder/err")"
wait $reader || :
[ "$(grep -c '^-   End' "$folder/log")" = 20000 ] || {
    grep -v '^[*-] ' "$folder/log" | sort | uniq -c | sort -n | tail -5 >&2
    fail "followed $(grep -c '^-   End' "$folder/log") of 20000 transactions"
}
stop_writer
echo "ok"
