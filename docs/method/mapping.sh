#!/bin/sh
# The tables of mapping.md: what 'shimgen map' predicts of a step on two cores of this machine, and how long the emitted program
# takes, for five models of different shape and eight mappings of each.
#
#     make shim QUICK=1
#     sh docs/method/mapping.sh out/host/host.shim.xml > mapping.csv
#
# Two predictions: from the SHIM file's estimates of the blocks, and from the blocks' times as measured alone (MAP_MODE=units). Both
# with the time that a message takes here (MAP_MODE=sync), and with the begin and end of a step. RUNS: runs of each (30); the median
# of their medians is taken. RUNNER: a command before each run, as in RUNNER='nice -n -15'. FOLDER: files are kept there.
# SHAPES='wide talk': only these models. STEPS: of a run (300). ALIGN=8: signals and states of two blocks may share a line of a cache.
# CSV: model, mapping, and of a step [us]: estimated, from measured blocks, measured. Lines with '#': calibration, errors, pairs.
set -eu
if [ $# -ne 1 ]; then
    echo "usage: mapping.sh HOST.shim.xml (two cores of this machine, with a clock)" >&2
    exit 2
fi
shim=$(readlink -f "$1")
runs=${RUNS:-30} runner=${RUNNER:-}
top=$(cd "$(dirname "$0")/../.." && pwd)
SHIMGEN=${SHIMGEN:-$top/build/bin/shimgen}
clock=$(sed -n 's/.*<ClockFrequency clockValue="\([^"]*\)".*/\1/p' "$shim" | head -n 1)
cores=$(sed -n 's/.*<MasterComponent name="\([^"]*\)".*/\1/p' "$shim" | head -n 2 | tr '\n' ' ')
if [ "$(echo "$cores" | wc -w)" -ne 2 ] || [ -z "$clock" ]; then
    echo "mapping.sh: $1: two cores with a clock are needed" >&2
    exit 1
fi
folder=${FOLDER:-$(mktemp -d)}
[ "${FOLDER:-}" ] || trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder" && cd "$folder" && rm -f far

member() # NAME FILE: the first number of this name in JSON
{
    sed -n "s/^ *\"$1\": \([0-9.e+-]*\),*\$/\1/p" "$2" | head -n 1
}
map() # OPTIONS...
{
    "$SHIMGEN" map --shim "$shim" --core "$(echo "$cores" | sed 's/ *$//; s/ /,/g')" --draws 0 --limit 2 "$@" 2>>log
}
median()
{
    sort -g | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}
# A virtual machine's processors are moved: the same message takes 0.03 us at one time, and 0.2 us at another. So a program runs when
# messages take about the time that the prediction has; else this waits for it.
same_distance() # PROGRAM
{
    tries=0
    until MAP_MODE=sync $runner "$1" 2>&1 >/dev/null | sed -n 's/.*message_us=\([0-9.]*\).*/\1/p' |
        awk -v was="$message_us" '{ exit !($1 < 1.5 * was && was < 1.5 * $1) }'; do
        tries=$((tries + 1))
        echo "$1" >>far
        [ $tries -lt 60 ] || break
        sleep 1
    done
}
measured() # PROGRAM MODE: the median step
{
    run=0
    while [ "$run" -lt "$runs" ]; do
        [ "$2" != mapped ] || [ $((run % 5)) != 0 ] || same_distance "$1"
        MAP_PERIOD=4 MAP_MODE=$2 $runner "$1" 2>&1 >/dev/null | sed -n 's/^map: .*median_us=\([0-9.]*\).*/\1/p'
        run=$((run + 1))
    done | median
}
# The graph with the times of units as cycles; the times on stdin.
with_times()
{
    awk -v clock="$clock" '
        FNR == NR { if (match($0, /median_us=[0-9.]+/)) { us = substr($0, RSTART + 10, RLENGTH - 10); sub(/.* unit=/, ""); time[$0] = us } next }
        /^      "name": / { name = $0; sub(/^      "name": "/, "", name); sub(/",?$/, "", name) }
        /^        "[^"]*": [0-9.e+-]+,?$/ { sub(/: [0-9.e+-]+/, ": " time[name] * clock / 1e6) }
        { print }' - "$1"
}

