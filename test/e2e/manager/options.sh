#!/bin/bash
# options.sh PROGRAMS: wrong command lines give the status and the first words that Debian's varnishd gives.
. "$(dirname "$0")/../lib.sh"
reference=/usr/sbin/varnishd
[[ -x $reference ]] || {
    echo "needs the varnish package"
    exit 77
}

count=0
# same ARGUMENT...: both programs, side by side.
same() {
    local ours theirs our_status their_status
    ours=$("$PROGRAMS/varnishd" "$@" 2>&1 >/dev/null </dev/null)
    our_status=$?
    theirs=$("$reference" "$@" 2>&1 >/dev/null </dev/null)
    their_status=$?
    [[ $our_status == "$their_status" ]] || fail "varnishd $*: status $our_status, the reference has $their_status"
    # getopt prints the program's path.
    ours=${ours//$PROGRAMS/} theirs=${theirs//\/usr\/sbin/}
    [[ $(head -2 <<<"$ours") == "$(head -2 <<<"$theirs")" ]] || fail "varnishd $*:
$(head -2 <<<"$ours")
the reference has:
$(head -2 <<<"$theirs")"
    ((++count))
}

n=$WORK/n
same
same -z
same -a
same foo -b x
same -d -F
same -b a -f b
same -C
same -F -C -b x
same -d -C -b x
same -V foo
same -F -V
same -x foo
same -x
same -x vsl foo
same -b x -I a -I b
same -F -b x -j foo
same -F -b x -j unix,user=no-such-user
same -F -b x -j none,x
same -F -b x -a "$WORK/no/such/folder"
same -F -b x -a 'a/b'
same -F -b x -a :80,FOO
same -F -b x -a :80,user=root
same -F -b x -a /x,mode=8
same -F -b 127.0.0.1 -s foo
same -F -b 127.0.0.1 -s malloc,1k
same -F -b 127.0.0.1 -s malloc,xx
same -F -b 127.0.0.1 -s malloc,1m,2
same -F -b 127.0.0.1 -s file
same -F -b 127.0.0.1 -s file,/no/such/file,1m
same -F -b 127.0.0.1 -s 'a b=malloc'
same -F -b 127.0.0.1 -s a=malloc -s a=malloc
same -F -b 127.0.0.1 -p foo
same -F -b 127.0.0.1 -p foo=1
same -F -b 127.0.0.1 -p default_ttl=foo
same -F -b 127.0.0.1 -t foo
same -F -b 127.0.0.1 -l 1k
same -F -b 127.0.0.1 -r foo
same -F -f "$WORK/none.vcl"
same -F -b 127.0.0.1 -I "$WORK/none"
same -F -b 127.0.0.1 -S "$WORK/none"
same -F -b 127.0.0.1 -n "$n" -a 127.0.0.1:0 -W foo
same -F -b 127.0.0.1 -n "$n" -a 127.0.0.1:0 -h foo
same -F -b 127.0.0.1 -n "$n" -a 127.0.0.1:0 -M 1:2:3:4
same -F -b 127.0.0.1 -n "$n" -a 127.0.0.1:1 -a 127.0.0.1:1
same --optstring

"$PROGRAMS/varnishd" '-?' >"$WORK/usage" 2>/dev/null
[[ $? == 2 ]] && grep -q "^Usage: varnishd \[options\]" "$WORK/usage" || fail "-?"
"$PROGRAMS/varnishd" -V 2>&1 | grep -q "^varnishd (varnish-7.1.1 revision " || fail "-V"
for what in parameter vsl cli builtin optstring; do
    [[ $("$PROGRAMS/varnishd" -x $what) != "" ]] || fail "-x $what"
done
"$PROGRAMS/varnishd" -F -b 127.0.0.1 -n "$WORK/no/such/folder" -a 127.0.0.1:0 >/dev/null 2>"$WORK/folder"
[[ $? == 2 ]] && grep -q "^Error: Cannot create working directory '$WORK/no/such/folder': No such file" "$WORK/folder" ||
    fail "-n: $(cat "$WORK/folder")"
"$PROGRAMS/varnishd" -E foo -b none 2>&1 | grep -q "^Error: -E is refused" || fail "-E"
"$PROGRAMS/varnishd" -C -f "$WORK/x" -w 1,2,3,4 2>&1 | grep -q "^Error: -w takes" || fail "-w"
echo "options: $count command lines agree with the reference"
