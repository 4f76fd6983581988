#!/bin/sh
# docs/building.sh [BOARD...]: what a quick build costs in error, as a table for docs/building.md. Builds each board quick and whole
# ($OUT/BOARD-quick, $OUT/BOARD-whole; OUT is out/building otherwise), or takes what is there, and judges both by the whole build's
# measurements: the model of instructions (counts) and the SHIM file, scheduled. Run it from the top of the repository after `make`; a whole build takes minutes. PROGRAMS=GLOBS: these
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
# From lines of errors in %: how many, mean and median absolute error.
summary() {
    awk '{ print $1 < 0 ? -$1 : $1 }' | sort -g |
        awk '{ e[NR] = $1; sum += $1 }
             END { if (NR) printf "%d | %.1f | %.1f", NR, sum / NR, NR % 2 ? e[(NR + 1) / 2] : (e[NR / 2] + e[NR / 2 + 1]) / 2
                   else printf "0 | | " }'
}
# Of the rows whose program is in a list, by the model of instructions.
by_counts() { # WHOLE BUILD LIST
    regress predict --model "$2/model.json" "$1/dataset.csv" --format csv |
        awk -F, -v list="$3" '
            BEGIN { while ((getline name <list) > 0) wanted[name] = 1 }
            NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
            { name = $at["program"]; sub(/@.*/, "", name); p = $at["predicted"]; m = $at["measured"] }
            wanted[name] && m > 0 { print 100 * (p - m) / m }' | summary
}
# The same, by the SHIM file.
by_schedule() { # WHOLE BUILD LIST
    for shim in "$2"/*.shim.xml; do
        case $shim in *.schedule.shim.xml) ;; *) break ;; esac # the former name of the same file
    done
    while read -r name; do
        for folder in "$1/work/$name"@*; do echo "${folder#"$1"/work/}=$folder/profile"; done
    done <"$3" >"$work/profiles"
    xargs shimgen estimate --shim "$shim" --by region --format csv <"$work/profiles" 2>/dev/null |
        awk -F, '
            FNR == 1 { for (i = 1; i <= NF; i++) at[FILENAME, $i] = i; next }
            { key = $at[FILENAME, "program"] "," $at[FILENAME, "region"]; c = $at[FILENAME, "cycles"] }
            FILENAME != "-" { measured[key] = c; next }
            measured[key] > 0 { print 100 * (c - measured[key]) / measured[key] }' "$1/dataset.csv" - | summary
}
of_role() { # DOMAINS ROLE
    awk -F, -v role="$2" 'NR > 1 && $3 == role { print $1 }' "$1"
}
echo '| board | build | programs | method | rows | mean abs % | median abs % |'
echo '|---|---|---|---|---:|---:|---:|'
for board; do
    build "$board" quick --quick
    build "$board" whole ${PROGRAMS:+--programs "$PROGRAMS"}
    whole=$out/$board-whole
    of_role "$whole/domains.csv" test >"$work/test"
    of_role "$out/$board-quick/domains.csv" train >"$work/quick"
    of_role "$whole/domains.csv" train | grep -vxFf "$work/quick" >"$work/unseen" || true
    for method in counts schedule; do
        for kind in quick whole; do
            echo "| $board | $kind | test programs | $method | $(by_$method "$whole" "$out/$board-$kind" "$work/test") |"
        done
        echo "| $board | quick | training programs it never saw | $method | $(by_$method "$whole" "$out/$board-quick" "$work/unseen") |"
    done
done
