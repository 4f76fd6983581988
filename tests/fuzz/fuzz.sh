#!/bin/sh
# fuzz.sh SECONDS TARGET... - what `make fuzz` runs: libFuzzer on each target (tests/fuzz/TARGET.c), one after the other,
# each for so long, in FUZZ_JOBS processes (one for each processor). Findings are left in $BUILD/fuzz/findings, what was
# learnt in $BUILD/fuzz/corpus/TARGET. Exit: 0 nothing found. Needs BUILD, with the fuzzers built.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
export TOP PATH="$BUILD/bin:$PATH"
folder=$BUILD/fuzz
seconds=$1
shift
mkdir -p "$folder/findings"
cd "$folder"
# A profile may make the reader take 64 times its size and 64 MiB; a sanitizer takes more than that.
for target in "$@"; do
    set -- -max_len=16384 -timeout=10
    case $target in
    shim) set -- -max_len=65536 -timeout=10 -dict="$TOP/tests/fuzz/shim.dict" ;;
    dataset) set -- -max_len=2048 -timeout=20 ;;
    answer | manifest | micro) set -- -max_len=4096 -timeout=10 ;;
    esac
    mkdir -p "corpus/$target"
    sh "$TOP/tests/fuzz/${target}_seeds.sh" "$folder/seeds/$target"
    echo "== $target, $seconds s"
    "./tests/fuzz/fuzz_$target" -max_total_time="$seconds" -rss_limit_mb=2048 -use_value_profile=1 -fork="${FUZZ_JOBS:-$(nproc)}" \
        -ignore_crashes=0 -artifact_prefix="findings/$target-" "$@" "corpus/$target" "seeds/$target"
done
