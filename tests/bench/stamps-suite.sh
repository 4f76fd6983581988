# shellcheck shell=sh
# stamps-suite.sh - what stamps cost where at least 10,000 ticks are between two: R = 100 (T2 - T1) / T1 of 20 samples of the
# suite, raced against the same IR without stamps. Points: all functions; where these are closer together, the sample's region;
# a sample whose region is shorter is left out. Samples of role train, in the order of their names, the first 20 that fit.
# BENCH_PLACES=SAMPLE: this one alone, its main moved by 0, 16, 32 and 48 bytes after a multiple of 64, with stamps at its functions
# and without.
#   BENCH_ROUNDS (11)  BENCH_SAMPLES (5)  BENCH_LEAST_US (200)  BENCH_SUITE (20) samples  BENCH_CORE (0)  BENCH_LEVEL (-O2)
. "$TOP/tests/bench/common.sh"
suite=$TOP/samples/suite least=10000
libs=$(irprof libs --stamp)
mkdir -p "$RESULTS"
timer || exit 1
export IRPROF_STAMPS=1000000 IRPROF_STAMP_OUT=$PWD/stamps

# code IR OUT [LIBRARY...]: as it is
code() {
    ir=$1 out=$2
    shift 2
    "$CLANG" "$LEVEL" -w -Xclang -disable-llvm-passes "$ir" "$@" repeat.o -Wl,--wrap=main -o "$out" -lm
}
# placed BYTES IR OUT [LIBRARY...]: the same, its main so many bytes after a multiple of 64
placed() {
    bytes=$1 ir=$2 out=$3
    shift 3
    "$CLANG" "$LEVEL" -w -Xclang -disable-llvm-passes -S "$ir" -o placed.s &&
        awk -v n="$bytes" '/^main:/ { printf "\t.p2align 6\n\t.skip %d, 0x90\n", n } { print }' placed.s >moved.s &&
        "$CLANG" moved.s "$@" repeat.o -Wl,--wrap=main -o "$out" -lm
}
# places SAMPLE: its time at four places, ns
places() {
    "$CLANG" "$LEVEL" -g -w -S -emit-llvm -I"$BUILD/include" "$suite/$1.c" -o sample.ll && irprof stamp sample.ll -o add.bc --points 'function:*' 2>notes || return 1
    set --
    for bytes in 0 16 32 48; do
        # shellcheck disable=SC2086 # a list of options
        placed $bytes sample.ll plain.$bytes && placed $bytes add.bc stamped.$bytes $libs || return 1
        set -- "$@" "./plain.$bytes" "./stamped.$bytes"
    done
    "$RACE" "${BENCH_ROUNDS:-11}" "${BENCH_SAMPLES:-5}" "${BENCH_LEAST_US:-200}" "$@" </dev/null | awk '{ printf "%-14s %11.1f ns\n", substr($1, 3), $2 }'
}
# stamped POINTS: ./add of sample.ll; of one call of main the number of stamps, and from the warm ./base the ticks between two
stamped() {
    # shellcheck disable=SC2086 # a list of options
    irprof stamp sample.ll -o add.bc --points "$1" 2>notes && code add.bc add $libs && ./add >run.log 2>&1 &&
        irprof history stamps -o stamps.csv 2>notes || return 1
    stamps=$(($(wc -l <stamps.csv) - 1))
    between=$(awk -F, -v ns="$ns" -v n="$stamps" 'NR == 2 { t = $4; ticks = $5 } END { printf "%d", ns * ($5 - ticks) / ($4 - t) / n }' stamps.csv)
}
if [ "${BENCH_PLACES:-}" ]; then
    places "$BENCH_PLACES"
    exit
fi
n=0
echo 'program,points,stamps,ticks_between,ns,R_again,R,R_lower,R_upper' >"$RESULTS/stamps_suite.csv"
printf '%-20s %-10s %7s %14s %11s %8s %8s %8s %8s\n' program points stamps ticks_between ns R_again R R_25% R_75%
sed 1d "$suite/manifest.csv" | awk -F, '$3 == "train" && $4 !~ / / { print $1 "," $4 }' | sort >programs
while IFS=, read -r program source; do
    [ "$n" -lt "${BENCH_SUITE:-20}" ] || break
    region=$(sed -n 's/.*shim_region_begin("\([^"]*\)").*/\1/p' "$suite/$source" | head -n 1)
    # As text: the order of uses, which LLVM's choices depend on, is then lost for both, as it is where IR is stamped.
    "$CLANG" "$LEVEL" -g -w -S -emit-llvm -I"$BUILD/include" "$suite/$source" -o sample.ll || exit 1
    code sample.ll base && code sample.ll again || exit 1
    ns=$(BENCH_SAMPLES=9 BENCH_CALLS=20 ./base 2>/dev/null | awk 'END { print $1 / 20 }')
    points=functions
    stamped 'function:*' || exit 1
    if [ "$between" -lt $least ]; then
        points=region
        stamped "region:$region" || exit 1
    fi
    [ "$between" -ge $least ] || continue
    "$RACE" "${BENCH_ROUNDS:-11}" "${BENCH_SAMPLES:-5}" "${BENCH_LEAST_US:-200}" ./base ./again ./add >race </dev/null || exit 1
    awk -v program="$program" -v points=$points -v stamps="$stamps" -v between="$between" -v csv="$RESULTS/stamps_suite.csv" '
        function r(ratio) { return 100 * (ratio - 1) }
        $1 == "./base" { ns = $2 } $1 == "./again" { again = r($3) }
        $1 == "./add" {
            printf "%-20s %-10s %7d %14d %11.1f %8.2f %8.2f %8.2f %8.2f\n", program, points, stamps, between, ns, again, r($3), r($4), r($5)
            printf "%s,%s,%d,%d,%.1f,%.3f,%.3f,%.3f,%.3f\n", program, points, stamps, between, ns, again, r($3), r($4), r($5) >>csv
        }' race
    n=$((n + 1))
done <programs
sed 1d "$RESULTS/stamps_suite.csv" | cut -d, -f7 | sort -g | awk '{ v[NR] = $1 } END {
    printf "%d samples: median R %.2f %%, least %.2f, most %.2f; aimed at: at most 2 %%\n", NR, (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2, v[1], v[NR] }'
printf 'load of the machine while it ran (1, 5, 15 minutes): %s\n' "$(cut -d ' ' -f1-3 /proc/loadavg)"
