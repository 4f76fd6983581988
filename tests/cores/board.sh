#!/bin/sh
# board.sh SEED ARCHITECTURE FOLDER - a simulated board whose core is drawn at random (draw.awk): FOLDER/board.ini, FOLDER/core.ini. Then
# `shimgen build ./FOLDER`. ARCHITECTURE: aarch64 or riscv64. Needs shim-xml in PATH: the machine, one core, is FOLDER/skeleton.shim.xml.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
if [ $# -ne 3 ]; then
    echo "usage: board.sh SEED aarch64|riscv64 FOLDER" >&2
    exit 2
fi
seed=$1 architecture=$2 folder=$3
mkdir -p "$folder"
awk -v seed="$seed" -v architecture="$architecture" -f "$here/draw.awk" >"$folder/core.ini"
case $architecture in
aarch64) compile=-mcpu=cortex-a53 link='-static -lm' cpu='cpu = cortex-a53' ;;
riscv64) compile=-mcpu=sifive-u74 link='-fuse-ld=lld -static -lm' cpu= ;;
esac
cache() { # SECTION: SIZE:WAYS:LINE
    awk -v wanted="[$1]" '/^\[/ { on = $0 == wanted } on && /^(size|ways|line) = / { text = text (text ? ":" : "") $3 } END { print text }' "$folder/core.ini"
}
cat >"$folder/machine.ini" <<INI
[machine]
name = drawn_$seed
clock = $(sed -n 's/^clock_hz = //p' "$folder/core.ini")
[cluster Cluster_0]
cores = 1
arch = $architecture
l1i = $(cache l1i) SOFT
l1d = $(cache l1d)
l2 = $(cache l2)
[memory Memory_0]
size = 1G
INI
shim-xml new --from "$folder/machine.ini" -o "$folder/skeleton.shim.xml"
cat >"$folder/board.ini" <<INI
; A core that was drawn at random, simulated.
[board]
title = a core drawn at random ($seed)
target = $architecture-linux-gnu
cpu = drawn-$seed
[compile]
levels = O0 O2
flags = $compile -ffp-contract=off
[link]
flags = $link
[run]
how = simulator
runs = 1
timeout = 600
cache = warm
[simulator]
emulator = qemu-$architecture
$cpu
model = core.ini
[events]
CPU_CYCLES = raw:0x11
INST_RETIRED = raw:0x08
L1D_CACHE = raw:0x04
L1D_CACHE_REFILL = raw:0x03
L2D_CACHE = raw:0x16
L2D_CACHE_REFILL = raw:0x17
BR_MIS_PRED = raw:0x10
INI
