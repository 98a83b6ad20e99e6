#!/bin/bash
# compare.sh PROGRAMS: quickstart refuses what it does not know, and a comparison that is ended or cannot start leaves no server behind.
. "$(dirname "$0")/../lib.sh"
top=$(cd "$(dirname "$0")/../../.." && pwd)

"$top/packaging/quickstart" start-it </dev/null >"$WORK/out" 2>&1
[[ $? == 2 && $(<"$WORK/out") == usage:* ]] || fail "quickstart takes any word: $(<"$WORK/out")"

# Programs in a folder of our own can be told from those of other runs; a server that listens nowhere fails the start.
mkdir "$WORK/bin"
cp "$PROGRAMS/demo-origin" "$WORK/bin/"
printf '#!/bin/bash\nexec -a never-listens-%s sleep 300\n' $$ >"$WORK/bin/varnishd"
chmod 755 "$WORK/bin/varnishd"
running() { pgrep -f -- "$1" >/dev/null; }

python3 "$top/benchmarks/compare/idle" --only clearcoat --bin "$WORK/bin" --connections 10 >"$WORK/idle.out" 2>&1 &
idle=$!
until_true 10 running "never-listens-$$ 300" || fail "idle did not start its servers: $(<"$WORK/idle.out")"
kill "$idle"
wait "$idle" && fail "idle ended well though it was killed"
running "$WORK/bin/demo-origin" && fail "idle left its origin running"
running "never-listens-$$ 300" && fail "idle left a server running"
exit 0
