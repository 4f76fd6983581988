# shellcheck shell=sh
# common.sh - read by the parts of the bench. bench.sh sets CLANG, LLVM_TOOLS, LEVEL, RACE and RESULTS.
# missing WHAT PACKAGE: says what a figure is left out for
missing() {
    echo "left out: $1: install the package $2"
}
# samples COMMAND...: for each sample program, with SET PROGRAM and its sources behind them
samples() {
    for manifest in "$TOP"/samples/*/manifest.csv; do
        set_=${manifest%/manifest.csv}
        sed 1d "$manifest" | while IFS=, read -r program _ _ sources _; do
            paths=
            for source in $sources; do
                paths="$paths $set_/$source"
            done
            # shellcheck disable=SC2086 # a list of files
            "$@" "${set_##*/}" "$program" $paths </dev/null || exit 1
        done || exit 1
    done
}
# optimised FOLDER CFLAGS SOURCE...: the one optimised IR of each source in FOLDER/*.bc
optimised() {
    folder=$1 cflags=$2
    shift 2
    mkdir -p "$folder" && n=0
    for source in "$@"; do
        n=$((n + 1))
        # shellcheck disable=SC2086 # a list of options
        "$CLANG" $LEVEL -g -w -emit-llvm $cflags -I"$TOP/tests/bench/include" -I"$BUILD/include" -c "$source" \
            -o "$folder/$n.bc" || return 1
    done
}
# object BC OBJECT: code, as it is
object() {
    # shellcheck disable=SC2086 # a list of options
    "$CLANG" $LEVEL -w -Xclang -disable-llvm-passes -c "$1" -o "$2"
}
# figures COLUMN FILE: number of values, median, geometric mean, the largest and its name, of a table with blanks between
figures() {
    awk -v c="$1" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == c) k = i; next }
        k && $k > 0 {
            for (i = ++n; i > 1 && sorted[i - 1] > $k; i--) sorted[i] = sorted[i - 1]
            sorted[i] = $k
            s += log($k)
            if ($k > most) { most = $k; who = $1 }
        }
        END {
            if (!n) { print "0 - - - -"; exit }
            printf "%d %.3f %.3f %.3f %s\n", n, (sorted[int((n + 1) / 2)] + sorted[int(n / 2) + 1]) / 2, exp(s / n), most, who
        }' "$2"
}
# timer: repeat.o, what times a program's main
timer() {
    "$CLANG" -O2 -c "$TOP/tests/bench/repeat.c" -o timer.o && ld -r timer.o "$UNTRAIN" -o repeat.o
}
