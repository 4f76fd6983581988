#!/bin/sh
# counters.sh [OUT] - makes the tables of counters.md from the builds in OUT (out): `make shim` for host, raspberrypi3-sim and
# riscv64-sim. Prints them.
set -eu
out=${1:-out}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
manifests=$(printf '%s,' samples/*/manifest.csv | sed 's/,$//')
all='INST_RETIRED,L1D*,L2D*,BR_MIS_PRED' dense='INST_RETIRED,L1D_CACHE,BR_MIS_PRED'
kernels='suite/matmul_int@*,suite/matmul_double@*,suite/dct8x8@*,suite/convolve@*,suite/median_2d@*,suite/nbody@*,suite/heat_stencil@*,suite/cholesky@*,suite/floyd_warshall@*,suite/xtea@*'

# level BOARD LEVEL: the rows of one optimisation level
level() {
    grep -e '^program,' -e "^[^,]*@$2," "$out/$1/dataset.csv"
}
# line COUNTERS ROWS LEVEL A B SCALE: mean abs errors of fits on counters of A to the cycles of B
line() {
    columns=$1
    shift
    level "$3" "$2" >"$work/a.csv"
    regress counters "$work/a.csv" --domains "$manifests" --rows "$1" --columns "$columns" --intercept --standardise \
        --merge-sparse 0.5 -o "$work/a.classes"
    regress crossval "$work/a.csv" --domains "$manifests" --target-from "$out/$4/dataset.csv" --rows "$1" \
        --classes "$work/a.classes" --solvers ols --scale "$5" --format csv |
        awk -F, -v a="$3" -v b="$4" -v l="$2" -v s="$5" '
            NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
            NR == 2 { baseline = $at["held_out_mean_abs"] }
            NR == 3 { printf "| -%s | %s | %s | %s | %d | %.1f | %.1f | %.1f | %.1f |\n", l, a, b, s, $at["held_out_rows"],
                      100 * $at["training_mean_abs"], 100 * $at["held_out_mean_abs"], 100 * $at["held_out_median_abs"], 100 * baseline }'
}
table() { # COUNTERS ROWS SCALE...
    columns_=$1 rows=$2
    shift 2
    printf "%s\n" "| code | counters of | cycles of | scale | programs | training | left out in turn | median | left out, k x IR instructions |"
    echo '|---|---|---|---|--:|--:|--:|--:|--:|'
    for l in O0 O2; do
        for a in raspberrypi3-sim riscv64-sim; do
            for b in raspberrypi3-sim riscv64-sim host; do
                for s in "$@"; do
                    line "$columns_" "$rows" $l $a $b "$s"
                done
            done
        done
    done
}
echo "Ten kernels, all counters:"
table "$all" "$kernels" none relative
echo
echo "Ten kernels, the counters that have a value in every row:"
table "$dense" "$kernels" none relative
echo
echo "All training programs, all counters:"
table "$all" 'role:train' relative
echo
echo "Each program, -O0, counters and cycles of raspberrypi3-sim:"
level raspberrypi3-sim O0 >"$work/a.csv"
regress counters "$work/a.csv" --rows "$kernels" --columns "$dense" --intercept --standardise -o "$work/a.classes"
regress crossval "$work/a.csv" --rows "$kernels" --classes "$work/a.classes" --solvers ols --scale relative --predictions "$work/p.csv" -o "$work/t.txt"
echo '| program | predicted / measured |'
echo '|---|--:|'
awk -F, 'NR > 1 && $1 == "a" {printf "| %s | %.2f |\n", $3, $5 / $8}' "$work/p.csv"