echo "model,mapping,estimated,blocks,measured"
for shape in ${SHAPES:-wide chain rates dominant talk}; do
    work=6000
    [ $shape != talk ] || work=40000
    perl "$top/tests/shimgen/emit_models.pl" $shape 3 $work "${STEPS:-300}" "${ALIGN:-64}" >$shape.c
    "$SHIMGEN" profile -O2 $shape.c --steps step --libs -lm -o $shape.prof >>log 2>&1
    map $shape.prof --format graph -o $shape.json
    map $shape.prof --emit $shape.best >/dev/null
    make -s -C $shape.best program
    for _ in 1 2 3 4 5; do
        MAP_MODE=sync $runner ./$shape.best/program 2>&1 >/dev/null | sed -n 's/^map: mode=//p'
        sleep 1
    done | sort -t= -k2,2g | sed -n 3p >$shape.sync
    MAP_PERIOD=4 MAP_MODE=units $runner ./$shape.best/program 2>&1 >/dev/null | with_times $shape.json >$shape.measured.json
    # What a message of 64 bytes takes is twice --message.
    message_us=$(sed -n 's/.*message_us=\([0-9.]*\).*/\1/p' $shape.sync)
    message=$(echo "$message_us" | awk -v c="$clock" '{ print $1 * c / 2e6 }')
    line=$(sed -n 's/.*line_us=\([0-9.]*\).*/\1/p' $shape.sync | awk -v c="$clock" '{ print $1 * c / 1e6 }')
    step=$(sed -n 's/.*step_us=\([0-9.]*\).*/\1/p' $shape.sync)
    echo "# $shape $(cat $shape.sync)"
    map --graph $shape.measured.json --message "$message" --line "$line" --format json -o $shape.0.mapping
    for k in 0 1 2 3 4 5 6 one; do
        if [ $k = one ]; then
            set -- --cores 1 && none=0
        else
            # shellcheck disable=SC2086
            [ $k = 0 ] || perl "$top/tests/shimgen/emit_mapping.pl" $shape.json $k $cores >$shape.$k.mapping
            set -- --mapping $shape.$k.mapping && none=$step
        fi
        map $shape.prof "$@" --message "$message" --line "$line" --emit $shape.$k --format json -o estimated
        map --graph $shape.measured.json "$@" --message "$message" --line "$line" --format json -o blocks
        make -s -C $shape.$k program
        mode=mapped
        [ $k != one ] || mode=sequential
        echo "$shape,$k,$(member step estimated),$(member step blocks),$(measured ./$shape.$k/program $mode)" |
            awk -F, -v OFS=, -v none="$none" '{ printf "%s,%s,%.2f,%.2f,%.2f\n", $1, $2, $3 + none, $4 + none, $5 }'
    done
done | tee rows
[ ! -f far ] || echo "# waited $(wc -l <far) times: messages took another time than the prediction has" | tee -a rows
awk -F, '
    function abs(x) { return x < 0 ? -x : x }
    /^#/ { next }
    { n[$1]++; row[$1, n[$1]] = $0; if (!seen[$1]++) name[++models] = $1 }
    END {
        for (m = 1; m <= models; m++) {
            e = b = count = pairs = right = right_blocks = 0
            for (i = 1; i <= n[name[m]]; i++) {
                split(row[name[m], i], x, ",")
                e += abs(x[3] / x[5] - 1); b += abs(x[4] / x[5] - 1); count++
                if (x[2] == "one") one = x[5]
                if (x[2] == 0) best = x[5]
                for (j = 1; j < i; j++) {
                    split(row[name[m], j], y, ",")
                    if (x[2] == "one" || y[2] == "one" || abs(x[5] / y[5] - 1) <= 0.1) continue
                    pairs++
                    right += (x[3] < y[3]) == (x[5] < y[5]); right_blocks += (x[4] < y[4]) == (x[5] < y[5])
                }
            }
            printf "# %-9s mean error: estimated %5.1f %%, from measured blocks %5.1f %%; pairs over 10 %% apart: %2d, ordered right %2d and %2d; best mapping %.2f times as fast as one core\n", name[m], 100 * e / count, 100 * b / count, pairs, right, right_blocks, one / best
            es += e; bs += b; counts += count; ps += pairs; rs += right; rbs += right_blocks
        }
        printf "# all       mean error: estimated %5.1f %%, from measured blocks %5.1f %%; pairs over 10 %% apart: %2d, ordered right %2d and %2d\n", 100 * es / counts, 100 * bs / counts, ps, rs, rbs
    }' rows
