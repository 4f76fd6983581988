#!/bin/sh
# wide_cores.sh OUT CORE.ini...: estimates of a host's programs at -O2 by `compiled` with each of these models of its core, beside what was
# measured: a table of wide.md.
#
#     shimgen build host --levels O2 --no-memory -o OUT
#     shimgen core host -o host.ini && shimgen core llvm:znver4 --target x86_64-linux-gnu -o znver4.ini
#     sh docs/method/wide_cores.sh OUT host.ini znver4.ini
#
# Measured: CORE_CYCLES_EST, ticks of the time stamp counter in cycles of the core by a chain of additions that is timed beside.
# ROLE=train (the default) or test. CSV: program, measured, the estimates; then the table.
set -eu
if [ $# -lt 2 ]; then
    echo "usage: wide_cores.sh OUT CORE.ini..." >&2
    exit 2
fi
out=$1
shift
TOP=$(cd "$(dirname "$0")/../.." && pwd)
PATH=${BUILD:-$TOP/build}/bin:$PATH
ROLE=${ROLE:-train}

modules() { find "$1" -name '[0-9]*.bc' ! -name '*.i.bc' | sort | tr '\n' ' '; }
one() { # PROGRAM REGION CORE: cycles
    shimgen estimate --method compiled --board host --core "$3" --format csv --region "$2" --program "$(modules "$out/work/$1")" "$out/work/$1/profile" 2>/dev/null </dev/null |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "cycles") column = i } NR == 2 { print $column }'
}

echo "program,measured,$(printf '%s,' "$@" | sed 's/,$//')"
awk -F, -v role="$ROLE" '
    FNR == 1 { file++ }
    file == 1 { is[$1] = $3; next }
    $3 == "CORE_CYCLES_EST" && $4 > 0 { name = $1; sub(/@.*/, "", name); if ($1 ~ /@O2$/ && is[name] == role) print $1, $2, $4 }' \
    "$out/domains.csv" "$out/measurements.csv" |
    while read -r program region measured; do
        line=$program,$measured
        for core; do
            line=$line,$(one "$program" "$region" "$core")
        done
        echo "$line"
    done |
    awk -F, -v cores="$*" '
    function size(x) { return x < 0 ? -x : x }
    function arrange(a, n,    i, k, t) {
        for (i = 2; i <= n; i++)
            for (k = i; k > 1 && a[k - 1] > a[k]; k--) { t = a[k]; a[k] = a[k - 1]; a[k - 1] = t }
    }
    { print; fflush(); for (m = 3; m <= NF; m++) if ($m == "") next; n++; for (m = 3; m <= NF; m++) error[m, n] = 100 * ($m - $2) / $2; columns = NF }
    END {
        split(cores, core, " ")
        print "#\n# | model of the core | programs | mean abs | median abs | 90th percentile | within 20 % | beyond a factor of two |\n# |---|--:|--:|--:|--:|--:|--:|"
        for (m = 3; m <= columns; m++) {
            sum = near = far = 0
            for (i = 1; i <= n; i++) {
                e[i] = size(error[m, i])
                sum += e[i]
                near += e[i] <= 20
                far += error[m, i] > 100 || error[m, i] < -50
            }
            arrange(e, n)
            printf "# | %s | %d | %.1f %% | %.1f %% | %.1f %% | %.0f %% | %d |\n", core[m - 2], n, sum / n, e[int((n + 1) / 2)], e[int((9 * n + 9) / 10)], 100 * near / n, far
        }
    }'
