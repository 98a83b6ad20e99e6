#!/bin/bash
# format.sh SOURCE: every source file is formatted as .clang-format says.
set -u
cd "$1" || exit 2
find lib app examples test benchmarks \( -name '*.cpp' -o -name '*.hpp' \) -print0 | xargs -0 -r clang-format --dry-run -Werror && echo "format: kept"
