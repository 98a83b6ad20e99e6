#!/bin/bash
# layout.sh PROGRAMS: the log laid out for readers of 64-bit numbers (vsl_layout=2): our tools on it, live and saved, beside a
# reader that knows that layout alone; and a worker with the other layout that takes over while a tool runs.
. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
need curl
need python3
export VARNISHADM=$PROGRAMS/varnishadm
start_origin
port=$(free_port)
cat >"$WORK/pages.vcl" <<END
vcl 4.1;
backend default { .host = "127.0.0.1"; .port = "$origin"; }
sub vcl_recv { if (req.url == "/page") { return (synth(200)); } }
sub vcl_backend_response { set beresp.do_esi = bereq.url == "/echo"; }
END
get() {
    curl -s --max-time 5 -o /dev/null "${@:2}" "http://127.0.0.1:$port$1" || fail "no answer for $1"
}
start w -a "127.0.0.1:$port" -f "$WORK/pages.vcl" -p vsl_layout=2 -p ping_interval=0
until_true 20 curl -s -o /dev/null "http://127.0.0.1:$port/warm" || fail "no answer: $(cat "$WORK/w.err")"

"$PROGRAMS/varnishlog" -n "$WORK/w" -g request -w "$WORK/kept.vsl" 2>"$WORK/log.err" &
log=$!
started+=("$log")
until_true 5 test -s "$WORK/kept.vsl" || fail "no mark in the saved log"
[[ $(head -c 4 "$WORK/kept.vsl") == VSL2 ]] || fail "the saved log has another mark"
admin w debug.xid 8000000000 >/dev/null || fail "debug.xid"
get /about
get /page
get /echo -d "<esi:include src='/about'/>"
get /about
until_true 5 bash -c "'$PROGRAMS/varnishncsa' -n '$WORK/w' -d -F %U | tail -4 | tr '\n' ' ' | grep -qx '/about /page /echo /about '" ||
    fail "from varnishncsa: $("$PROGRAMS/varnishncsa" -n "$WORK/w" -d -F %U)"
"$PROGRAMS/varnishlog" -n "$WORK/w" -d -q 'ReqURL eq "/about" and Begin ~ "esi 1"' -g vxid -c -E >"$WORK/esi.out"
grep -q 'Begin *req 80000000[0-9]* esi 1$' "$WORK/esi.out" || fail "an include's Begin does not tell the level"
"$PROGRAMS/varnishlog" -n "$WORK/w" -d -g request -q 'ReqURL eq "/echo"' >"$WORK/echo.out"
grep -q '^\*\*\* *<< BeReq *>> 80000000' "$WORK/echo.out" || grep -q '^\*\* *<< Request *>> 80000000' "$WORK/echo.out" ||
    fail "the include is not grouped with its page"

tags=CLI,SessOpen,SessClose,BackendOpen,BackendClose,Length,ReqURL,RespStatus,BereqURL,TTL,VCL_call,ReqStart,Link,Begin,End
tags+=,Timestamp,ReqAcct,BereqAcct,VCL_use
sleep 0.3 # the last records are on their way
"$here/wide_reader.py" "$WORK/w" >"$WORK/plain.out" || fail "the reader of the wide layout alone"
"$PROGRAMS/varnishlog" -n "$WORK/w" -d -g raw -i "$tags" >"$WORK/raw.out"
(($(grep -c End "$WORK/raw.out") >= 8)) || fail "few records: $(cat "$WORK/raw.out")"
# Any command meanwhile would be a record that one of them alone has.
diff "$WORK/plain.out" "$WORK/raw.out" || fail "two readers see different records"

admin w param.set vsl_layout 1 >/dev/null || fail "param.set"
admin w stop >/dev/null && admin w start >/dev/null || fail "the worker does not come again"
until_true 10 grep -q 'Log reacquired' "$WORK/log.err" || fail "varnishlog does not follow: $(cat "$WORK/log.err")"
get /news
"$here/wide_reader.py" "$WORK/w" >/dev/null 2>&1 && fail "the layout is still the wide one"
until_true 5 bash -c "'$PROGRAMS/varnishncsa' -r '$WORK/kept.vsl' | grep -q /news" || fail "the new worker's records are not kept"
kill "$log"
wait "$log"
# What a file holds has the layout of its mark, whoever wrote the records.
"$PROGRAMS/varnishncsa" -r "$WORK/kept.vsl" -F '%U' >"$WORK/urls.out" || fail "varnishncsa -r"
[[ $(tr '\n' ' ' <"$WORK/urls.out") == *"/about /page /echo /about /news " ]] || fail "from the saved log: $(cat "$WORK/urls.out")"
"$PROGRAMS/varnishlog" -r "$WORK/kept.vsl" -g raw -w "$WORK/again.vsl" || fail "varnishlog -r -w"
[[ $(head -c 4 "$WORK/again.vsl") == VSL2 ]] || fail "the copy has another mark"
python3 - "$WORK/kept.vsl" <<'END' || fail "a record without a version in the saved log"
import struct, sys
log = open(sys.argv[1], "rb").read()
at = 4
while at < len(log):
    head = struct.unpack_from("=I", log, at)[0]
    assert head >> 16 & 3 == 1, at
    at += 12 + ((head & 0xffff) + 3) // 4 * 4
assert at == len(log)
END
echo "ok"
