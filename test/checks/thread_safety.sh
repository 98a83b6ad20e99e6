#!/bin/bash
# thread_safety.sh SOURCE: clang's -Wthread-safety over the folders whose members are annotated (base/thread_annotations.hpp).
# Exits 77 (skipped) where there is no clang.
set -u
cd "$1" || exit 2
command -v clang++ >/dev/null || { echo "thread safety: no clang++ here, not checked"; exit 77; }
one() { clang++ -std=c++20 -fsyntax-only -Ilib -Wthread-safety -Werror=thread-safety "$1" || { echo "locks: $1"; return 1; }; }
export -f one
find lib/cache -name '*.cpp' -print0 | sort -z | xargs -0 -P "$(nproc)" -I{} bash -c 'one {}' && echo "thread safety: locks are held where they must be"
