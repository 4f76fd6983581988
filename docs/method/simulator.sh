#!/bin/sh
# simulator.sh [all] - the tables of simulator.md: the simulated Raspberry Pi 3 beside a real one. Needs a build (BUILD,
# build/ by default), qemu-user and gcc-aarch64-linux-gnu. all: every figure of the first table, not only those that are off.
set -u
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/tests/a53/common.sh"
why=$(missing)
[ -z "$why" ] || { echo "simulator.sh: $why" >&2 && exit 1; }
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT

rows "$work" && awk ${1:+-v all=1} -f "$TOP/tests/a53/compare.awk" "$work/figures.csv" "$TOP/tests/a53/rows.csv" || exit 1
echo
paper_build "$work" && { paper_run "$work" && paper_regions "$work"; } >"$work/events" &&
    awk -f "$TOP/tests/a53/paper.awk" "$work/events" "$TOP/tests/a53/paper.csv"
