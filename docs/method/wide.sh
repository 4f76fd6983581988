#!/bin/sh
# wide.sh OUT CORE.ini [CPU]: the table of wide.md: estimates of a host's programs on a core that issues out of order, beside
# what was measured: `compiled` with this model of the core; one constant cost for each machine instruction; llvm-mca's
# estimate of each block by itself (CPU: LLVM's name of the core, znver4 by default), summed with the same counts.
#
#     shimgen build host --levels O2 --no-memory -o OUT
#     shimgen core llvm:znver4 --target x86_64-linux-gnu -o CORE.ini
#     make test-programs && sh docs/method/wide.sh OUT CORE.ini
#
# Measured: CORE_CYCLES_EST, ticks of the time stamp counter in cycles of the core by a chain of additions that is timed
# beside. ROLE=train (the default) or test. What library
# functions cost is in the first alone, which guesses it. CSV: program, measured, the three estimates, their errors; then the table.
set -eu
if [ $# -lt 2 ]; then
    echo "usage: wide.sh OUT CORE.ini [CPU]" >&2
    exit 2
fi
out=$1 core=$2 cpu=${3:-znver4}
TOP=$(cd "$(dirname "$0")/../.." && pwd)
BUILD=${BUILD:-$TOP/build}
PATH=$BUILD/bin:$PATH
ROLE=${ROLE:-train}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

modules() { find "$1" -name '[0-9]*.bc' ! -name '*.i.bc' | sort | tr '\n' ' '; }

# Of each block: its number, instructions, cycles: the mean of a hundred repetitions, as if it were the body of a loop. A
# breakpoint (cc), which no program has, stands between two blocks.
mca() {
    cut -d' ' -f2- "$work/counts" | sed 's/[0-9a-f][0-9a-f]/0x&/g; s/$/ 0xcc/' | llvm-mc-19 --disassemble -triple=x86_64 2>/dev/null |
        awk 'BEGIN { print "# LLVM-MCA-BEGIN " ++n } /^\t\./ { next }
             $1 == "int3" { print "# LLVM-MCA-END\n# LLVM-MCA-BEGIN " ++n; next } { print } END { print "# LLVM-MCA-END" }' >"$work/blocks.s"
    llvm-mca-19 -mtriple=x86_64 -mcpu="$cpu" -iterations=100 -instruction-info=0 -resource-pressure=0 --skip-unsupported-instructions=any "$work/blocks.s" 2>/dev/null |
        awk '/^\[[0-9]+\] Code Region - / { block = $NF } /^Instructions:/ { n[block] = $2 / 100 } /^Total Cycles:/ { print block, n[block], $3 / 100 }'
}

one() { # PROGRAM REGION MEASURED
    folder=$out/work/$1
    # shellcheck disable=SC2046 # a list of files
    "$BUILD/tests/cores/block_counts" "$BUILD/share/shimgen/boards/host" "$core" "$folder/profile" "$2" $(modules "$folder") >"$work/counts" || return 0
    estimated=$(shimgen estimate --method compiled --board host --core "$core" --format csv --region "$2" --program "$(modules "$folder")" "$folder/profile" 2>/dev/null |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "cycles") column = i } NR == 2 { print $column }')
    mca >"$work/mca"
    awk -v program="$1" -v measured="$3" -v estimated="$estimated" '
        FNR == NR { n[$1] = $2; cycles[$1] = $3; next }
        { instructions += $1 * n[FNR]; sum += $1 * cycles[FNR] }
        END { printf "%s,%.0f,%.0f,%.0f,%.0f\n", program, measured, estimated, instructions, sum }' "$work/mca" "$work/counts"
}

awk -F, -v role="$ROLE" '
    FNR == 1 { file++ }
    file == 1 { is[$1] = $3; next }
    $3 == "CORE_CYCLES_EST" && $4 > 0 { name = $1; sub(/@.*/, "", name); if ($1 ~ /@O2$/ && is[name] == role) print $1, $2, $4 }' \
    "$out/domains.csv" "$out/measurements.csv" >"$work/programs"
while read -r program region measured; do
    one "$program" "$region" "$measured"
done <"$work/programs" >"$work/table"

awk -F, '
    function size(x) { return x < 0 ? -x : x }
    function arrange(a, n,    i, k, t) {
        for (i = 2; i <= n; i++)
            for (k = i; k > 1 && a[k - 1] > a[k]; k--) { t = a[k]; a[k] = a[k - 1]; a[k - 1] = t }
    }
    { name[NR] = $1; measured[NR] = $2; value[1, NR] = $3; value[2, NR] = $4; value[3, NR] = $5; ratio[NR] = $2 / $4 }
    END {
        arrange(ratio, NR)
        each = ratio[int((NR + 1) / 2)] # the constant with half of the programs above it
        what[1] = "compiled"
        what[2] = sprintf("%.3f cycles an instruction", each)
        what[3] = "llvm-mca, block by block"
        for (m = 1; m <= 3; m++)
            for (i = 1; i <= NR; i++)
                error[m, i] = 100 * (value[m, i] * (m == 2 ? each : 1) - measured[i]) / measured[i]
        print "program,measured,compiled,instructions,llvm-mca,compiled %,constant %,llvm-mca %"
        for (i = 1; i <= NR; i++)
            printf "%s,%s,%s,%s,%s,%.1f,%.1f,%.1f\n", name[i], measured[i], value[1, i], value[2, i], value[3, i], error[1, i], error[2, i], error[3, i]
        print "#\n# | estimate | programs | mean abs | median abs | 90th percentile | within 20 % | beyond a factor of two |\n# |---|--:|--:|--:|--:|--:|--:|"
        for (m = 1; m <= 3; m++) {
            sum = near = far = 0
            for (i = 1; i <= NR; i++) {
                e[i] = size(error[m, i])
                sum += e[i]
                near += e[i] <= 20
                far += error[m, i] > 100 || error[m, i] < -50
            }
            arrange(e, NR)
            printf "# | %s | %d | %.1f %% | %.1f %% | %.1f %% | %.0f %% | %d |\n", what[m], NR, sum / NR, e[int((NR + 1) / 2)], e[int((9 * NR + 9) / 10)], 100 * near / NR, far
        }
    }' "$work/table"
