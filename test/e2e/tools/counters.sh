#!/bin/bash
# counters.sh PROGRAMS MANUAL: which counters our server and the reference's have, side by side: those that only the reference has
# are the ones that MANUAL lists as left out, those that only ours has are listed as added, and those that it lists as always 0 are 0
# after some requests.
. "$(dirname "$0")/../lib.sh"
manual=$2
[[ -x /usr/sbin/varnishd ]] || { echo "needs the reference's varnishd"; exit 77; }
need curl
export VARNISHADM=$PROGRAMS/varnishadm
cat >"$WORK/page.vcl" <<'END'
vcl 4.1;
import std;
import directors;
backend default none;
sub vcl_recv { return (synth(200)); }
END
# counters NAME PROGRAM: starts the server, asks it for some pages and lists its counters with their values.
counters() {
    local port manager
    port=$(free_port)
    "$2" -F -n "$WORK/$1" -a "127.0.0.1:$port" -f "$WORK/page.vcl" -s "store=malloc,10m" -s "disk=file,$WORK/$1.file,10m" \
        >"$WORK/$1.out" 2>&1 </dev/null &
    manager=$!
    started+=("$manager")
    until_true 60 curl -s -o /dev/null "http://127.0.0.1:$port/" || fail "$1 does not answer: $(cat "$WORK/$1.out")"
    for _ in 1 2 3 4 5; do curl -s -o /dev/null "http://127.0.0.1:$port/"; done
    until_true 5 bash -c "'$PROGRAMS/varnishstat' -n '$WORK/$1' -1 -f MAIN.vmods | grep -q ' 2 '" || fail "$1 does not count 2 modules"
    # Pools and loops have numbers.
    "$PROGRAMS/varnishstat" -n "$WORK/$1" -1 -I '*' | awk '{print $1, $2}' | sed -E 's/^(MEMPOOL\.[a-z]+)[0-9]+/\1/' |
        sort -u >"$WORK/$1.list"
    kill "$manager"
    wait "$manager"
}
counters ours "$PROGRAMS/varnishd"
counters reference /usr/sbin/varnishd
cut -d' ' -f1 "$WORK/ours.list" | sort -u >"$WORK/ours.names"
cut -d' ' -f1 "$WORK/reference.list" | sort -u >"$WORK/reference.names"

rows() { # of the tables, as patterns
    sed -nE "s/^\| \`([^\`]+)\` \| $1 \|.*/\1/p" "$manual"
}
comm -13 "$WORK/ours.names" "$WORK/reference.names" >"$WORK/missing"
rows 'left out' >"$WORK/rows"
(($(wc -l <"$WORK/rows") > 5)) || fail "no table in $manual"
told() { # COUNTER FILE: whether a pattern in the file stands for it
    local pattern
    while read -r pattern; do
        # shellcheck disable=SC2053
        [[ $1 == $pattern ]] && return 0
    done <"$2"
    return 1
}
rows added >"$WORK/added"
while read -r counter; do
    told "$counter" "$WORK/added" || fail "the table does not tell that the reference has no $counter"
done < <(comm -23 "$WORK/ours.names" "$WORK/reference.names")
while read -r counter; do
    told "$counter" "$WORK/rows" || fail "the table does not tell that $counter is left out"
done <"$WORK/missing"
while read -r pattern; do
    found=false
    while read -r counter; do
        # shellcheck disable=SC2053
        [[ $counter == $pattern ]] && found=true
    done <"$WORK/missing"
    $found || fail "$pattern is not left out, or the reference has none"
done <"$WORK/rows"

rows 'always 0' >"$WORK/idle"
while read -r counter value; do
    ! told "$counter" "$WORK/idle" || ((value == 0)) || fail "$counter is $value"
done <"$WORK/ours.list"
echo "ok"
