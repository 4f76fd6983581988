#!/bin/sh
# bench.sh [PART...] - what `make bench` runs: slowdown, events, large, simulator, measure, shim, regress, estimate, blocks, map, traffic, offload, perf-xml, big, stamps, stamps-suite, farm (README.md). Prints figures beside what is aimed
# at, judges nothing, and leaves its tables in $BUILD/bench/. Needs BUILD, an absolute path.
set -u
TOP=$(cd "$(dirname "$0")/../.." && pwd)
export TOP LC_ALL=C PATH="$BUILD/bin:$PATH"
export CLANG="${IRPROF_CC:-clang-19}" LEVEL="${BENCH_LEVEL:--O2}" RACE="$BUILD/tests/bench/race" RESULTS="$BUILD/bench"
LLVM_TOOLS=$("${LLVM_CONFIG:-llvm-config-19}" --bindir 2>/dev/null)
export LLVM_TOOLS UNTRAIN="$BUILD/obj/rt/boards/runtime/rt_untrain.o"
[ $# -gt 0 ] || set -- slowdown events large simulator measure shim regress estimate blocks map traffic offload perf-xml big stamps stamps-suite farm
for part in "$@"; do
    echo "== $part"
    rm -rf "$BUILD/bench/work/$part"
    mkdir -p "$BUILD/bench/work/$part" && cd "$BUILD/bench/work/$part" || exit 1
    sh "$TOP/tests/bench/$part.sh" || exit 1
    echo
done
