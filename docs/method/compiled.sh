#!/bin/sh
# The table of compiled.md: `shimgen estimate --method compiled` beside what a board has measured, for every program of a
# built board, per level.
#
#     shimgen build raspberrypi3-sim --simulate '--l1d 32K:4:64 --l2 512K:16:64 --branches gshare:6:6' --out OUT
#     sh docs/method/compiled.sh raspberrypi3-sim OUT > errors.csv
#
# CSV: program, measured and estimated cycles, error in per cent; then, as lines with '#', the figures of each level.
set -eu
if [ $# -ne 2 ]; then
    echo "usage: compiled.sh BOARD OUT (the folder of 'shimgen build BOARD --out OUT')" >&2
    exit 2
fi
board=$1 work=$2/work
SHIMGEN=${SHIMGEN:-build/bin/shimgen}

estimated() # FOLDER REGION
{
    "$SHIMGEN" estimate --method compiled --board "$board" --format csv --region "$2" \
        --program "$(find "$1" -name '[0-9]*.bc' ! -name '*.i.bc' | sort | tr '\n' ' ')" "$1/profile" 2>/dev/null |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "cycles") column = i } NR == 2 { print $column }'
}

echo program,measured,estimated,error
awk -F, '$3 == "CPU_CYCLES" && $4 > 0 { print $1, $2, $4 }' "$2/measurements.csv" |
    while read -r program region measured; do
        echo "$program,$measured,$(estimated "$work/$program" "$region")"
    done | awk -F, '
    $3 == "" { print $1 "," $2 ",,"; missing++; next }
    { error = 100 * ($3 - $2) / $2; printf "%s,%s,%s,%.1f\n", $1, $2, $3, error
      level = $1; sub(/.*@/, "", level); if (error < 0) error = -error
      n[level]++; sum[level] += error; all[level, n[level]] = error
      if (error > most[level]) { most[level] = error; worst[level] = $1 } }
    function median(level,    i, k, t) {
        for (i = 2; i <= n[level]; i++)
            for (k = i; k > 1 && all[level, k - 1] > all[level, k]; k--) {
                t = all[level, k]; all[level, k] = all[level, k - 1]; all[level, k - 1] = t
            }
        return all[level, int((n[level] + 1) / 2)]
    }
    END { for (level in n)
              printf "# %s: %d programs, mean absolute error %.1f %%, median %.1f %%, worst %.1f %% (%s)\n", level, n[level],
                  sum[level] / n[level], median(level), most[level], worst[level]
          if (missing) printf "# %d without an estimate\n", missing }'
