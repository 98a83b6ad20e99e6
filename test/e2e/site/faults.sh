#!/bin/bash
# faults.sh PROGRAMS: what clients see when the worker is killed under load, when the origin dies, and when a small store is filled.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/lib.sh"
need varnishadm
need wrk

origin=$(free_port)
"$PROGRAMS/demo-origin" --port "$origin" >"$WORK/origin.out" 2>&1 &
demo=$!
started+=("$demo")
until_true 10 curl -s -o /dev/null "http://127.0.0.1:$origin/" || fail "demo-origin does not start"

http=$(free_port)
start a -a "127.0.0.1:$http" -b "127.0.0.1:$origin" -s malloc,16m -p default_grace=20
until_true 20 curl -s -o /dev/null "http://127.0.0.1:$http/" || fail "does not start: $(cat "$WORK/a.err")"

# A worker that is killed: the listening socket stays, and the next worker serves within a second.
wrk -t1 -c20 -d6s "http://127.0.0.1:$http/bytes/1024" >"$WORK/wrk.out" 2>&1 &
load=$!
sleep 1.5
kill -9 "$(worker_of a)"
before=$(date +%s%N)
curl -sS --retry 3 --retry-delay 0 --max-time 5 -o /dev/null "http://127.0.0.1:$http/bytes/1024" || fail "not served after SIGKILL"
took=$((($(date +%s%N) - before) / 1000000))
((took < 1000)) || [[ -n ${CLEARCOAT_SANITIZED:-} ]] || fail "served again only after $took ms"
wait "$load" || fail "wrk: $(cat "$WORK/wrk.out")"
! grep -q "connect [1-9]" "$WORK/wrk.out" || fail "connections were refused: $(cat "$WORK/wrk.out")"
echo "faults: served again $took ms after SIGKILL"

# A dead origin: stale content within grace, then 503.
admin a param.set default_grace 4 >/dev/null
get "http://127.0.0.1:$http/bytes/100?cache-control=max-age=1"
kill "$demo"
wait "$demo" 2>/dev/null
sleep 1.5
get "http://127.0.0.1:$http/bytes/100?cache-control=max-age=1"
[[ $head == HTTP/1.1\ 200* ]] || fail "no stale content within grace: $head"
sleep 5
get "http://127.0.0.1:$http/bytes/100?cache-control=max-age=1"
[[ $head == HTTP/1.1\ 503* ]] || fail "not 503 after grace: $head"

# A store that is filled ten times over keeps to its size.
"$PROGRAMS/demo-origin" --port "$origin" >"$WORK/origin.out" 2>&1 &
started+=($!)
until_true 10 curl -s -o /dev/null "http://127.0.0.1:$origin/" || fail "demo-origin does not start again"
worker=$(worker_of a)
# Memory of its own, KB: the log in shared memory has a size of its own (vsl_space).
resident() { awk '/^RssAnon:/{print $2}' "/proc/$worker/status"; }
seq -f "url = \"http://127.0.0.1:$http/bytes/65536?n=%g\"" 2560 | sed 'a output = "/dev/null"' >"$WORK/urls"
curl -sS -K "$WORK/urls" || fail "a fetch failed while the store was filled"
used=$(resident)
((used < (16 + 64) * 1024)) || [[ -n ${CLEARCOAT_SANITIZED:-} ]] || fail "$used KB in memory with a store of 16 MB"
get "http://127.0.0.1:$http/bytes/65536?n=2560"
[[ $(field X-Varnish) =~ ^[0-9]+\ [0-9]+$ ]] || fail "the youngest object is no hit"
nuked=$(varnishstat -n "$WORK/a" -1 -f MAIN.n_lru_nuked | awk '{print $2}')
((nuked > 1000)) || fail "only $nuked objects were evicted"
echo "faults: $used KB in memory after 160 MB through a store of 16 MB, $nuked objects evicted"
