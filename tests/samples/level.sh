#!/bin/sh
# level.sh LEVEL: all sample programs at one level of optimisation:
#   compiles    without a warning
#   self-check  the program finds its own result right
#   work        its regions execute at least the instructions that the manifest derives from the algorithm: the
#               optimiser has not deleted the work
#   counts      irprof's counts are the interpreter's, for every region and key
# SHIMGEN_SAMPLES='suite/a*': only those programs.
. "$TOP/tests/samples/pipeline.sh"
level=$1

verdict() { # NAME; the status before it says whether it holds
    if [ $? = 0 ]; then echo "ok $1"; else echo "not ok $1"; fi
}
works() { # LEAST
    awk -F, -v least="$1" '
        NR > 1 && $1 != "(program)" && $1 != "region" { n += $3 }
        END { if (n < least) print n + 0 " instructions in the regions, the manifest says at least " least
              exit n < least }' judged.csv
}
one() { # FOLDER PROGRAM SOURCES WORK
    name=${1##*/}/$2$level
    sources=
    for source in $3; do
        sources="$sources $1/$source"
    done
    # shellcheck disable=SC2086 # a list of files
    if ! compile "$level" '-Wall -Wextra -Werror' $sources; then
        echo "not ok $name compiles"
        return
    fi
    run_plain "$level"
    verdict "$name self-check"
    if ! run_judge; then
        echo "not ok $name interpreted"
        return
    fi
    works "$4"
    verdict "$name work"
    run_counted "$level" && same_counts
    verdict "$name counts"
}

for manifest in "$TOP"/samples/*/manifest.csv "$TOP"/samples/*/*/manifest.csv; do
    set_=${manifest%/manifest.csv}
    sed 1d "$manifest" >programs
    while IFS=, read -r program _ _ sources work _; do
        # shellcheck disable=SC2254 # a pattern
        case ${set_##*/}/$program in ${SHIMGEN_SAMPLES:-*}) ;; *) continue ;; esac
        one "$set_" "$program" "$sources" "$work" </dev/null
    done <programs
done
