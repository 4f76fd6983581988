# shellcheck shell=sh
# traffic.sh - what it costs to record the bytes that blocks hand on: a generated model (1000 steps), compiled without
# optimisation, as it is, counted, and with --traffic.   BENCH_TRAFFIC_LINES (5000)
peak=$BUILD/tests/bench/peak
sh "$TOP/tests/bench/model.sh" "${BENCH_TRAFFIC_LINES:-5000}" model || exit 1
for source in model main; do
    "$CLANG" -O0 -g -w -emit-llvm -c model/$source.c -o $source.bc || exit 1
done
# build NAME OPTIONS OF irprof instrument; none: nothing is counted
build() {
    name=$1 libraries=
    shift
    for source in model main; do
        cp $source.bc "$name.$source.bc"
        if [ $# -gt 0 ]; then
            irprof instrument "$@" $source.bc -o "$name.$source.bc" || return 1
            libraries=$(irprof libs)
        fi
        "$CLANG" -O0 -w -c "$name.$source.bc" -o "$name.$source.o" || return 1
    done
    # shellcheck disable=SC2086 # a list of options
    "$CLANG" "$name.model.o" "$name.main.o" $libraries -o "$name" -lm
}
build plain && build counted --steps model_step && build traffic --steps model_step --traffic || exit 1
for name in plain counted traffic; do
    for _ in 1 2 3; do
        # shellcheck disable=SC2046 # four numbers
        set -- $(IRPROF_OUT=$name.prof "$peak" "./$name")
        [ "$3" = 0 ] || exit 1
        echo "$name $4 $2"
    done
done | awk '
    !($1 in ms) || $2 < ms[$1] { ms[$1] = $2; kib[$1] = $3 }
    END {
        printf "1000 steps at -O0: %.1f ms, %.1f MiB; counted %.1f times as long, %.1f MiB; with --traffic %.1f times, %.1f MiB\n", ms["plain"], kib["plain"] / 1024,
            ms["counted"] / ms["plain"], kib["counted"] / 1024, ms["traffic"] / ms["plain"], kib["traffic"] / 1024
        printf "plain_ms,counted_ms,traffic_ms\n%s,%s,%s\n", ms["plain"], ms["counted"], ms["traffic"] > "row.csv"
    }'
cp row.csv "$RESULTS/traffic.csv"
printf 'profile: %d bytes, %d without --traffic\n' "$(wc -c <traffic.prof)" "$(wc -c <counted.prof)"
