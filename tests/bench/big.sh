# shellcheck shell=sh
# big.sh - functions of the sizes that code generators write: compiled as they are, with -fprofile-generate, and counted,
# also with simulated branches and caches, and for a cross target. Processor time and peak memory of one compilation (-c), as
# ratios to -fprofile-generate in the same round; the rounds' median.
#   BENCH_BIG ("ifs:5000 ifs:20000 switch:20000 chain:5000")  SHAPE:SIZE, see program()
#   BENCH_WAYS ("plain pgo counted branches memory"; those of the first two are always needed; also spills, those of a Cortex-A53)
#   BENCH_LEVELS ("-O0 -O1 -O2")  BENCH_TARGETS ("host aarch64-linux-gnu")  BENCH_ROUNDS (1)  BENCH_LIMIT (600 s a compilation)
. "$TOP/tests/bench/common.sh"
rounds=${BENCH_ROUNDS:-1} limit=${BENCH_LIMIT:-600}
results=$RESULTS/big.csv
mkdir -p "$RESULTS"

# program SHAPE SIZE: a function of so many ifs, cases (a table; tree: of comparisons), or blocks with a loop in
# every tenth
program() {
    awk -v shape="$1" -v n="$2" 'BEGIN {
        print "extern int in[1024], out[1024];"
        if (shape == "ifs") {
            print "int f(int x) {\n    int s = x;"
            for (i = 0; i < n; i++)
                printf "    if (in[%d] > s) s += %d; else out[%d] = s;\n", i % 1024, i * 7 % 1000, i % 1024
            print "    return s;\n}"
        } else if (shape == "switch") {
            print "int f(int x) {\n    switch (x) {"
            for (i = 0; i < n; i++)
                printf "    case %d: out[%d] += %d; break;\n", i, i % 1024, i * 7 + 1
            print "    }\n    return x;\n}"
        } else if (shape == "tree") {
            print "int f(int x) {\n    switch (x) {"
            for (i = 0; i < n; i++)
                printf "    case %d: out[%d] += %d; break;\n", i * 7919 % 1000003 * 3, i % 1024, i * 7 + 1
            print "    }\n    return x;\n}"
        } else {
            print "double f(double x) {\n    double s = x;"
            for (i = 0; i < n; i += 4) {
                printf "    /* Saturate: <S%d>/Limit */\n", i
                printf "    if (s > %d.5) s = %d.5; else if (s < -%d.25) s = -%d.25;\n", i % 97, i % 97, i % 89, i % 89
                if (i % 40 == 0)
                    printf "    for (int k = 0; k < in[%d]; k++) { s = s * 0.5 + in[k & 1023]; if (s > 1e6) break; }\n", i % 1024
                else
                    printf "    out[%d] = (int)s + in[%d];\n", i % 1024, (i + 1) % 1024
            }
            print "    return s;\n}"
        }
    }'
}
# compiler WAY, flags WAY: what compiles source.c that way, but for level and target; what is counted
compiler() {
    case $1 in
    plain) echo "$CLANG" ;;
    pgo) echo "$CLANG -fprofile-generate" ;;
    *) echo 'irprof cc' ;;
    esac
}
flags() {
    case $1 in
    branches) echo '--branches gshare:12:8' ;;
    memory) echo '--memory' ;;
    spills) echo '--spills aarch64-linux-gnu:cortex-a53' ;;
    esac
}
# measure SHAPE SIZE LEVEL TARGET WAY: a row of the table
measure() {
    where=
    [ "$4" = host ] || where="--target=$4"
    # shellcheck disable=SC2046,SC2086 # lists of words
    set -- "$@" $(IRPROF_FLAGS=$(flags "$5") "$BUILD/tests/bench/peak" timeout "$limit" $(compiler "$5") $3 $where -w \
        -c source.c -o source.o 2>>messages)
    echo "$1,$2,$3,$4,$5,$9,$7,$8" >>"$results"
}
echo 'shape,size,level,target,way,ms,KiB,status' >"$results"
: >messages
for big in ${BENCH_BIG:-ifs:5000 ifs:20000 switch:20000 chain:5000}; do
    program "${big%:*}" "${big#*:}" >source.c
    for _ in $(seq "$rounds"); do
        for level in ${BENCH_LEVELS:--O0 -O1 -O2}; do
            for target in ${BENCH_TARGETS:-host aarch64-linux-gnu}; do
                for way in ${BENCH_WAYS:-plain pgo counted branches memory}; do
                    measure "${big%:*}" "${big#*:}" "$level" "$target" "$way"
                done
            done
        done
    done
done
cat messages
# Seconds and MB of plain, ratios of the others to pgo; with several rounds the median of each round's ratio.
awk -F, '
    NR == 1 { next }
    {
        key = $1 " " $2 " " $3 " " $4
        if (!(key in seen)) { seen[key] = 1; keys[++n] = key }
        r = ++times[key, $5]
        ms[key, $5, r] = $6; kib[key, $5, r] = $7
        spills = spills || $5 == "spills"
        if ($8) bad[key, $5] = $8
    }
    function median(key, way, of,    r, i, n, v, sorted) {
        for (r = 1; r <= times[key, way]; r++) {
            v = of == "s" ? ms[key, way, r] / 1000 : of == "MB" ? kib[key, way, r] / 1024 : \
                of == "time" ? ms[key, way, r] / ms[key, "pgo", r] : kib[key, way, r] / kib[key, "pgo", r]
            for (i = ++n; i > 1 && sorted[i - 1] > v; i--) sorted[i] = sorted[i - 1]
            sorted[i] = v
        }
        return sorted[int((n + 1) / 2)]
    }
    function ratio(key, way) {
        if (!times[key, way]) return "-"
        if ((key, way) in bad) return bad[key, way] == 124 ? "too long" : "failed"
        return sprintf("%.2f %.2f", median(key, way, "time"), median(key, way, "memory"))
    }
    END {
        printf "%-8s %6s %-4s %-18s %15s %15s %12s %12s %12s%s\n", "shape", "size", "", "target", "plain [s MB]", "pgo [s MB]", "counted", "--branches", "--memory", spills ? "     --spills" : ""
        for (k = 1; k <= n; k++) {
            split(keys[k], w, " ")
            printf "%-8s %6s %-4s %-18s %8.2f %6.0f %8.2f %6.0f %12s %12s %12s%s\n", w[1], w[2], w[3], w[4],
                median(keys[k], "plain", "s"), median(keys[k], "plain", "MB"), median(keys[k], "pgo", "s"),
                median(keys[k], "pgo", "MB"), ratio(keys[k], "counted"), ratio(keys[k], "branches"), ratio(keys[k], "memory"), spills ? sprintf(" %12s", ratio(keys[k], "spills")) : ""
        }
        print "counted, --branches, --memory" (spills ? ", --spills" : "") ": time and peak memory over those of pgo (-fprofile-generate); aim: 1.5 of both for counted"
    }' "$results"
