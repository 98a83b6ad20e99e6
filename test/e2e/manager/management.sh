#!/bin/bash
# management.sh PROGRAMS: -T over IPv4 and IPv6 with the right and a wrong secret, -S none, -I, stdin.
. "$(dirname "$0")/../lib.sh"
need varnishadm

echo "a secret" >"$WORK/secret"
echo "another" >"$WORK/wrong"
start a -a 127.0.0.1:0 -b none -T 127.0.0.1:0 -T '[::1]:0' -S "$WORK/secret"
until_true 40 running a || fail "does not start: $(cat "$WORK/a.err")"

# The manager tells its addresses in shared memory; there are two.
mapfile -t addresses < <(cat "$WORK"/a/_.vsm_mgt/_.Arg.* | tr '\0' '\n' | grep -E '^(127\.0\.0\.1|::1) [0-9]+$')
[[ ${#addresses[@]} == 2 ]] || fail "addresses: ${addresses[*]}"
for address in "${addresses[@]}"; do
    host=${address% *} port=${address#* }
    [[ $host == ::1 ]] && host="[$host]"
    varnishadm -T "$host:$port" -S "$WORK/secret" status | grep -q running || fail "$host: the right secret is refused"
    varnishadm -T "$host:$port" -S "$WORK/wrong" status >/dev/null 2>&1 && fail "$host: a wrong secret is accepted"
done
grep -q "CLI Authentication failure from telnet" "$WORK/a.err" || fail "no word about the wrong secret"

port=${addresses[0]#* }
[[ ${addresses[0]} == 127* ]] || port=${addresses[1]#* }
exec 3<>"/dev/tcp/127.0.0.1/$port"
IFS= read -r line <&3
[[ $line == "107 59      " ]] || fail "greeting: $line"
printf 'status\n' >&3
reply=$(timeout 5 cat <&3)
exec 3>&-
grep -q "^101 " <<<"$reply" || fail "unauthenticated commands: $reply"

# Long answers are cut at cli_limit, and a here-document carries a VCL.
admin a param.set cli_limit 128 >/dev/null || fail "param.set"
admin a param.show >/dev/null 2>&1
admin a param.reset cli_limit >/dev/null || fail "param.reset"
admin a vcl.inline v2 '"vcl 4.1; backend default none;"' >/dev/null || fail "vcl.inline"
admin a vcl.use v2 >/dev/null || fail "vcl.use"
admin a vcl.discard boot >/dev/null || fail "vcl.discard"
admin a vcl.list | grep -q '^active .* v2$' || fail "vcl.list"
admin a vcl.show v2 | grep -q 'backend default none' || fail "vcl.show"

start b -a 127.0.0.1:0 -b none -T 127.0.0.1:0 -S none
until_true 40 grep -q "Child launched OK" "$WORK/b.err" || fail "-S none does not start"
grep -q "CLI authentication disabled" "$WORK/b.err" || fail "no warning of -S none"

printf 'vcl.inline v1 << EOV\nvcl 4.1;\nbackend default none;\nEOV\nvcl.use v1\n-nonsense\n' >"$WORK/commands"
start c -a 127.0.0.1:0 -f '' -I "$WORK/commands"
until_true 40 running c || fail "-I does not load: $(cat "$WORK/c.err")"
grep -q "END of -I file processing" "$WORK/c.err" || fail "-I does not end"
printf 'nonsense\n' >"$WORK/commands"
"$PROGRAMS/varnishd" -F -n "$WORK/x" -a 127.0.0.1:0 -f '' -I "$WORK/commands" >/dev/null 2>"$WORK/x.err"
[[ $? == 2 ]] || fail "a failing -I is no error"
grep -q "I file CLI command failed (101)" "$WORK/x.err" || fail "wrong words: $(cat "$WORK/x.err")"

output=$(printf 'start\nstatus\n' | "$PROGRAMS/varnishd" -d -n "$WORK/d" -a 127.0.0.1:0 -b none 2>/dev/null)
[[ $? == 0 ]] || fail "-d does not end well"
grep -q "Child in state running" <<<"$output" || fail "-d: $output"
echo "management: all right"
