#!/bin/sh
# board.sh SEED ARCHITECTURE FOLDER - a simulated board whose core is drawn at random (draw.awk): FOLDER/board.ini, FOLDER/core.ini. Then
# `shimgen build ./FOLDER`. ARCHITECTURE: aarch64 or riscv64.
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
cat >"$folder/board.ini" <<INI
; A core that was drawn at random, simulated.
[board]
title = a core drawn at random ($seed)
target = $architecture-linux-gnu
cpu = drawn-$seed
[compile]
compiler = clang-19
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
