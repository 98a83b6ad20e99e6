#!/bin/bash
# living.sh PROGRAMS: long-running tools of the log: in the background with a process id file, rotated by HUP, flushed by USR1,
# over a worker that is killed and a manager that comes back; and the screens in a real terminal.
. "$(dirname "$0")/../lib.sh"
need curl
export VARNISHADM=$PROGRAMS/varnishadm
start_origin
port=$(free_port)
get() {
    curl -s --max-time 5 -o /dev/null "http://127.0.0.1:$port$1"
}
begin() {
    start w -a "127.0.0.1:$port" -b "127.0.0.1:$origin"
    until_true 20 get /warm || fail "no answer: $(cat "$WORK/w.err")"
}
begin

"$PROGRAMS/varnishncsa" -n "$WORK/w" -D -P "$WORK/ncsa.pid" -w "$WORK/ncsa.log" -F '%U %s' || fail "varnishncsa -D"
ncsa=$(cat "$WORK/ncsa.pid")
started+=("$ncsa")
"$PROGRAMS/varnishlog" -n "$WORK/w" -g request -i ReqURL,VSL >"$WORK/log" 2>"$WORK/log.err" &
log=$!
started+=("$log")
sleep 1
get /about
until_true 5 grep -q '^/about 200$' "$WORK/ncsa.log" || fail "varnishncsa wrote no line"
until_true 5 grep -q 'ReqURL *./about' "$WORK/log" || fail "varnishlog wrote no record"
"$PROGRAMS/varnishncsa" -n "$WORK/w" -D -P "$WORK/ncsa.pid" -w "$WORK/second.log" 2>/dev/null && fail "a second one with that id file"

mv "$WORK/ncsa.log" "$WORK/ncsa.old"
kill -HUP "$ncsa"
until_true 5 test -e "$WORK/ncsa.log" || fail "HUP opens no new file"
get /news
until_true 5 grep -q '^/news 200$' "$WORK/ncsa.log" || fail "no line after the rotation"
! grep -q /news "$WORK/ncsa.old" || fail "a line in the old file"

kill -USR1 "$log"
until_true 5 kill -0 "$log" || fail "USR1 ends varnishlog"

kill -KILL "$(worker_of w)"
until_true 20 running w || fail "no new worker"
until_true 20 grep -q 'Log reacquired' "$WORK/log.err" || fail "varnishlog does not follow: $(cat "$WORK/log.err")"
sleep 1
get /data.json
until_true 10 grep -q '^/data.json 200$' "$WORK/ncsa.log" || fail "no line after the worker's end"
until_true 10 grep -q 'ReqURL *./data.json' "$WORK/log" || fail "no record after the worker's end"

kill "$manager"
wait "$manager"
sleep 0.5
begin
sleep 1
get /picture.svg
until_true 10 grep -q '^/picture.svg 200$' "$WORK/ncsa.log" || fail "no line from the new manager"
kill "$ncsa" "$log"
until_true 5 bash -c "! kill -0 $ncsa" || fail "TERM does not end varnishncsa"
until_true 5 bash -c "! test -e '$WORK/ncsa.pid'" || fail "the process id file is left"


"$PROGRAMS/varnishstat" -n "$WORK/w" -f MAIN.uptime | grep -q '^MAIN.uptime ' || fail "varnishstat shows a screen to a file"

if command -v tmux >/dev/null; then
    terminal() { tmux -S "$WORK/tmux" "$@"; }
    trap 'terminal kill-server 2>/dev/null; clean_up' EXIT
    shows() { terminal capture-pane -p -t ":$1" | grep -qF -- "$2"; }
    export LC_ALL=C.UTF-8
    terminal -u new-session -d -x 130 -y 30 "$PROGRAMS/varnishstat -n $WORK/w"
    terminal new-window "$PROGRAMS/varnishtop -n $WORK/w"
    terminal new-window "$PROGRAMS/varnishhist -n $WORK/w"
    terminal new-window "$PROGRAMS/varnishtop -n $WORK/w -i ReqURL"
    until_true 10 shows 0 'Uptime child:' || fail "varnishstat draws nothing"
    until_true 10 shows 1 'list length' || fail "varnishtop draws nothing"
    until_true 10 shows 2 '|1e-6' || fail "varnishhist draws nothing"
    until_true 10 shows 3 'list length' || fail "varnishtop -i draws nothing"
    sleep 1
    for number in 1 2 3 4 5; do get "/about?$number"; done
    terminal send-keys -t :0 0
    until_true 10 shows 0 'MAIN.client_req' || fail "varnishstat shows no request"
    until_true 10 shows 1 'ReqMethod      GET' || fail "varnishtop shows no request"
    get '/about?q=straße&r=日本語😀' # curl codes only the path
    until_true 10 shows 3 'ReqURL         /about?q=straße&r=日本語😀' || fail "varnishtop does not show UTF-8"
    until_true 10 shows 2 'n = 6' || fail "varnishhist shows no request"
    terminal resize-window -t :0 -x 50 -y 8
    terminal resize-window -t :1 -x 30 -y 5
    terminal resize-window -t :2 -x 20 -y 5
    terminal resize-window -t :3 -x 46 -y 9 # within a wide character
    sleep 1.5
    until_true 5 shows 0 'Uptime mgt:' || fail "varnishstat does not survive a small screen"
    until_true 5 shows 3 '/about?q' || fail "varnishtop does not survive a small screen"
    terminal send-keys -t :0 h G v d
    sleep 0.5
    for window in 0 1 2 3; do
        terminal send-keys -t ":$window" h
        terminal send-keys -t ":$window" q
    done
    until_true 10 bash -c "! tmux -S '$WORK/tmux' list-sessions" || fail "q does not end a screen"
fi
echo "ok"
