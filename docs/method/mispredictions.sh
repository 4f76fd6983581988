#!/bin/sh
# mispredictions.sh BOARD - what it would bring if mispredictions were simulated exactly: the table of ../history/estimating.md.
# Training programs left out, once with those that irprof simulated on the branches of the IR, then with those that the
# board measured, in all programs or in some. Needs a simulated board's build in $OUT (out). Half a minute.
#
# target: fitted again, each domain left out. schedule: the estimate that was made without the program, plus what a
# misprediction costs (the SHIM file's br at worst and its factors) for each that was measured and not simulated; rows of
# at least 3,000 cycles. Mean, median and 90th percentile of the absolute error [%].
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
BUILD=${BUILD:-$TOP/build}
OUT=${OUT:-$TOP/out}
export PATH="$BUILD/bin:$PATH" LC_ALL=C
[ $# = 1 ] || { echo "usage: mispredictions.sh BOARD" >&2; exit 2; }
built=$OUT/$1
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

# with WHICH: the simulated dataset, with BR_MIS_PRED as measured in those programs
with() {
    awk -F, -v OFS=, -v which="$1" '
        FNR == 1 { file++; for (i = 1; i <= NF; i++) at[file, $i] = i }
        FNR == 1 && file == 1 { n = NF; for (i = 1; i <= n; i++) name[i] = $i; next }
        file == 1 {
            row = $1 "," $2; measured[row] = $at[1, "BR_MIS_PRED"]; kind[row] = "others"
            for (i = 1; i <= n; i++)
                if ($i > 0 && name[i] ~ /^call[.]library/) kind[row] = "library"
                else if ($i > 0 && name[i] ~ /^call[.]indirect/ && kind[row] != "library") kind[row] = "indirect"
            next
        }
        FNR > 1 && (which == "all" || which == kind[$1 "," $2]) { $at[2, "BR_MIS_PRED"] = measured[$1 "," $2] }
        { print }' "$built/dataset.csv" "$WORK/simulated.csv"
}
target() { # DATASET: mean, median, 90th percentile
    regress crossval "$1" --format markdown --classes target --solvers shrink --domains "$built/domains.csv" --rows role:train --scheme lodo |
        awk -F' *[|] *' '$2 == "target" { print $11 ", " $12 ", " $13 }' | tr -d '*+'
}
schedule() { # DATASET LEVEL
    awk -F, -v level="@$2" -v cost="$cost" '
        FNR == 1 { file++ }
        FNR == 1 && file < 3 { for (i = 1; i <= NF; i++) at[file, $i] = i; next }
        file < 3 { count[file, $1 "," $2] = $at[file, "BR_MIS_PRED"]; next }
        { gsub(/[" ,]/, ""); member = value = $0; sub(/:.*/, "", member); sub(/^[^:]*:/, "", value) }
        member == "program" { row = value; wanted = index(value, level) }
        member == "region" { row = row "," value }
        member == "role" && value != "train" { wanted = 0 }
        member == "measured" { m = value + 0 }
        member == "left_out" && wanted && m >= 3000 {
            e = value + cost * (count[2, row] - count[1, row])
            error[++n] = e > m ? e / m - 1 : 1 - e / m
            sum += error[n]
        }
        END {
            for (i = 2; i <= n; i++)
                for (k = i; k > 1 && error[k - 1] > error[k]; k--) { t = error[k]; error[k] = error[k - 1]; error[k - 1] = t }
            printf "%.1f, %.1f, %.1f\n", 100 * sum / n, 100 * error[int((n + 1) / 2)], 100 * error[int((9 * n + 9) / 10)]
        }' "$WORK/simulated.csv" "$1" "$built/schedule.json"
}

regress join "$built/work/counted.csv" "$built/measurements.csv" --events counted -o "$WORK/simulated.csv" 2>/dev/null
shim-xml export --format latency-csv "$built/$1.shim.xml" -o "$WORK/latency.csv"
cost=$(awk -F, '{ typical[$1] = $4; worst[$1] = $6 }
    END { print worst["br_d"] * typical["factor.misprediction_d"] - typical["br_d"] * typical["factor.branch_d"] }' "$WORK/latency.csv")
echo '| mispredictions as measured in | `target` | `schedule`, `-O0` | `-O2` |'
echo '|---|---|---|---|'
for which in none indirect library others all; do
    with $which >"$WORK/$which.csv"
    case $which in
    none) what='no program: all are simulated' ;;
    indirect) what='programs that call functions through pointers' ;;
    library) what='programs that call the C library' ;;
    others) what='the others' ;;
    all) what='all programs' ;;
    esac
    echo "| $what | $(target "$WORK/$which.csv") | $(schedule "$WORK/$which.csv" O0) | $(schedule "$WORK/$which.csv" O2) |"
done
