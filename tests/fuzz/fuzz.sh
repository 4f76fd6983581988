#!/bin/sh
# fuzz.sh SECONDS - what `make fuzz` runs: libFuzzer on the reader of profiles, in FUZZ_JOBS processes (one for each
# processor). Findings are left in $BUILD/fuzz/findings. Exit: 0 nothing found. Needs BUILD, with the fuzzer built.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
export TOP PATH="$BUILD/bin:$PATH"
folder=$BUILD/fuzz
mkdir -p "$folder/corpus" "$folder/findings"
sh "$TOP/tests/fuzz/seeds.sh" "$folder/seeds"
cd "$folder"
n=${FUZZ_JOBS:-$(nproc)}
# A profile may make the reader take 64 times its size and 64 MiB; a sanitizer takes more than that.
exec ./tests/fuzz/fuzz_profile -max_total_time="$1" -max_len=16384 -timeout=10 -rss_limit_mb=2048 -use_value_profile=1 \
    -fork="$n" -ignore_crashes=0 -artifact_prefix=findings/ corpus seeds
