#!/bin/sh
# stamp-proof.sh [wrong|stamp] - the tables of docs/method/stamp-proof.md: verdicts on three kernels, stamped by hand.
#   wrong    modules that are wrong by one change, and which verdict rejects them
#   stamp    by irprof stamp itself: on this processor; on gfx90a with shared memory that the launch gives and with the module's
# Needs the build's programs, clang and opt.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
PATH=$TOP/build/bin:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
. "$TOP/tests/irprof/stamped/make.sh"

# row WHAT BASE STAMPED [OPTION...]: the three verdicts, and what structure says
row() {
    what=$1
    shift
    irprof prove --format csv "$@" >out.csv 2>err || [ -s out.csv ] || { cat err >&2 && exit 1; }
    awk -F, -v what="$what" -v long="$long" 'NR > 1 && NR < 5 { verdict[NR] = $2
            if (NR == 2) { reason = $0; sub(/^[^,]*,[^,]*,/, "", reason); gsub(/"/, "", reason)
                at = match(reason, / \((lost|new) /)
                if (at) { rest = substr(reason, at); reason = substr(reason, 1, at - 1) substr(rest, index(rest, "); ") + 1) } } }
        END { printf "| %s | %s | %s | %s |", what, verdict[2], verdict[3], verdict[4]; if (long) printf " %s |", reason; print "" }' out.csv
}
long=1
if [ "${1-}" = wrong ]; then
    long=
    echo '| program, change | structure | executed | flip |'
    echo '|---|---|---|---|'
    for p in matrix walsh srad; do
        for mode in base replace unguarded; do stamped $p x86 $mode $p.$mode.ll; done
        row "$p, no guard" $p.base.ll $p.unguarded.ll --launch "$STAMPED/$p.launch"
        for what in always never store operation swap loop barrier unmarked; do
            awk -v what=$what -f "$STAMPED/mutate.awk" $p.replace.ll >$p.$what.ll || continue
            row "$p, $what" $p.base.ll $p.$what.ll --launch "$STAMPED/$p.launch"
        done
    done
    exit
fi
# own PROGRAM CPU MODE BY [OPTION...]: a row of a module that irprof stamp has stamped; OPTION of the proof
own() {
    p=$1 cpu=$2 mode=$3 by=$4
    shift 4
    [ -s "$p.$cpu.ll" ] || unstamped "$p" "$cpu" "$p.$cpu.ll"
    irprof stamp "$p.$cpu.ll" -o own.bc --mode "$mode" --shared-by "$by" --points "$(points_of "$p" "$cpu")" 2>err
    row "$p, $mode$([ "$cpu" = x86 ] || echo ", $by")" "$p.$cpu.ll" own.bc "$@"
}
if [ "${1-}" = stamp ]; then
    echo '| program, mode, memory by | structure | executed | flip | what structure says |'
    echo '|---|---|---|---|---|'
    for p in matrix walsh srad; do
        for mode in add replace; do own $p x86 $mode launch --launch "$STAMPED/$p.launch"; done
    done
    for p in matrix walsh srad; do
        for mode in add replace; do
            for by in module launch; do own $p amdgcn $mode $by; done
        done
    done
    exit
fi
echo '| program, target, mode | structure | executed | flip | what structure says |'
echo '|---|---|---|---|---|'
for cpu in x86 amdgcn nvptx; do
    for p in matrix walsh srad; do
        for mode in base add replace; do stamped $p $cpu $mode $p.$mode.ll; done
        for mode in add replace; do
            if [ $cpu = x86 ]; then
                row "$p, $mode" $p.base.ll $p.$mode.ll --launch "$STAMPED/$p.launch"
            else
                row "$p, $mode" $p.base.ll $p.$mode.ll
            fi
        done
    done
done
