#!/bin/sh
# measure.sh RUNS ONE STEP UNIT - how long a step takes as it was and on the cores: of RUNS runs of ./program each, by turns,
# the median of the runs' means and medians. ONE, STEP: what was predicted.
set -eu
runs=$1 one=$2 step=$3 unit=$4
times=$(mktemp)
trap 'rm -f "$times"' EXIT
run=0
while [ "$run" -lt "$runs" ]; do
    for mode in sequential mapped; do
        MAP_MODE=$mode ./program 2>&1 >/dev/null | grep '^map: mode=' >>"$times"
    done
    run=$((run + 1))
done
awk -v one="$one" -v step="$step" -v unit="$unit" '
    function sorted(list, n,    i, j, x) {
        for (i = 2; i <= n; i++) {
            x = list[i]
            for (j = i - 1; j >= 1 && list[j] > x; j--)
                list[j + 1] = list[j]
            list[j + 1] = x
        }
        return n % 2 ? list[(n + 1) / 2] : (list[n / 2] + list[n / 2 + 1]) / 2
    }
    {
        split($2, mode, "="); split($4, median, "="); split($5, mean, "=")
        if (mode[2] == "sequential") { s++; smean[s] = mean[2]; smedian[s] = median[2] }
        else { m++; mmean[m] = mean[2]; mmedian[m] = median[2] }
    }
    END {
        a = sorted(smean, s); b = sorted(mmean, m); c = sorted(smedian, s); d = sorted(mmedian, m)
        printf "%-12s %12s %12s %12s %10s\n", "step", "predicted " unit, "mean us", "median us", "runs"
        printf "%-12s %12.2f %12.2f %12.2f %10d\n", "one core", one, a, c, s
        printf "%-12s %12.2f %12.2f %12.2f %10d\n", "mapped", step, b, d, m
        printf "%-12s %12.3f %12.3f %12.3f\n", "speed-up", one / step, a / b, c / d
    }' "$times"
