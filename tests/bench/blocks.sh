# shellcheck shell=sh
# blocks.sh - from C source to the table of blocks: a generated model of 5,000 lines, counted step by step, at -O0 and -O2.
#   BENCH_LINES (5000)
peak=$BUILD/tests/bench/peak
sh "$TOP/tests/bench/model.sh" "${BENCH_LINES:-5000}" model || exit 1
printf 'a model of %d lines, %d blocks named by comments, 1000 steps\n' "$(wc -l <model/model.c)" \
    "$(grep -c "'<S[0-9]*>/[A-Z]" model/model.c)"
machine=$TOP/docs/example/machine.shim.xml
echo 'level,profile_ms,blocks_ms,total_ms,rows' >"$RESULTS/blocks.csv"
for level in 0 2; do
    # shellcheck disable=SC2046 # three numbers
    set -- $("$peak" shimgen profile -O$level model/model.c model/main.c --steps model_step -o o$level.prof)
    [ "$3" = 0 ] || exit 1
    profile=$1
    # shellcheck disable=SC2046
    set -- $("$peak" shimgen blocks --shim "$machine" --core all o$level.prof --format csv -o o$level.csv 2>o$level.notes)
    [ "$3" = 0 ] || { cat o$level.notes && exit 1; }
    ways=$(irprof report --by region --format csv o$level.prof | grep -c 'model_step#[0-9]')
    printf -- '-O%s: profile %d ms, blocks on four cores %d ms (%d ways through the step, %d MiB), together %.1f s (aimed at: 10 s)\n' \
        $level "$profile" "$1" "$ways" $(($2 / 1024)) "$(echo "$profile $1" | awk '{print ($1 + $2) / 1000}')"
    echo "$level,$profile,$1,$((profile + $1)),$(wc -l <o$level.csv)" >>"$RESULTS/blocks.csv"
done
