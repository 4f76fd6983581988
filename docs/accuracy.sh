#!/bin/sh
# Writes docs/accuracy-BOARD.md, the tables that docs/accuracy.md speaks of, for the boards given (host and raspberrypi3-sim without any), and
# of all such pages the summary in docs/accuracy.md; with `summary` in place of boards that alone. Run it from the top of the
# repository after `make`. A board that is built already ($OUT/BOARD/dataset.csv; OUT is `out` otherwise) is not built
# again: a build takes five to ten minutes on two quiet cores, the tables one.
# shellcheck disable=SC2016 # the backquotes are the page's
set -eu
PATH=$PWD/build/bin:$PATH
out=${OUT:-out}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
manifests=samples/paper/manifest.csv,samples/suite/manifest.csv,samples/short/manifest.csv
tests='paper/hanoi@*,paper/SeriesSum@*,paper/fcmp@*,paper/RadixConv@*,paper/RadixConv_F@*' # the paper's own

# The rows whose program's name matches.
rows() { # DATASET REGEX NAME
    awk -F, -v r="$2" 'NR == 1 || $1 ~ r' "$1" >"$work/$3.csv"
    echo "$work/$3.csv"
}
# Lines of crossval, without the comparison with the best of the same call.
lines() { # DATASET CLASSES SOLVERS OPTIONS...
    data=$1 classes=$2 solvers=$3
    shift 3
    regress crossval "$data" --format markdown --classes "$classes" --solvers "$solvers" "$@" |
        awk -F'|' -v OFS='|' '/unavailable:/ {sub(/\|( \|)* unavailable:/, "| unavailable:"); print; next}
                              {for (i = 15; i < NF; i++) $i = $(i + 1); NF--; print}'
}
table() { # DATASET OPTIONS...
    data=$1
    shift
    lines "$data" origin,RH850,operand,L1,L2,mem ols,nnls "$@"
    lines "$data" fine shrink "$@" | tail -n 1
    lines "$data" target shrink,tree,huber "$@" | tail -n 3
}
level() { # DATASET TITLE
    printf '\n## %s\n\nTraining programs, each domain left out in turn:\n\n' "$2"
    table "$1" --domains $manifests --rows role:train --scheme lodo
    printf '\nTest programs, by models of all training programs:\n\n'
    table "$1" --domains $manifests --rows role:train --scheme test --test-rows role:test
}
part() { # BOARD
    all=$out/$1/dataset.csv
    [ -f "$all" ] || shimgen build "$1" --no-compare --output "$out/$1" >&2
    {
        printf '# Errors on %s\n\nMade by `sh docs/accuracy.sh %s` of %s programs; [accuracy.md](accuracy.md) says what the tables are.\n' \
            "$1" "$1" "$(awk -F'[,@]' 'NR > 1 {print $1}' "$all" | sort -u | wc -l)"
        level "$(rows "$all" '@O0$' O0)" '`-O0`'
        level "$(rows "$all" '@O2$' O2)" '`-O2`'
        level "$all" 'Both levels in one model'
        printf '\n## The paper: its 20 programs, tested on its 5, at `-O0`\n\n'
        table "$(rows "$all" '^paper/.*@O0$' paper)" --scheme test --test-rows "$tests"
    } >"$work/page"
    mv "$work/page" "docs/accuracy-$1.md"
}

# Of a page's tables the held-out errors: one cost for all instructions, the least of the paper's classifications, fine, target.
summary_of() { # BOARD
    awk -F' *[|] *' -v board="$1" '
        function number(x) {gsub(/[*+]/, "", x); return x + 0}
        function print_row() {
            if (n)
                printf "| %s | %s | %s | %.1f | %s | **%s** | %s | %s | %s |\n", what, held, one, best, fine, target, median, nine, worst
            n = 0
        }
        /^## / {
            print_row()
            what = /O0/ && !/paper/ ? "`-O0` alone" : /O2/ ? "`-O2` alone" : /Both/ ? "both levels" : "the paper\047s 20 programs, `-O0`"
            what = board ", " what
            held = "its 5 to test"
        }
        /^Training programs/ {print_row(); held = "domains left out"}
        /^Test programs/ {print_row(); held = "test"}
        $2 == "baseline" {one = $11; n++; best = 1e9}
        $2 ~ /^(origin|RH850|operand|L1|L2|mem)$/ && $11 != "" && number($11) < best {best = number($11)}
        $2 == "fine" {fine = $11}
        $2 == "target" && $3 == "shrink" {target = $11; median = $12; nine = $13; worst = $14}
        END {print_row()}' "docs/accuracy-$1.md"
}
summary() {
    awk '{print} /<!-- summary: / {exit}' docs/accuracy.md
    printf '\n| held-out errors of | programs | one cost | best of the paper\047s | `fine` | `target` | its median | 90 %% | worst |\n'
    printf '|---|---|--:|--:|--:|--:|--:|--:|--:|\n'
    for page in docs/accuracy-*.md; do
        board=${page#docs/accuracy-}
        summary_of "${board%.md}"
    done
    printf '\n'
    awk '/<!-- end of the summary -->/ {on = 1} on' docs/accuracy.md
}

[ $# -gt 0 ] || set -- host raspberrypi3-sim
[ "$1" = summary ] || for board; do
    part "$board"
done
summary >"$work/summary"
[ "$(grep -c -e '<!-- summary: ' -e '<!-- end of the summary -->' "$work/summary")" = 2 ] || {
    echo "$0: docs/accuracy.md has lost a mark of its summary" >&2
    exit 1
}
mv "$work/summary" docs/accuracy.md
