# The comparisons of compare.sh: sourced by it.
saved=$WORK/their.bin

# What both saved must be the same log: the reference reads ours as its own.
"$reference/varnishlog" -r "$WORK/their.bin" -g raw -x CLI >"$WORK/a" 2>/dev/null
"$reference/varnishlog" -r "$WORK/our.bin" -g raw -x CLI >"$WORK/b" 2>/dev/null
cmp -s "$WORK/a" "$WORK/b" || { echo "the saved logs differ"; diff "$WORK/a" "$WORK/b" | head; problems=$((problems + 1)); }

for grouping in raw vxid request session; do
    some varnishlog -r "$saved" -g "$grouping"
    some varnishlog -n "$WORK/w" -d -g "$grouping"
    some varnishlog -r "$saved" -g "$grouping" -c
    some varnishlog -r "$saved" -g "$grouping" -b
    same varnishlog -r "$saved" -g "$grouping" -b -c
    some varnishlog -r "$saved" -g "$grouping" -E
    some varnishlog -r "$saved" -g "$grouping" -v
    some varnishlog -r "$saved" -g "$grouping" -i 'Req*,Begin'
    some varnishlog -r "$saved" -g "$grouping" -x 'Timestamp,*Header' -X 'VCL_call:^(HIT|DELIVER)'
    some varnishlog -r "$saved" -g "$grouping" -C -I 'ReqHeader:^user-agent'
    same varnishlog -r "$saved" -g "$grouping" -I 'ReqURL:/about$'
    some varnishlog -r "$saved" -g "$grouping" -k 7
    some varnishlog -r "$saved" -g "$grouping" -q 'ReqURL ~ "^/news"'
    some varnishlog -r "$saved" -g "$grouping" -L 3
    some varnishlog -r "$saved" -g "$grouping" -L 1
done
cat "$saved" | "$reference/varnishlog" -r - -g request >"$WORK/a"
cat "$saved" | "$PROGRAMS/varnishlog" -r - -g request >"$WORK/b"
cmp -s "$WORK/a" "$WORK/b" || { echo "from a pipe it differs"; problems=$((problems + 1)); }
head -c 50001 "$saved" >"$WORK/cut.bin"
"$reference/varnishlog" -r "$WORK/cut.bin" -g request >"$WORK/a" 2>/dev/null
"$PROGRAMS/varnishlog" -r "$WORK/cut.bin" -g request >"$WORK/b" 2>/dev/null
cmp -s "$WORK/a" "$WORK/b" || { echo "from a cut file it differs"; problems=$((problems + 1)); }

queries=(
    'RespStatus >= 500' 'RespStatus == 200 and not VCL_call eq HIT' 'ReqURL eq "/about" or BereqURL eq "/about"'
    'Timestamp:Process[2] > 0.0' 'Timestamp:Resp[3] < 10' 'ReqHeader:user-agent ~ "load/1"' 'ReqHeader:User-Agent[1] ~ load'
    'ReqHeader:user-agent[2] eq "quoted"' '{1}ReqMethod eq "GET"' '{2+}BereqURL' '{1-}RespStatus != 200' 'vxid == 2'
    'vxid < 50' 'Req*:host ~ example' 'VSL or FetchError' 'not Hit' '(ReqMethod ne GET or BogoHeader) and ReqURL !~ "x"'
    'ReqAcct[5] > 200' 'Hit[1] >= 1 and Hit[2] > 0' 'RespStatus == 200.0' 'SessClose[1] eq REM_CLOSE' 'Link[3] eq restart'
    $'ReqURL eq "/"\nReqURL eq "/about" # or this' 'Begin[3] eq esi or End' 'VCL_Log:shop ~ basket' 'TTL[2] > 1 and TTL[1] eq RFC'
)
for query in "${queries[@]}"; do
    for grouping in raw vxid request session; do
        same varnishlog -r "$saved" -g "$grouping" -q "$query"
    done
done
printf 'RespStatus == 404\n\nRespStatus == 418\n' >"$WORK/query"
some varnishlog -r "$saved" -Q "$WORK/query" -q 'ReqMethod eq PURGE'
some varnishlog -r "$saved" -C -q 'ReqMethod eq get'
same varnishlog -q 'ReqURL ~ "(["'
same varnishlog -i nothing
same varnishlog -g r

# Grouped binary output, and text into a file.
for tools in "$reference" "$PROGRAMS"; do
    "$tools/varnishlog" -r "$saved" -g request -q 'RespStatus == 404' -i ReqURL -w "$WORK/part.bin"
    "$tools/varnishlog" -r "$saved" -a -A -w "$WORK/part.txt" -i ReqURL
    cat "$WORK/part.bin" "$WORK/part.txt" >"$WORK/part.${tools//\//_}"
    rm "$WORK/part.bin" "$WORK/part.txt"
done
cmp -s "$WORK/part.${reference//\//_}" "$WORK/part.${PROGRAMS//\//_}" || { echo "written files differ"; problems=$((problems + 1)); }

