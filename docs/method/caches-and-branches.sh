#!/bin/sh
# caches-and-branches.sh [LEVEL] - the figures of caches-and-branches.md: for each sample program, accesses and misses by
# irprof --memory and by cachegrind (docs: "Against cachegrind"), means over four places of the stack. Needs a build
# (BUILD, build/ by default) and valgrind.
#
# caches-and-branches.sh --board FOLDER [COUNTED.csv] - "Against a board": what was simulated as the samples were counted
# (FOLDER/work/counted.csv, or another table of them) beside what the board's PMU counted, in what 'shimgen build' left in
# FOLDER. Programs of role train only.
#
# caches-and-branches.sh --loops - "Short loops": mispredictions of a loop's end by trip count and predictor, in % of its entries.
#
# caches-and-branches.sh --warm - "Short loops": mispredictions of a region in the first run of its code, in a second run, and
# where main runs once before (-Wl,--wrap=main).
set -u
warm() {
    cat >warm.c <<'E'
#include <shim_region.h>
__attribute__((noinline)) static void loop(int n) { for (int k = 0; k < n; k++) __asm__ volatile(""); }
__attribute__((noinline)) static void work(void) { for (int i = 0; i < 50; i++) loop(i % 5 + 3); }
int main(void)
{
#ifdef TWICE
    work();
#endif
    shim_region_begin("r");
    work();
    shim_region_end("r");
    return 0;
}
E
    for how in '' -DTWICE -Wl,--wrap=main; do
        # shellcheck disable=SC2086 # no word, or one
        IRPROF_FLAGS='--branches gshare:12:8' irprof cc -O1 -I "$BUILD/include" $how warm.c -o warm && ./warm &&
            irprof table --with events irprof.out | awk -F, -v how="${how:-(once)}" '
                NR == 1 { for (i = 1; i <= NF; i++) if ($i == "BR_MIS_PRED") k = i }
                $2 == "r" { print how, $k }'
    done
}
loops() {
    set -- bimodal:12 gshare:12:8 gshare:14:12 tournament:12:10 tage:12:10:4:64
    printf '| trips |'
    printf ' `%s` |' "$@"
    printf '\n|--:|'
    printf -- '--:|%.0s' "$@"
    echo
    for trips in 4 8 12 20 40 60 100; do
        printf '| %s |' "$trips"
        for predictor in "$@"; do
            cat >loop.c <<'E'
__attribute__((noinline)) static void loop(int n) { for (int k = 0; k < n; k++) __asm__ volatile(""); }
int main(void) { for (int i = 0; i < 10000; i++) loop(TRIPS); return 0; }
E
            IRPROF_FLAGS="--branches $predictor" irprof cc -O1 -DTRIPS="$trips" loop.c -o loop -Wl,--wrap=main && ./loop &&
                irprof table --with events irprof.out | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "BR_MIS_PRED") k = i }
                    NR == 2 { printf " %.1f |", $k / 100 }'
        done
        echo
    done
}
board() { # FOLDER COUNTED
    awk -F, -v domains="$1/domains.csv" '
        BEGIN { while ((getline line <domains) > 0) { split(line, w, ","); role[w[1]] = w[3] } }
        function name(program) { sub(/@.*/, "", program); return program }
        FNR == 1 { file++ }
        file == 1 && FNR == 1 { for (i = 3; i <= NF; i++) column[i] = $i; next }
        file == 1 { for (i = 3; i <= NF; i++) if (column[i] ~ /^(L[12]D_CACHE|BR_MIS)/) simulated[$1, $2, column[i]] = $i; next }
        $3 == "CPU_CYCLES" { cycles[$1, $2] = $4 }
        role[name($1)] == "train" && ($1, $2, $3) in simulated {
            d = simulated[$1, $2, $3] - $4; print $3, $4, simulated[$1, $2, $3], d < 0 ? -d : d, cycles[$1, $2]
        }' "$2" "$1/measurements.csv" | sort -s -k1,1 | awk '
        function sorted(v, n,   i, j, x) {
            for (i = 2; i <= n; i++) { x = v[i]; for (j = i - 1; j > 0 && v[j] > x; j--) v[j + 1] = v[j]; v[j + 1] = x }
        }
        function flush() {
            if (!event) return
            sorted(far, n)
            middle = n ? (far[int((n + 1) / 2)] + far[int(n / 2) + 1]) / 2 : 0
            printf "| `%s` | %d | %d | %.1f %% | %.1f %% | %.3f |\n", event, rows, n, n ? sum / n : 0, middle, apart / rows
            n = rows = sum = apart = 0
        }
        BEGIN {
            print "| event | regions | with more than 100 | difference, mean | median | all: per 1000 cycles |"
            print "|---|--:|--:|--:|--:|--:|"
        }
        $1 != event { flush(); event = $1 }
        { rows++; apart += 1000 * $4 / $5; if ($2 > 100) { far[++n] = 100 * $4 / $2; sum += far[n] } }
        END { flush() }'
}
if [ "${1:-}" = --board ]; then
    board "$2" "${3:-$2/work/counted.csv}"
    exit
fi
TOP=$(cd "$(dirname "$0")/../.." && pwd)
BUILD=${BUILD:-$TOP/build}
PATH=$BUILD/bin:$PATH
case ${1:-} in
--loops | --warm)
    work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work" && "${1#--}"
    exit
    ;;
esac
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
