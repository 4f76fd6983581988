# shellcheck shell=sh
# map.sh - blocks on cores: 1,000 random blocks on 16 cores, the speed-up curve included; the graph of a generated model.
#   BENCH_BLOCKS (1000), BENCH_MAP_LINES (5000)
peak=$BUILD/tests/bench/peak
awk -v n="${BENCH_BLOCKS:-1000}" 'BEGIN {
    srand(1)
    print "{\"graph\": \"drawn\", \"blocks\": ["
    for (i = 0; i < n; i++) printf "%s{\"name\": \"b%d\", \"cycles\": %d}\n", i ? "," : "", i, 100 + 9900 * rand()
    print "], \"edges\": ["
    for (i = 1; i < n; i++)
        for (k = 1 + int(3 * rand()); k > 0; k--)
            printf "%s{\"from\": \"b%d\", \"to\": \"b%d\", \"bytes\": %d}\n", edges++ ? "," : "", i - 1 - int(rand() * (i < 60 ? i : 60)), i, 4 * 2 ^ int(5 * rand())
    print "]}"
}' >drawn.json
sh "$TOP/tests/bench/many_cores.sh" 1 >cores.xml
# shellcheck disable=SC2046 # three numbers
set -- $("$peak" shimgen map --shim cores.xml --graph drawn.json -o map.txt 2>notes)
[ "$3" = 0 ] || { cat notes && exit 1; }
printf '%s blocks on 16 cores: %d ms, %d MiB (aimed at: 5 s); %s\n' "${BENCH_BLOCKS:-1000}" "$1" $(($2 / 1024)) "$(sed -n 3p map.txt)"
time=$1
sh "$TOP/tests/bench/model.sh" "${BENCH_MAP_LINES:-5000}" model || exit 1
shimgen profile -O2 model/model.c model/main.c --steps model_step -o model.prof || exit 1
# shellcheck disable=SC2046
set -- $("$peak" shimgen map --shim "$TOP/docs/example/machine.shim.xml" model.prof -o model.txt 2>notes)
[ "$3" = 0 ] || { cat notes && exit 1; }
printf 'a model of %d lines: %d ms, %d MiB; %s\n' "$(wc -l <model/model.c)" "$1" $(($2 / 1024)) "$(sed -n '1p; 3p' model.txt | paste -s -d ';')"
printf 'blocks_ms,model_ms\n%s,%s\n' "$time" "$1" >"$RESULTS/map.csv"
