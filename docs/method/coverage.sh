#!/bin/sh
# coverage.sh [COUNTS.csv] - the tables of coverage.md: condition numbers of the samples' counts. Counts all samples at five
# levels, which takes some minutes and measures nothing; COUNTS.csv: keeps the counts there, or takes those that are there.
# Run from the repository's top, after make.
set -eu
top=$PWD
PATH=${BUILD:-$top/build}/bin:$PATH
counts=${1:-}
case $counts in '' | /*) ;; *) counts=$top/$counts ;; esac
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
cd "$T"
counts=${counts:-$T/counts.csv}

# A line "SET/PROGRAM LEVEL SOURCES" each, two at a time.
cat >count-one <<'END'
set -eu
name=$1 level=$2
shift 2
file=$(echo "$name" | tr / .)@$level
irprof cc "-$level" -g -w -ffp-contract=off "$@" -o "$file" -lm
IRPROF_OUT=$file.profile "./$file" >/dev/null
rm "$file"
END
count_all() {
    for manifest in "$top"/samples/*/manifest.csv; do
        folder=${manifest%/manifest.csv}
        sed 1d "$manifest" | while IFS=, read -r program _ _ sources _; do
            files=$(for s in $sources; do printf ' %s' "$folder/$s"; done)
            for level in O0 O1 O2 O3 Os; do
                echo "${folder##*/}/$program $level$files"
            done
        done
    done >all.list
    xargs -P 2 -L 1 sh count-one <all.list
    # shellcheck disable=SC2046 # words
    irprof table $(cut -d ' ' -f 1,2 all.list | sed 's:\([^/]*\)/\(.*\) \(.*\):\1/\2@\3=\1.\2@\3.profile:') -o "$counts"
}
[ -f "$counts" ] || count_all

line() { # WHAT CLASSES PATTERN-OF-ROWS
    awk -v pattern="$3" -F , 'NR == 1 || $1 ~ pattern' "$counts" >rows.csv
    shimgen coverage rows.csv --classes "$2" --samples "$top/samples" --format json -o rows.json
    awk -v what="$1" '
        function number() { sub(/,$/, ""); return $2 == "null" ? "infinite" : sprintf("%.3g", $2) }
        /^  "rows":/ { rows = number() }
        /^  "programs":/ { programs = number() }
        /^  "rank":/ { rank = number() }
        /"counts":/ { counts = number() }
        /"rows_scaled":/ { scaled = number() }
        /"rows_and_columns_scaled":/ { both = number() }
        END { printf "| %s | %d | %d | %s | %s | %s | **%s** |\n", what, programs, rows, rank, counts, scaled, both }' rows.json
}
for classes in operand fine; do
    printf '\n%s:\n\n' "$classes"
    echo '| samples | programs | rows | rank | counts | rows scaled | rows and columns scaled |'
    echo '|---|---|---|---|---|---|---|'
    line "the paper's 20, O0 (as there)" $classes '^paper/.*@O0$'
    line "the paper's 20, O0 O1 O2 O3 Os" $classes '^paper/'
    line 'all, O0' $classes '@O0$'
    line 'all, O0 O2 (what boards measure)' $classes '@O[02]$'
    line 'all, O0 O1 O2 O3 Os' $classes '.'
done
