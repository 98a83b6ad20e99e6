#!/bin/bash
# unended.sh PROGRAMS: a worker that is stopped while a fetch waits for a connection that never comes ends in order.
. "$(dirname "$0")/../lib.sh"
need varnishadm
need curl
need python3

# A listener with a full queue: the kernel leaves further connections to it unanswered.
python3 - >"$WORK/port" <<'END' &
import socket, time
s = socket.socket()
s.bind(("127.0.0.1", 0))
s.listen(0)
clients = [socket.socket() for _ in range(3)]
for c in clients:
    c.setblocking(False)
    c.connect_ex(s.getsockname())
print(s.getsockname()[1], flush=True)
time.sleep(120)
END
started+=($!)
until_true 10 test -s "$WORK/port" || fail "no listener"

start a -a "127.0.0.1:0" -b "127.0.0.1:$(cat "$WORK/port")" -p connect_timeout=100
until_true 40 running a || fail "does not start: $(cat "$WORK/a.err")"
url=http://$(admin a debug.listen_address | awk 'NF == 3 {print $2 ":" $3}')/
curl -s -o /dev/null --max-time 60 "$url" &
started+=($!)
until_true 10 bash -c "varnishstat -n '$WORK/a' -1 -f MAIN.client_req | grep -q ' 1 '" || fail "the request did not come"
sleep 0.5
admin a -t 40 stop >/dev/null || fail "stop fails"
admin a panic.show >/dev/null 2>&1 && fail "stopping was a panic: $(admin a panic.show)"
! grep -q " died " "$WORK/a.err" || fail "the worker died: $(cat "$WORK/a.err")"
echo "unended: all right"
