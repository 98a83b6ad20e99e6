#!/bin/bash
# compare.sh PROGRAMS SERVER: a mixed load against SERVER (a varnishd: ours or the reference's), its log saved once, then our
# tools of the log beside the reference's: what they print must be the same, byte for byte, from the saved log and from shared
# memory.
. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
server=$2
[[ -x $server ]] || { echo "needs $server"; exit 77; }
need python3
reference=/usr/bin
for tool in varnishlog varnishncsa varnishtop varnishstat; do
    [[ -x $reference/$tool ]] || { echo "needs the reference's $tool"; exit 77; }
done

start_origin
port=$(free_port)
sed "s/%PORT%/$origin/" "$here/load.vcl" >"$WORK/load.vcl"

# vsl_mask shows what is hidden by default too; a small buffer cuts transactions into several batches. No pings: one that came
# between the two readings of a comparison would be a difference.
"$server" -F -n "$WORK/w" -a "127.0.0.1:$port" -f "$WORK/load.vcl" -p vsl_mask=+Hash,+Debug,+VfpAcct -p vsl_buffer=4k -p ping_interval=0 \
    >"$WORK/server.out" 2>&1 </dev/null &
started+=("$!")
until_true 20 "$reference/varnishadm" -n "$WORK/w" -t 1 ping || fail "the server does not start: $(cat "$WORK/server.out")"
until_true 20 bash -c ": </dev/tcp/127.0.0.1/$port" || fail "the server does not listen"
sleep 0.5 # that connection's records are not ours

"$reference/varnishlog" -n "$WORK/w" -g raw -w "$WORK/their.bin" 2>"$WORK/their.err" &
their=$!
"$PROGRAMS/varnishlog" -n "$WORK/w" -g raw -w "$WORK/our.bin" 2>"$WORK/our.err" &
our=$!
started+=("$their" "$our")
sleep 1
answers=$("$here/load.py" "$port" 500) || fail "the load failed"
((answers >= 450)) || fail "only $answers answers"
until_true 5 bash -c "'$reference/varnishlog' -n '$WORK/w' -d -g raw -i SessClose | grep -q REM_CLOSE"
sleep 1
"$reference/varnishlog" -n "$WORK/w" -d -q 'RespStatus == 200' -i RespStatus | grep -q 'RespStatus *200' ||
    fail "no request went well"
kill "$their" "$our"
wait "$their" "$our"

problems=0
# same TOOL ARGUMENT...: both tools, byte for byte.
same() {
    local tool=$1
    shift
    "$reference/$tool" "$@" >"$WORK/their.out" 2>"$WORK/their.err"
    local their_status=$?
    "$PROGRAMS/$tool" "$@" >"$WORK/our.out" 2>"$WORK/our.err"
    local our_status=$?
    # Ours tells markers in the cache apart, as the releases after the one compared with do.
    [[ $* == *Varnish:handling* ]] && sed -i 's/\bhitmiss\b/miss/g; s/\bhitpass\b/pass/g' "$WORK/our.out"
    if [[ $their_status != "$our_status" ]] || ! cmp -s "$WORK/their.out" "$WORK/our.out" ||
        ! cmp -s "$WORK/their.err" "$WORK/our.err"; then
        echo "DIFFERS ($their_status, $our_status): $tool $*"
        diff -a "$WORK/their.out" "$WORK/our.out" | head -10
        diff -a "$WORK/their.err" "$WORK/our.err" | head -5
        problems=$((problems + 1))
    fi
    lines=$(wc -l <"$WORK/our.out")
}
# same, and there is something to compare
some() {
    same "$@"
    ((lines > 0)) || { echo "EMPTY: $*"; problems=$((problems + 1)); }
}

. "$here/cases.sh"

((problems == 0)) || fail "$problems differences"
echo "ok"
