#!/bin/sh
# What others' tools cost on the demo's program, for the comparison in README.md: processor time of a run, smallest of
# three, as a multiple of the plain program's. Prints rows; what is not installed is said.
#   sh docs/others.sh [STEPS]      (from the repository's root, with build/bin in PATH)
set -eu
steps=${1:-2000000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp docs/example/*.[ch] docs/example/machine.shim.xml "$folder"
cd "$folder"
sed -i "s/step < 2000;/step < $steps;/" main.c
flags='-O2 -gdwarf-4' # valgrind 3.19 cannot read clang 19's DWARF 5
# seconds COMMAND...: user and system time of the quickest of three
seconds() {
    for _ in 1 2 3; do
        /bin/bash -c 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1' sh "$@" 2>&1 | awk '{ print $1 + $2 }'
    done | sort -n | head -n 1
}
row() { # WHAT SECONDS
    awk -v what="$1" -v t="$2" -v plain="$plain" 'BEGIN { printf "%-44s %8.2f s %8.1f times\n", what, t, t / plain }'
}
clang-19 $flags controller.c main.c -o plain -lm
irprof cc $flags controller.c main.c -o counted -lm
shimgen cc --shim machine.shim.xml $flags controller.c main.c -o simulated -lm
for program in plain counted simulated; do ./$program >printed; done
export IRPROF_OUT=$folder/profile
plain=$(seconds ./plain)
row 'the program' "$plain"
row 'counted (irprof cc)' "$(seconds ./counted)"
row 'caches and branches simulated (shimgen cc)' "$(seconds ./simulated)"
if command -v valgrind >/dev/null; then
    valgrind --tool=callgrind --callgrind-out-file=out ./plain >printed 2>&1 || { cat printed >&2; exit 1; }
    row 'callgrind' "$(seconds valgrind --tool=callgrind --callgrind-out-file=out ./plain)"
    row 'callgrind, caches and branches simulated' "$(seconds valgrind --tool=callgrind --cache-sim=yes --branch-sim=yes --callgrind-out-file=out ./plain)"
else echo 'callgrind: not installed'; fi
if command -v llvm-mca-19 >/dev/null; then
    clang-19 --target=aarch64-linux-gnu -mcpu=cortex-a53 -O2 -S controller.c -o controller.s
    llvm-mca-19 -mtriple=aarch64-linux-gnu -mcpu=cortex-a53 -iterations=1 controller.s 2>/dev/null |
        sed -n 's/^Total Cycles: */llvm-mca: each instruction of controller.c once, in a row, cycles: /p' | head -n 1
else echo 'llvm-mca: not installed'; fi
if command -v likwid-perfctr >/dev/null; then
    printf 'likwid-perfctr: %s\n' "$(likwid-perfctr -C 0 -g CLOCK ./plain 2>&1 | grep -m 1 -e ERROR -e 'CPI' || echo 'no counters')"
else echo 'likwid-perfctr: not installed'; fi
