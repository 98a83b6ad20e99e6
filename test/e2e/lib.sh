# What the end-to-end scripts share: PROGRAMS (folder of our programs) and WORK (a folder of the script's own, removed at
# the end with every varnishd that was started through `start`).
set -u
PROGRAMS=$(cd "$1" && pwd)
WORK=$(mktemp -d)
chmod 755 "$WORK"
started=()

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

clean_up() {
    local pid
    for pid in "${started[@]}"; do
        kill "$pid" 2>/dev/null
    done
    for pid in "${started[@]}"; do
        wait "$pid" 2>/dev/null
    done
    rm -rf "$WORK"
}
trap clean_up EXIT

# start NAME ARGUMENT...: our varnishd in the foreground with work folder WORK/NAME; its process id in $manager.
start() {
    local name=$1
    shift
    "$PROGRAMS/varnishd" -F -n "$WORK/$name" "$@" >"$WORK/$name.out" 2>"$WORK/$name.err" </dev/null &
    manager=$!
    started+=("$manager")
}

# A port that nobody listens on now.
free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# demo-origin; its port in $origin.
start_origin() {
    "$PROGRAMS/demo-origin" -p 0 >"$WORK/origin.out" 2>&1 &
    started+=("$!")
    until_true 10 grep -q ':[0-9]*/' "$WORK/origin.out" || fail "the origin does not start"
    origin=$(grep -oE ':[0-9]+/' "$WORK/origin.out" | tr -d ':/')
}

# until_true SECONDS COMMAND...: runs the command until it succeeds.
until_true() {
    local end=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        ((SECONDS < end)) || return 1
        sleep 0.05
    done
}

admin() {
    local name=$1
    shift
    "${VARNISHADM:-varnishadm}" -n "$WORK/$name" "$@"
}

running() {
    admin "$1" status | grep -q "running"
}

worker_of() {
    admin "$1" pid | awk '/^Worker/{print $2}'
}

need() {
    command -v "$1" >/dev/null || {
        echo "needs $1"
        exit 77
    }
}
