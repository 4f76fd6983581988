#!/bin/sh
# fuzz.sh SECONDS - what `make fuzz` runs: libFuzzer on the readers of SHIM files, of tables, of a board's answers and of profiles,
# each for so long, in FUZZ_JOBS processes (one for each processor). FUZZ=profile, shim, dataset or answer: only that one. Findings are left in $BUILD/fuzz/findings. Exit: 0 nothing found. Needs BUILD, with the fuzzer built.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
export TOP PATH="$BUILD/bin:$PATH"
folder=$BUILD/fuzz
n=${FUZZ_JOBS:-$(nproc)}
FUZZ=${FUZZ:-profile shim dataset answer}
case " $FUZZ " in *" shim "*)
    mkdir -p "$folder/shim-corpus" "$folder/findings"
    sh "$TOP/tests/fuzz/shim_seeds.sh" "$folder/shim-seeds"
    cd "$folder"
    ./tests/fuzz/fuzz_shim -max_total_time="$1" -max_len=65536 -timeout=10 -rss_limit_mb=2048 -use_value_profile=1 \
        -dict="$TOP/tests/fuzz/shim.dict" -fork="$n" -ignore_crashes=0 -artifact_prefix=findings/ shim-corpus shim-seeds
    ;;
esac
case " $FUZZ " in *" dataset "*)
    mkdir -p "$folder/dataset-corpus" "$folder/findings"
    sh "$TOP/tests/fuzz/dataset_seeds.sh" "$folder/dataset-seeds"
    cd "$folder"
    ./tests/fuzz/fuzz_dataset -max_total_time="$1" -max_len=2048 -timeout=20 -rss_limit_mb=2048 -use_value_profile=1 \
        -fork="$n" -ignore_crashes=0 -artifact_prefix=findings/ dataset-corpus dataset-seeds
    ;;
esac
case " $FUZZ " in *" answer "*)
    mkdir -p "$folder/answer-corpus" "$folder/findings"
    sh "$TOP/tests/fuzz/answer_seeds.sh" "$folder/answer-seeds"
    cd "$folder"
    ./tests/fuzz/fuzz_answer -max_total_time="$1" -max_len=4096 -timeout=10 -rss_limit_mb=2048 -use_value_profile=1 \
        -fork="$n" -ignore_crashes=0 -artifact_prefix=findings/ answer-corpus answer-seeds
    ;;
esac
case " $FUZZ " in *" profile "*) ;; *) exit 0 ;; esac
mkdir -p "$folder/corpus" "$folder/findings"
sh "$TOP/tests/fuzz/seeds.sh" "$folder/seeds"
cd "$folder"
# A profile may make the reader take 64 times its size and 64 MiB; a sanitizer takes more than that.
exec ./tests/fuzz/fuzz_profile -max_total_time="$1" -max_len=16384 -timeout=10 -rss_limit_mb=2048 -use_value_profile=1 \
    -fork="$n" -ignore_crashes=0 -artifact_prefix=findings/ corpus seeds