formats=(
    '%b %D %H %h %I %{baz}i %l %m %{Age}o %O %q %s %t %{%Y}t %T %{ms}T %{us}T %{s}T %U %u'
    '%{sec}t %{msec}t %{usec}t %{msec_frac}t %{usec_frac}t %{usecx}t {%{{%F}T{%T}}t} \t\n\"%%' '%{User-Agent}i|%{x-quote}o|%{X-Cache}o'
    '%{Varnish:time_firstbyte}x %{Varnish:hitmiss}x %{Varnish:handling}x %{Varnish:side}x %{Varnish:vxid}x %{VCL_Log:shop}x'
    '%{VSL:Timestamp:Process[2]}x %{VSL:Begin[3]}x %{VSL:ReqHeader:host}x %{VSL:Hit}x %{VSL:ReqAcct[9]}x %{VSL:SessOpen}x'
    '{"url": "%U", "agent": "%{User-Agent}i", "bytes": %b, "referer": "%{Referer}i"}' 'plain text' '%r' ''
)
for format in "${formats[@]}"; do
    for side in -c -b '-b -c' -E; do
        for grouping in vxid request; do
            same varnishncsa -r "$saved" $side -g "$grouping" -F "${format//%%/}"
        done
    done
    same varnishncsa -r "$saved" -j -F "${format//%%/}"
done
some varnishncsa -r "$saved"
some varnishncsa -n "$WORK/w" -d
some varnishncsa -r "$saved" -q 'RespStatus >= 400'
same varnishncsa -r "$saved" -j -F '%{VSL:HttpGarbage}x|%{VSL:Debug}x|%{VSL:Hash[2]}x'
echo '%h %s %U' >"$WORK/format"
some varnishncsa -r "$saved" -f "$WORK/format"
TZ=Asia/Kolkata some varnishncsa -r "$saved"
for wrong in '%' '%A' '%{foo}A' '%{foo' '%{foo}x' '%{VSL:}x' '%{VSL:nonexistent}x' '%{VSL:Req}x' '%{VSL:Begin[}x' '%{VSL:Begin]}x' \
    '%{VSL:Begin[a}x' '%{VSL:Begin[a]}x' '%{VSL:Begin[0]}x' '%{VSL:Begin[999]}x' '%{VSL:Debug}x' '%{x}T' '%{VSL:[1]}x'; do
    same varnishncsa -r "$saved" -F "$wrong"
done
[[ $("$PROGRAMS/varnishncsa" -r "$saved" -k 3 -q ReqURL | wc -l) == 3 ]] || { echo "-k 3 is not 3 lines"; problems=$((problems + 1)); }
same varnishncsa -g session
same varnishncsa -f /nonexistent/file
same varnishncsa -f /dev/null
same varnishncsa -D
same varnishncsa -F a -f b
same varnishncsa -w /nonexistent/file

# Counters move while we look, so their digits are masked.
same_shape() {
    local tool=$1
    shift
    "$reference/$tool" -n "$WORK/w" "$@" 2>&1 | sed -E 's/[0-9]+/N/g; s/ +/ /g' >"$WORK/their.out"
    "$PROGRAMS/$tool" -n "$WORK/w" "$@" 2>&1 | sed -E 's/[0-9]+/N/g; s/ +/ /g' >"$WORK/our.out"
    if ! cmp -s "$WORK/their.out" "$WORK/our.out" || ! [[ -s $WORK/our.out ]]; then
        echo "DIFFERS in shape: $tool $*"
        diff "$WORK/their.out" "$WORK/our.out" | head -10
        problems=$((problems + 1))
    fi
}
for form in -1 -x -j -l; do
    same_shape varnishstat $form
    same_shape varnishstat $form -f 'MAIN.s*' -f '^*'
    same_shape varnishstat $form -X '*.uptime' -I 'M*' -r
    same_shape varnishstat $form -f '^MAIN.*'
done
for tools in "$reference" "$PROGRAMS"; do
    "$tools/varnishstat" -n "$WORK/w" -1 -I 'MAIN.cache_*' -I 'VBE.*.req' -I MAIN.client_req |
        awk '{print $1, $2}' >"$WORK/values.${tools//\//_}"
done
cmp -s "$WORK/values.${reference//\//_}" "$WORK/values.${PROGRAMS//\//_}" || { echo "values differ"; problems=$((problems + 1)); }
same varnishstat -n /nonexistent -t 0.1 -1
same varnishstat -t foo

some varnishtop -r "$saved" -1
some varnishtop -r "$saved" -1 -f
some varnishtop -r "$saved" -1 -i ReqURL,ReqMethod -c
some varnishtop -r "$saved" -1 -f -i ReqHeader -g request -q 'RespStatus == 200'
some varnishtop -n "$WORK/w" -1 -x CLI

for grouping in raw vxid request session; do
    "$PROGRAMS/varnishlog-json" -r "$saved" -g "$grouping" >"$WORK/json" || problems=$((problems + 1))
    python3 - "$WORK/json" <<'END' || { echo "varnishlog-json -g $grouping writes no JSON"; problems=$((problems + 1)); }
import json
import sys

lines = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
assert lines
END
done
