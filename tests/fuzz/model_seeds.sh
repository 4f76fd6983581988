#!/bin/sh
# model_seeds.sh FOLDER - timing data of cores for the fuzz target: the product's own, without comments. Needs TOP.
set -eu
mkdir -p "$1"
for f in raspberrypi3-sim/cortex-a53.ini riscv64-sim/sifive-u74.ini; do
    sed -e '/^[#;]/d' -e '/^$/d' -e 's/  *[;#].*//' "$TOP/boards/$f" >"$1/$(basename "$f" .ini)"
done
