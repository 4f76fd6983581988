#!/bin/sh
# Writes docs/accuracy-BOARD.md, the tables that docs/accuracy.md speaks of, for the boards given (host and raspberrypi3-sim without any). Run
# it from the top of the repository after `make`. A board that is built already ($OUT/BOARD/dataset.csv; OUT is `out`
# otherwise) is not built again: a build takes five to ten minutes on two quiet cores, the tables one.
# shellcheck disable=SC2016 # the backquotes are the page's
set -eu
PATH=$PWD/build/bin:$PATH
out=${OUT:-out}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
manifests=samples/paper/manifest.csv,samples/suite/manifest.csv
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
    [ -f "$all" ] || shimgen build "$1" --no-compare --out "$out/$1" >&2
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

[ $# -gt 0 ] || set -- host raspberrypi3-sim
for board; do
    part "$board"
done
