#!/bin/sh
# caches-and-branches.sh [LEVEL] - the figures of caches-and-branches.md: for each sample program, accesses and misses by
# irprof --memory and by cachegrind (docs: "Against cachegrind"), means over four places of the stack. Needs a build
# (BUILD, build/ by default) and valgrind.
set -u
TOP=$(cd "$(dirname "$0")/../.." && pwd)
BUILD=${BUILD:-$TOP/build}
PATH=$BUILD/bin:$PATH
level=${1:--O2}
. "$TOP/tests/irprof/cachegrind.sh"

work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work" || exit 1
for source in "$TOP"/samples/suite/*.c; do
    both "$source" "$level" || exit 1
    ours '(program)' '' >ours.txt
    [ "$(cat ours.txt)" != '0 0 0' ] || ours main '' >ours.txt
    theirs "$source" '' >theirs.txt
    echo "$(basename "$source" .c) $(cat ours.txt theirs.txt | tr '\n' ' ')"
done >table
awk 'BEGIN { printf "%-16s %10s %10s %8s %8s %8s %8s\n", "program", "accesses", "cachegrind", "L1D", "D1", "L2", "LL" }
     { printf "%-16s %10.0f %10.0f %8.0f %8.0f %8.0f %8.0f\n", $1, $2, $5, $3, $6, $4, $7 }' table
awk 'function abs(x) { return x < 0 ? -x : x }
     { d = $3 - $6; if (abs(d) <= 32 + 0.02 * $6) near++; if (abs(d) > most) { most = abs(d); who = $1 }; ours += $3; theirs += $6
       if ($6 > 1000) { n++; s = abs(d) / $6; if (s > far) { far = s; far_who = $1 } } }
     END { printf "\nL1D misses: %d of %d programs within 32 and 2 %%; most apart %s by %.0f; all together %.0f and %.0f\n", near, NR,
                  who, most, ours, theirs
           printf "of %d programs with more than 1000 misses the most apart is %s: %.1f %%\n", n, far_who, 100 * far }' table
