#!/bin/sh
# core.sh [FOLDER] - the tables of core-llvm.md: LLVM's model of the Cortex-A53 beside the one of boards/raspberrypi3-sim, class by class, and
# beside a real one, row by row; then SHIM files of thirteen cores that LLVM has models of. Needs a build (BUILD, build/ by default),
# llvm-mca-19 and the C libraries of aarch64 and riscv64. FOLDER: where the files go, and are kept for the next time (default: a
# temporary one). On two cores half a minute a core.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
BUILD=${BUILD:-$TOP/build}
PATH=$BUILD/bin:$PATH
CORES=${CORES:-cortex-a35 cortex-a53 cortex-a55 cortex-a510 cortex-a57 cortex-a72 cortex-a76 cortex-r82 neoverse-n1 rocket-rv64 sifive-u74 sifive-p450 syntacore-scr3-rv64}
work=${1:-}
[ "$work" ] || { work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT; }
mkdir -p "$work"

target_of() { case $1 in cortex* | neoverse*) echo aarch64-linux-gnu ;; *) echo riscv64-linux-gnu ;; esac; }
build() { # CORE OPTIONS...: FOLDER/CORE.ini, FOLDER/CORE/CORE.shim.xml
    core=$1
    shift
    [ -s "$work/$core/$core.shim.xml" ] && return
    shimgen core "llvm:$core" --target "$(target_of "$core")" "$@" -o "$work/$core.ini" 2>/dev/null
    shimgen build --core "$work/$core.ini" -o "$work/$core" >"$work/$core.log" 2>&1
    rm -rf "$work/$core/work"
}
value() { sed -n "s/^$2 = //p" "$1" | head -n 1; }
latency() { awk -v class="[$2]" '$0 == class { on = 1 } on && /^latency = / { print $3; exit }' "$1"; }

build cortex-a53 --like raspberrypi3-sim
echo '## LLVM (first), the board (second)'
awk -f "$TOP/docs/method/core_classes.awk" "$work/cortex-a53.ini" "$TOP/boards/raspberrypi3-sim/cortex-a53.ini"
echo
echo '## LLVM, hardware'
awk -f "$TOP/tests/a53/micro.awk" "$TOP/tests/a53/rows.csv" "$TOP/tests/a53/micro.txt" "$work/cortex-a53/micro.csv"
echo
echo '| core | model | issue | instructions a cycle | add | load | mul | fadd | fma | division | instructions without a value | check |'
echo '|---|---|---|--:|--:|--:|--:|--:|--:|--:|---|---|'
for core in $CORES; do
    build "$core"
    ini=$work/$core.ini shim=$work/$core/$core.shim.xml
    shared=$(value "$ini" shared)
    echo "| $core | ${shared:-its own} | $(value "$ini" order) of order | $(value "$ini" width) | $(latency "$ini" alu) | $(latency "$ini" load) | $(latency "$ini" mul64) |" \
        "$(latency "$ini" fp_add) | $(latency "$ini" fp_fma) | $(latency "$ini" sdiv64) | $(sed -n 's/^ *Without values: \(.*\)[.] -->$/\1/p' "$shim") |" \
        "$(shim-xml check "$shim" | sed -n '$s/.*: //p') |"
done | sed 's/ in of order/ in order/'
