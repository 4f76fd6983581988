#!/bin/sh
# board_seeds.sh FOLDER - descriptions of boards for the fuzz target: the product's own, and small ones of each kind that
# need no file beside them. Needs TOP.
set -eu
mkdir -p "$1"
for f in "$TOP"/boards/*/board.ini; do
    cp "$f" "$1/$(basename "$(dirname "$f")")"
done
cd "$1"
printf '[compile]\nlevels = O0, O2\nO2 = -O2 -mcpu=cortex-a53\n[run]\nruns = 3\npriority = normal\ncache = warm\n' >small
printf '[board]\nname = far\ntarget = aarch64-linux-gnu\n[run]\nhow = ssh\nssh = pi@raspberrypi\n[events]\nCPU_CYCLES = r11\nL1D_CACHE = r4\n' >far
printf '[board]\nclock_hz = 1.2e9\n[run]\nhow = import\nmeasurements = table.csv\n[count]\nsimulate = --spills x86_64-linux-gnu\n' >elsewhere
