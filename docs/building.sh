#!/bin/sh
# docs/building.sh [BOARD...]: what a quick build costs in error, as a table for docs/building.md. Builds each board quick and whole
# ($OUT/BOARD-quick, $OUT/BOARD-whole; OUT is out/building otherwise), or takes what is there, and judges both models on the whole
# build's measurements. Run it from the top of the repository after `make`; a whole build takes minutes. PROGRAMS=GLOBS: these
# alone stand for all.
set -eu
PATH=$PWD/build/bin:$PATH
out=${OUT:-out/building}
[ $# -gt 0 ] || set -- raspberrypi3-sim host
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build() { # BOARD KIND OPTIONS...
    board=$1 folder=$out/$1-$2
    shift 2
    [ -s "$folder/model.json" ] || shimgen build "$board" --no-compare --output "$folder" "$@" >&2
}
# Of the rows whose program is in a list: how many, mean and median absolute error.
errors() { # DATASET MODEL LIST
    regress predict --model "$2" "$1" --format csv |
        awk -F, -v list="$3" '
            BEGIN { while ((getline name <list) > 0) wanted[name] = 1 }
            NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
            { name = $at["program"]; sub(/@.*/, "", name); p = $at["predicted"]; m = $at["measured"] }
            wanted[name] && m > 0 { e = 100 * (p - m) / m; print e < 0 ? -e : e }' | sort -g |
        awk '{ e[NR] = $1; sum += $1 }
             END { if (NR) printf "%d | %.1f | %.1f", NR, sum / NR, NR % 2 ? e[(NR + 1) / 2] : (e[NR / 2] + e[NR / 2 + 1]) / 2
                   else printf "0 | | " }'
}
of_role() { # DOMAINS ROLE
    awk -F, -v role="$2" 'NR > 1 && $3 == role { print $1 }' "$1"
}
echo '| board | build | programs | rows | mean abs % | median abs % |'
echo '|---|---|---|---:|---:|---:|'
for board; do
    build "$board" quick --quick
    build "$board" whole ${PROGRAMS:+--programs "$PROGRAMS"}
    whole=$out/$board-whole
    of_role "$whole/domains.csv" test >"$work/test"
    of_role "$out/$board-quick/domains.csv" train >"$work/quick"
    of_role "$whole/domains.csv" train | grep -vxFf "$work/quick" >"$work/unseen" || true
    for kind in quick whole; do
        echo "| $board | $kind | test programs | $(errors "$whole/dataset.csv" "$out/$board-$kind/model.json" "$work/test") |"
    done
    echo "| $board | quick | training programs it never saw | $(errors "$whole/dataset.csv" "$out/$board-quick/model.json" "$work/unseen") |"
done
