#!/bin/bash
# supervision.sh PROGRAMS: the worker's deaths, stops and starts, as varnishadm sees them.
. "$(dirname "$0")/../lib.sh"
need varnishadm

start a -a 127.0.0.1:0 -b none
until_true 40 running a || fail "does not start: $(cat "$WORK/a.err")"
first=$(worker_of a)

kill -9 "$first"
until_true 30 bash -c "! kill -0 $first"
until_true 30 running a || fail "no new worker after SIGKILL"
second=$(worker_of a)
[[ -n $second && $second != "$first" ]] || fail "the worker is still $first"
grep -q "Child ($first) died signal=9" "$WORK/a.err" || fail "no obituary"
grep -q "Child ($second) Started" "$WORK/a.err" || fail "no birth notice"

admin a panic.show >/dev/null 2>&1 && fail "SIGKILL is no panic"
admin a debug.panic.worker >/dev/null 2>&1
until_true 30 admin a panic.show || fail "the panic was not kept"
admin a panic.show | grep -q "You asked for it" || fail "the panic lost its text"
admin a panic.show -j | grep -q '"panic.show", "-j"' || fail "no JSON of a panic"
until_true 30 running a || fail "no new worker after a panic"
admin a panic.clear >/dev/null || fail "panic.clear fails"
admin a panic.show >/dev/null 2>&1 && fail "the panic was not cleared"

admin a stop >/dev/null || fail "stop fails"
admin a status | grep -q "Child in state stopped" || fail "stop does not stop"
admin a stop >/dev/null 2>&1 && fail "stop twice"
admin a ban req.url == / 2>&1 | grep -q "child not running" || fail "a worker's command without a worker"
admin a start >/dev/null || fail "start fails"
running a || fail "start does not start"
[[ -z $(admin a param.set auto_restart off) ]] || fail "param.set says something"
kill -9 "$(worker_of a)"
until_true 30 bash -c "'${VARNISHADM:-varnishadm}' -n '$WORK/a' status | grep -q stopped" ||
    fail "auto_restart=off does not hold"

kill "$manager"
wait "$manager"
status=$?
# The bit says that a worker was killed, as in the reference.
[[ $status == 64 ]] || fail "exit status $status, not 64"
[[ ! -e $WORK/a/_.pid && ! -e $WORK/a/_.secret && ! -e $WORK/a/_.vsm_mgt ]] || fail "files are left: $(ls -a "$WORK/a")"
echo "supervision: all right"
