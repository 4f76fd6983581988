#!/bin/sh
# perf_seeds.sh FOLDER - texts of `perf script` for the fuzz target: with call chains and without. Needs TOP.
set -eu
mkdir -p "$1"
sed 's/flops.double/flops/' "$TOP/tests/cli/shimgen/offload-perf/phases.txt" >"$1/chains"
cat "$TOP/tests/cli/shimgen/offload-perf/flat.txt" >"$1/flat"
