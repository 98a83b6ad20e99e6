#!/bin/bash
# instance.sh PROGRAMS: pid files, the lock against a second instance, signals, the background.
. "$(dirname "$0")/../lib.sh"
need varnishadm

start a -a 127.0.0.1:0 -b none -P "$WORK/a.pid"
until_true 40 running a || fail "does not start: $(cat "$WORK/a.err")"
[[ $(cat "$WORK/a.pid") == "$manager" && $(cat "$WORK/a/_.pid") == "$manager" ]] || fail "wrong pid files"

"$PROGRAMS/varnishd" -F -n "$WORK/a" -a 127.0.0.1:0 -b none >/dev/null 2>"$WORK/second" && fail "a second instance runs"
[[ $? == 2 ]] || fail "wrong status for a second instance"
grep -q "^Error: Varnishd is already running (pid=$manager) (pidfile=$WORK/a/_.pid)$" "$WORK/second" ||
    fail "wrong words: $(cat "$WORK/second")"
"$PROGRAMS/varnishd" -F -n "$WORK/b" -a 127.0.0.1:0 -b none -P "$WORK/a.pid" >/dev/null 2>&1
[[ $? == 2 ]] || fail "a pid file in use is no error"
running a || fail "the first instance was disturbed"

port=$(admin a debug.listen_address | awk '{print $3}')
"$PROGRAMS/varnishd" -F -n "$WORK/b" -a "127.0.0.1:$port" -b none >/dev/null 2>"$WORK/port" && fail "a port in use is taken"
grep -q "Could not get socket 127.0.0.1:$port: Address already in use" "$WORK/port" || fail "wrong words: $(cat "$WORK/port")"

worker=$(worker_of a)
kill -TERM "$manager"
wait "$manager"
[[ $? == 0 ]] || fail "SIGTERM does not end with status 0"
grep -q "Manager got SIGTERM from PID $$\$" "$WORK/a.err" || fail "the signal's sender is not told"
kill -0 "$worker" 2>/dev/null && fail "the worker outlives its manager"
[[ ! -e $WORK/a.pid ]] || fail "the pid file is left"

start a -a 127.0.0.1:0 -b none
until_true 40 running a || fail "does not start again"
kill -INT "$manager"
wait "$manager"
[[ $? == 0 ]] || fail "SIGINT does not end with status 0"

start a -a 127.0.0.1:0 -b none
until_true 40 running a
worker=$(worker_of a)
kill -9 "$manager"
wait "$manager" 2>/dev/null
until_true 30 bash -c "! kill -0 $worker" || fail "the worker outlives a killed manager"

"$PROGRAMS/varnishd" -n "$WORK/d" -a 127.0.0.1:0 -b none -P "$WORK/d.pid" </dev/null >/dev/null 2>"$WORK/d.err" ||
    fail "does not go into the background: $(cat "$WORK/d.err")"
daemon=$(cat "$WORK/d.pid")
started+=("$daemon")
running d || fail "the parent did not wait for the start"
kill "$daemon"
until_true 30 bash -c "! kill -0 $daemon" || fail "the daemon does not end"
"$PROGRAMS/varnishd" -n "$WORK/e" -a 127.0.0.1:0 -b none -s nonsense </dev/null >/dev/null 2>&1 && fail "a wrong daemon starts"
"$PROGRAMS/varnishd" -C -b none >/dev/null 2>&1 || fail "-C refuses a good VCL"
echo 'vcl 4.1; backend x { .host = ; }' >"$WORK/bad.vcl"
"$PROGRAMS/varnishd" -C -f "$WORK/bad.vcl" >/dev/null 2>"$WORK/bad"
[[ $? == 2 ]] || fail "-C accepts a bad VCL"

# The room of a storage file is taken at the start, whatever the file system.
for folder in "$WORK" /dev/shm; do
    file=$folder/clearcoat-storage-$$
    start f -a 127.0.0.1:0 -b none -s "file,$file,4m"
    until_true 40 running f || fail "does not start with $file: $(cat "$WORK/f.err")"
    blocks=$(stat -c %b "$file")
    kill "$manager"
    wait "$manager"
    rm -f "$file"
    ((blocks * 512 >= 4 << 20)) || fail "only $blocks blocks are reserved for $file"
done

# The environment names the instance where -n does not.
VARNISH_DEFAULT_N=$WORK/env "$PROGRAMS/varnishd" -F -a 127.0.0.1:0 -b none >/dev/null 2>"$WORK/env.err" </dev/null &
manager=$!
started+=("$manager")
VARNISHADM=$PROGRAMS/varnishadm until_true 40 running env || fail "does not start in the environment's folder"
export VARNISH_DEFAULT_N=$WORK/env
"$PROGRAMS/varnishadm" ping >/dev/null || fail "varnishadm overlooks the environment"
"$PROGRAMS/varnishstat" -1 -f MGT.uptime | grep -q uptime || fail "varnishstat overlooks the environment"
"$PROGRAMS/varnishlog" -d -g raw >/dev/null || fail "varnishlog overlooks the environment"
"$PROGRAMS/varnishstat" -1 -t 0.1 -n "$WORK/nobody" >/dev/null 2>&1 && fail "the environment overrules -n"
unset VARNISH_DEFAULT_N

# The jail of Linux: huge pages are off in the worker, and a work folder on a disk is told.
if ((EUID == 0)) && id varnish >/dev/null 2>&1; then
    start l -j linux -a 127.0.0.1:0 -b none
    until_true 40 running l || fail "does not start with -j linux: $(cat "$WORK/l.err")"
    grep -q '^THP_enabled:[[:space:]]*0$' "/proc/$(worker_of l)/status" || fail "huge pages are on in the worker"
    [[ $(stat -f -c %T "$WORK") == tmpfs ]] && expected=0 || expected=1
    [[ $(grep -c "not mounted on tmpfs" "$WORK/l.err") == "$expected" ]] || fail "wrong word on the work folder: $(cat "$WORK/l.err")"
fi
echo "instance: all right"
