#!/bin/sh
# model_seeds.sh FOLDER - timing data of cores for the fuzz target: the product's own, without comments. Needs TOP.
set -eu
mkdir -p "$1"
for f in raspberrypi3-sim/cortex-a53.ini riscv64-sim/sifive-u74.ini cortex-m4-sim/cortex-m4.ini; do
    sed -e '/^[#;]/d' -e '/^$/d' -e 's/  *[;#].*//' "$TOP/boards/$f" >"$1/$(basename "$f" .ini)"
done
# With intervals, as of a measured core: of a figure, of a class's wait and unit, of nothing that exists.
for v in 'fetch.taken = 1 2' 'alu.to_address = not observable' 'alu.32.unit = 1 1' 'foo.unit = 1 2'; do
    { cat "$1/cortex-a53"; printf '[interval]\n%s\n' "$v"; } >"$1/interval-${v%% *}"
done
