#!/bin/sh
# Makes the SHIM files of docs/example, and the pictures of README.md and docs/example-controller.md, from whole builds of the three
# simulated boards; the commands of the machines are those of the pages on them (example-controller.md, example-mixed.md).
#   sh docs/example.sh      (from the repository's root, with build/bin in PATH; OUT: where the builds are, otherwise `out`)
# A board that is not built there is built: some ten minutes each on two quiet cores. What the pages print of the files is then older:
# tests/run docs/commands shimgen/demo shimgen/example shimgen/mixed say which lines.
set -eu
TOP=$PWD
OUT=$(realpath -m "${OUT:-out}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for board in raspberrypi3-sim riscv64-sim cortex-m4-sim; do
    [ -f "$OUT/$board/$board.shim.xml" ] || shimgen build "$board" -o "$OUT/$board"
done
# The commands below a heading of a page, without those that build.
commands() { # PAGE HEADING
    awk -v heading="$2" '$0 == heading {on = 1} on && /^```/ {if (inside) exit; inside = 1; next} inside && !/^shimgen build /' "$1"
}
cp docs/example/* "$folder"
ln -s "$OUT" "$folder/out"
cp "$OUT/raspberrypi3-sim/raspberrypi3-sim.shim.xml" "$folder"
commands docs/example-controller.md '## The machine' >"$folder/machine"
commands docs/example-mixed.md '## The part' >"$folder/part"
cd "$folder"
sh -e ./machine
sh -e ./part
cp raspberrypi3-sim.shim.xml machine.shim.xml mixed.shim.xml "$TOP/docs/example"
shimgen profile --shim raspberrypi3-sim.shim.xml -O2 controller.c main.c --steps controller_step -o demo.prof
shimgen blocks --shim raspberrypi3-sim.shim.xml --top 10 demo.prof --format svg -o "$TOP/docs/demo.svg"
shimgen profile -O2 controller.c main.c --steps controller_step -o controller.prof
shimgen blocks --shim machine.shim.xml --core all controller.prof --format svg -o "$TOP/docs/example-controller.svg"
