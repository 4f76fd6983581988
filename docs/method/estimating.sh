#!/bin/sh
# estimating.sh [BOARD...] - the tables of estimating.md: how far the methods of `shimgen estimate` are off, by board and
# optimisation level, on the programs that models are fitted on and on the test programs.
#
# Needs complete builds in $OUT (default: out), from `shimgen build BOARD`, which counts programs with simulated misses and
# mispredictions: about four minutes a board on a core of its own, of which two are the folds.
#
# BEFORE=BUILD: the build folder of a version that wrote two files a board, one of costs and one of times. Rows of such
# files, made of the same build, stand beside those of the one file (docs/formats/shim-file.md). BEFORE_ALONE=1: no other.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
BUILD=${BUILD:-$TOP/build}
OUT=${OUT:-$TOP/out}
export PATH="$BUILD/bin:$PATH"
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
[ $# -gt 0 ] || set -- raspberrypi3-sim host riscv64-sim

# estimates BOARD SHIM METHOD: program,region,cycles of all programs
estimates() {
    sed 1d "$OUT/$1/dataset.csv" | cut -d, -f1 | sort -u | while read -r program; do
        [ -f "$OUT/$1/work/$program/profile" ] && echo "$program=$OUT/$1/work/$program/profile"
    done | xargs shimgen estimate --shim "$2" --method "$3" --by region --format csv 2>/dev/null | cut -d, -f1,2,5
}
test_programs() {
    for manifest in "$TOP"/samples/*/manifest.csv; do
        set_=$(basename "$(dirname "$manifest")")
        awk -F, -v set_="$set_" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "role") role = i; next }
            $role == "test" { print set_ "/" $1 }' "$manifest"
    done
}
# row BOARD SHIM METHOD WHAT: mean, median absolute error and the share within a factor of two, by level and role
row() {
    estimates "$1" "$2" "$3" >"$WORK/estimates"
    awk -F, -v what="$4" '
        FILENAME ~ /tests$/ { test[$1] = 1; next }
        FILENAME ~ /estimates$/ { estimate[$1 "," $2] = $3; next }
        FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        ($1 "," $2) in estimate {
            split($1, name, "@")
            kind = name[2] (name[1] in test ? "t" : "")
            e = estimate[$1 "," $2] / $column["cycles"]
            far[kind] += e > 2 || e < 0.5
            e = e > 1 ? e - 1 : 1 - e
            errors[kind, ++n[kind]] = e
            sum[kind] += e
        }
        function median(kind,   i, k, t) {
            for (i = 2; i <= n[kind]; i++)
                for (k = i; k > 1 && errors[kind, k] < errors[kind, k - 1]; k--) {
                    t = errors[kind, k]; errors[kind, k] = errors[kind, k - 1]; errors[kind, k - 1] = t
                }
            return errors[kind, int((n[kind] + 1) / 2)]
        }
        END {
            printf "| %s |", what
            split("O0 O2 O0t O2t", kinds, " ")
            for (i = 1; i <= 4; i++)
                if (n[kinds[i]])
                    printf " %.1f, %.1f, %d |", 100 * sum[kinds[i]] / n[kinds[i]], 100 * median(kinds[i]), far[kinds[i]]
                else
                    printf " - |"
            print ""
        }' "$WORK/tests" "$WORK/estimates" "$OUT/$1/dataset.csv"
}

# compare BOARD OPTION...: the same from `shimgen crossval`, by level: mean and median absolute error, fitted on and left out
compare() {
    folder=$OUT/$1
    shift
    shimgen crossval "$folder" --format markdown "$@" | awk -F' *[|] *' '
        $2 == "O0" || $2 == "O2" {
            what = $3 " | " $4 " | " $5
            if (!(what in O0)) { order[++n] = what; O0[what] = ""; }
            if ($2 == "O0") { O0[what] = $7 ", " $8; left0[what] = $12 ", " $13 }
            else { O2[what] = $7 ", " $8; left2[what] = $12 ", " $13 }
        }
        END { for (i = 1; i <= n; i++)
                  print "| " order[i] " | " O0[order[i]] " | " O2[order[i]] " | " left0[order[i]] " | " left2[order[i]] " |" }'
}

# two_files BOARD: rows of the one file, and of two as BEFORE makes them of the same microbenchmarks, costs and programs,
# estimated by today's version and by that one
two_files() {
    costs=$OUT/$1/work/merged.shim.xml times=$WORK/$1.schedule.shim.xml
    "$BEFORE/bin/shimgen" tune "$OUT/$1" --shim "$costs" -o "$WORK/before.shim.xml" >/dev/null
    # Annotations of the costs are Instructions, which that version takes for such and keeps beside its own before the root.
    awk '/<Instruction name="shimgen:/ { annotation = 1 }
        !annotation { print }
        /<\/Instruction>/ { annotation = 0 }' "$WORK/before.shim.xml" >"$times"
    for method in schedule operand sum; do
        file=$costs
        [ $method != schedule ] || file=$times
        row "$1" "$OUT/$1/$1.shim.xml" $method "$method, the one file"
        row "$1" "$file" $method "$method, its file of two, by today's version"
        (PATH="$BEFORE/bin:$PATH" && row "$1" "$file" $method "$method, its file of two, by the version before")
    done
}

test_programs >"$WORK/tests"
for board; do
    shim=$OUT/$board/$board.shim.xml
    echo "## $board"
    echo '| values, method | fitted on, O0 | O2 | test, O0 | O2 |'
    echo '|---|---|---|---|---|'
    [ -z "${BEFORE:-}" ] || two_files "$board"
    [ -z "${BEFORE_ALONE:-}" ] || continue
    row "$board" "$shim" sum 'of the model, sum'
    row "$board" "$shim" operand 'of the model, operand'
    shimgen tune "$OUT/$board" --as-measured -o "$WORK/measured.shim.xml" >/dev/null
    row "$board" "$WORK/measured.shim.xml" sum 'of microbenchmarks, sum'
    row "$board" "$WORK/measured.shim.xml" operand 'of microbenchmarks, operand'
    row "$board" "$WORK/measured.shim.xml" schedule 'of microbenchmarks, schedule'
    shimgen tune "$OUT/$board" -o "$WORK/tuned.shim.xml" >"$WORK/tuned"
    row "$board" "$WORK/tuned.shim.xml" schedule 'tuned, schedule'
    echo
    cat "$WORK/tuned"
    echo
    echo '| method | classification | solver | fitted on, O0 | O2 | test, O0 | O2 |'
    echo '|---|---|---|---|---|---|---|'
    compare "$board" --methods sum,operand --classes origin,RH850,operand,L1,L2,mem --solvers ols,nnls
    compare "$board" --methods sum,operand,schedule
    [ "$board" = host ] || compare "$board" --methods compiled
    echo
    echo 'left out in ten folds of the programs fitted on:'
    compare "$board" --methods sum,operand,schedule --scheme kfold:10
    echo
done
