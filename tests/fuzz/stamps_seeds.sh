#!/bin/sh
# stamps_seeds.sh FOLDER - raw files of stamps for the fuzz target: of programs with threads, names, results, a clock that
# wraps or goes back, ends of all kinds; of kernels, with stamps added and in the place of results. Needs TOP.
set -eu
mkdir -p "$1"
cd "$1"
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE
python3 "$TOP/tests/cli/irprof/history-by-hand/raw.py"
python3 "$TOP/tests/cli/irprof/history-kernel/raw.py"
