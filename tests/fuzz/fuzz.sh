#!/bin/sh
# fuzz.sh SECONDS TARGET... - what `make fuzz` runs: libFuzzer on each target (tests/fuzz/TARGET.c), each for so long, as many
# of them side by side as there are FUZZ_JOBS (one for each processor); a target alone has all of these. Findings are left
# in $BUILD/fuzz/findings, what was learnt in $BUILD/fuzz/corpus/TARGET, what libFuzzer said in $BUILD/fuzz/logs/TARGET.
# Exit: 0 nothing found. Needs BUILD, with the fuzzers built.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
export TOP PATH="$BUILD/bin:$PATH" SHIMGEN_PREFIX="$BUILD"
folder=$BUILD/fuzz

# A profile may make the reader take 64 times its size and 64 MiB; a sanitizer takes more than that.
one() { # SECONDS PROCESSES TARGET
    seconds=$1 processes=$2 target=$3
    set -- -max_len=16384 -timeout=10
    case $target in
    shim) set -- -max_len=65536 -timeout=10 -dict="$TOP/tests/fuzz/shim.dict" ;;
    dataset) set -- -max_len=2048 -timeout=20 ;;
    answer | manifest | micro) set -- -max_len=4096 -timeout=10 ;;
    esac
    mkdir -p "corpus/$target"
    sh "$TOP/tests/fuzz/${target}_seeds.sh" "$folder/seeds/$target"
    if "./tests/fuzz/fuzz_$target" -max_total_time="$seconds" -rss_limit_mb=2048 -use_value_profile=1 -fork="$processes" \
        -ignore_crashes=0 -artifact_prefix="findings/$target-" "$@" "corpus/$target" "seeds/$target" >"logs/$target" 2>&1; then
        printf '== %s, %s s: no finding; %s\n' "$target" "$seconds" "$(grep '^#' "logs/$target" | tail -n 1)"
    else
        printf '== %s: FOUND\n%s\n' "$target" "$(tail -n 60 "logs/$target")"
        return 1
    fi
}

mkdir -p "$folder/findings" "$folder/logs"
cd "$folder"
if [ "$1" = --one ]; then
    shift
    one "$@"
    exit
fi
seconds=$1
shift
jobs=${FUZZ_JOBS:-$(nproc)} each=1
if [ "$jobs" -gt $# ]; then each=$((jobs / $#)) jobs=$#; fi
printf '%s\n' "$@" | xargs -P "$jobs" -n 1 sh "$TOP/tests/fuzz/fuzz.sh" --one "$seconds" "$each"
