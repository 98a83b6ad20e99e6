#!/bin/bash
# headers.sh SOURCE COMPILER: every header of lib/ compiles alone. That of a source file which includes it before anything else is proven by
# the build; the others are compiled here.
set -u
cd "$1" || exit 2
export compiler=$2
proven() {
    local source=${1%.hpp}.cpp
    [[ -f $source && $(grep -m1 '^#include' "$source") == "#include \"${1#lib/}\"" ]]
}
one() {
    proven "$1" && return 0
    # The pragma is only odd because the header is compiled as the main file here.
    printf '#include "%s"\n' "${1#lib/}" | "$compiler" -std=c++20 -fsyntax-only -Wall -Wextra -Werror -Ilib \
        -DBOOST_ASIO_SEPARATE_COMPILATION -DBOOST_ASIO_NO_DEPRECATED -DBOOST_BEAST_SEPARATE_COMPILATION -x c++ - \
        || { echo "does not compile alone: $1"; return 1; }
}
export -f proven one
find lib -name '*.hpp' -print0 | sort -z | xargs -0 -P "$(nproc)" -I{} bash -c 'one {}' && echo "headers: each compiles alone"
