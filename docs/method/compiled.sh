#!/bin/sh
# The table of compiled.md: `shimgen estimate --method compiled` beside what a board has measured, for every program of a
# built board, per level; test programs apart.
#
#     make shim BOARD=raspberrypi3-sim
#     sh docs/method/compiled.sh raspberrypi3-sim out/raspberrypi3-sim > errors.csv
#
# Library functions cost what the build measured (BOARD.shim.xml), where it has them; LIBRARIES=guessed: none is
# measured. ROLE=train or ROLE=test, LEVEL=O2: those alone; LEAST=3000: with at least so many cycles. CORE=FILE: estimates
# are by this model of a core (shimgen core), not by the board's. CSV: program, role, measured and estimated cycles, error in
# per cent; then, as lines with '#', for each level and role: programs, mean, median, 90th percentile and most of the
# absolute errors, how many are off by more than a factor of two.
set -eu
if [ $# -ne 2 ]; then
    echo "usage: compiled.sh BOARD OUT (the folder of 'shimgen build BOARD --output OUT')" >&2
    exit 2
fi
board=$1 out=$2
SHIMGEN=${SHIMGEN:-build/bin/shimgen}
ROLE=${ROLE:-} LEAST=${LEAST:-1} LEVEL=${LEVEL:-}
LIBRARIES=${LIBRARIES:-measured}
set -- --board "$board"
if [ "${CORE:-}" ]; then
    set -- --core "$CORE"
fi
if [ "$LIBRARIES" = measured ] && [ -f "$out/$board.shim.xml" ]; then
    set -- "$@" --shim "$out/$board.shim.xml"
fi

estimated() # FOLDER REGION OPTIONS...
{
    folder=$1 region=$2
    shift 2
    "$SHIMGEN" estimate --method compiled "$@" --format csv --region "$region" \
        --program "$(find "$folder" -name '[0-9]*.bc' ! -name '*.i.bc' | sort | tr '\n' ' ')" "$folder/profile" \
        2>/dev/null |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "cycles") column = i } NR == 2 { print $column }'
}

echo program,role,measured,estimated,error
awk -F, -v only="$ROLE" -v least="$LEAST" -v level="$LEVEL" '
    FNR == 1 { file++ }
    file == 1 { role[$1] = $3; next }
    $3 == "CPU_CYCLES" && $4 > 0 && $4 >= least && (level == "" || $1 ~ "@" level "$") {
        name = $1; sub(/@.*/, "", name); if (only == "" || role[name] == only) print $1, role[name], $2, $4 }' \
    "$out/domains.csv" "$out/measurements.csv" |
    while read -r program role region measured; do
        echo "$program,$role,$measured,$(estimated "$out/work/$program" "$region" "$@")"
    done | sort | awk -F, '
    $4 == "" { print $0 ","; missing++; next }
    { error = 100 * ($4 - $3) / $3; printf "%s,%.1f\n", $0, error
      level = $1; sub(/.*@/, "", level); group = level ", " $2; size = error < 0 ? -error : error
      n[group]++; sum[group] += size; all[group, n[group]] = size; twice[group] += error > 100 || error < -50
      if (size > most[group] + 0) { most[group] = size; worst[group] = $1 ", " sprintf("%+.1f", error) " %" } }
    function arrange(group,    i, k, t) {
        for (i = 2; i <= n[group]; i++)
            for (k = i; k > 1 && all[group, k - 1] > all[group, k]; k--) {
                t = all[group, k]; all[group, k] = all[group, k - 1]; all[group, k - 1] = t
            }
    }
    END { for (group in n) {
              arrange(group)
              printf "# %s: %d programs, mean %.1f %%, median %.1f %%, 90th percentile %.1f %%, beyond a factor of two %d, most %s\n",
                  group, n[group], sum[group] / n[group], all[group, int((n[group] + 1) / 2)],
                  all[group, int((9 * n[group] + 9) / 10)], twice[group], worst[group] | "sort"
          }
          close("sort")
          if (missing) printf "# %d without an estimate\n", missing }'
