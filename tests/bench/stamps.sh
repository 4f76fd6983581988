#!/bin/sh
# stamps.sh - what stamps cost: R = 100 (T2 - T1) / T1 of three programs, in pairs; and an event beside what others record.
# BENCH_SAMPLES: pairs (20); BENCH_CALLS: calls for the cost of an event (1000000); BENCH_ALIGN: how all code is aligned
# (-falign-functions=64 -falign-loops=64): else the place of a loop alone, which stamps move, costs some percent.
set -u
here=$TOP/tests/irprof/stamp
libs=$(irprof libs --stamp)
samples=${BENCH_SAMPLES:-20} calls=${BENCH_CALLS:-1000000}
mkdir -p "$RESULTS"

line() { # FILE TEXT: the number of its first line with TEXT
    grep -nF "$2" "$here/$1" | head -n 1 | cut -d: -f1
}
points() {
    case $1 in
    matmul) echo "iteration:matmul.c:$(line matmul.c 'int block = 0')" ;;
    fwt) echo "iteration:fwt.c:$(line fwt.c 'int stage = 0'),loop:fwt.c:$(line fwt.c 'N / 4; i++')" ;;
    srad) echo "iteration:srad.c:$(line srad.c 'int step = 0'),loop:srad.c:$(($(line srad.c 'z[i] =') - 1))" ;;
    esac
}
results() { # the array that nothing reads
    case $1 in matmul) echo c ;; *) echo out ;; esac
}
median() { sort -g | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
quartile() { sort -g | awk -v q="$1" '{ v[NR] = $1 } END { i = int(q * (NR - 1)) + 1; print v[i] }'; }
align=${BENCH_ALIGN--falign-functions=64 -falign-loops=64}
# shellcheck disable=SC2086 # a list of options
make_code() { "$CLANG" -O2 -Xclang -disable-llvm-passes -Wno-override-module $align "$@"; }
printf '.section .note.GNU-stack,"",@progbits\n.text\n.skip 16\n' >moved.s

echo "program,mode,stamps,cycles_between,samples,R_median,R_lower,R_upper" >"$RESULTS/stamps.csv"
printf '%-8s %-8s %7s %15s %9s %9s %9s\n' program mode stamps ticks_between R_median R_25% R_75%
for p in matmul fwt srad; do
    # As text: the order of uses, which LLVM's choices depend on, is then lost for both, as it is where IR is stamped.
    "$CLANG" -O2 -g -fno-vectorize -fno-slp-vectorize -emit-llvm -S "$here/$p.c" -o "$p.ll" || exit 1
    make_code "$p.ll" -o "$p.base"
    for mode in moved add replace sled; do
        if [ $mode = moved ]; then # without stamps: what chance does
            make_code -c "$p.ll" -o moved.o && "$CLANG" moved.s moved.o -o "$p.moved" || exit 1
        elif [ $mode = sled ]; then
            irprof stamp "$p.ll" -o "$p.$mode.bc" --points "function:$p" --mode sled || exit 1
            make_code -fxray-instrument "$p.$mode.bc" $libs -o "$p.$mode" || exit 1
        else
            irprof stamp "$p.ll" -o "$p.$mode.bc" --points "$(points $p)" --mode $mode --results "$(results $p)" || exit 1
            make_code "$p.$mode.bc" $libs -o "$p.$mode" || exit 1
        fi
        export IRPROF_STAMP_OUT="$PWD/$p.$mode.stamps"
        runs=$(awk "BEGIN { t = $("./$p.base" 9 time); n = int(3e7 / t); print n < 9 ? 9 : n }")
        "./$p.base" "$runs" time >/dev/null
        i=0
        : >"$p.$mode.r"
        while [ $i -lt "$samples" ]; do
            # Three launches of each in turns, the order changing; the shortest run of all three counts.
            if [ $((i % 2)) = 0 ]; then first=$p.base second=$p.$mode; else first=$p.$mode second=$p.base; fi
            for _ in 1 2 3; do
                echo "$first $("./$first" "$runs" time)"
                echo "$second $("./$second" "$runs" time)"
            done | awk -v base="$p.base" '
                $1 == base { if (!t1 || $2 < t1) t1 = $2; next }
                { if (!t2 || $2 < t2) t2 = $2 }
                END { print 100 * (t2 - t1) / t1 }' >>"$p.$mode.r"
            i=$((i + 1))
        done
        echo head >"$p.$mode.csv"
        "./$p.$mode" 1 >/dev/null
        [ $mode = moved ] || irprof history "$p.$mode.stamps" -o "$p.$mode.csv" 2>/dev/null
        n=$(($(wc -l <"$p.$mode.csv") - 1))
        between=$(awk -F, 'NR == 2 { first = $5 } NR > 1 { last = $5 } END { printf "%.0f", (NR > 2) ? (last - first) / (NR - 2) : 0 }' "$p.$mode.csv")
        r=$(median <"$p.$mode.r") lo=$(quartile .25 <"$p.$mode.r") hi=$(quartile .75 <"$p.$mode.r")
        echo "$p,$mode,$n,$between,$samples,$r,$lo,$hi" >>"$RESULTS/stamps.csv"
        printf '%-8s %-8s %7s %15s %9.2f %9.2f %9.2f\n' $p $mode "$n" "$between" "$r" "$lo" "$hi"
    done
done
echo "aimed at: R at most 2 % where at least 10,000 cycles are between two stamps; moved: the original, 16 bytes further on"
printf 'load of the machine (1, 5, 15 minutes): %s\n' "$(cut -d ' ' -f1-3 /proc/loadavg)"
echo

# ---- an event ----
"$CLANG" -O2 -g -emit-llvm -c "$here/calls.c" -o calls.bc
make_code calls.bc -o calls.base
for mode in add sled; do
    irprof stamp calls.bc -o calls.$mode.bc --points function:leaf --mode $mode || exit 1
done
make_code calls.add.bc $libs -o calls.add
make_code -fxray-instrument calls.sled.bc $libs -o calls.sled
irprof stamp calls.bc -o calls.p.bc --points function:leaf --clock rdtscp 2>/dev/null
[ ! -e calls.p.bc ] || make_code calls.p.bc $libs -o calls.rdtscp
"$CLANG" -O2 -DHOOKS -finstrument-functions-after-inlining "$here/calls.c" -o calls.hooks
ways="base add sled hooks"
[ ! -e calls.rdtscp ] || ways="$ways rdtscp"
if command -v uftrace >/dev/null; then
    gcc -O2 -pg "$here/calls.c" -o calls.uftrace && ways="$ways uftrace"
else
    echo "uftrace is not installed: apt-get install uftrace"
fi
ust=$(find /usr/lib -name 'liblttng-ust-cyg-profile.so*' 2>/dev/null | head -n 1)
if command -v lttng >/dev/null && [ -n "$ust" ]; then
    LTTNG_HOME=$PWD/lttng
    export LTTNG_HOME
    mkdir -p "$LTTNG_HOME"
    "$CLANG" -O2 -finstrument-functions-after-inlining "$here/calls.c" -o calls.lttng
    lttng-sessiond --no-kernel >daemon.log 2>&1 &
    daemon=$!
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        lttng list >/dev/null 2>&1 && break
        sleep 1
    done
    if lttng create bench --output="$PWD/trace" >/dev/null 2>&1 &&
        lttng enable-channel -u c --subbuf-size=64M --num-subbuf=4 >/dev/null 2>&1 &&
        lttng enable-event -u -c c 'lttng_ust_cyg_profile*' >/dev/null 2>&1 && lttng start >/dev/null 2>&1; then
        ways="$ways lttng"
    else
        echo "LTTng's daemon does not start here: left out"
    fi
else
    echo "LTTng-UST is not installed: apt-get install lttng-tools liblttng-ust-dev"
fi
one() { # WAY: time of a call [ns]
    case $1 in
    uftrace) uftrace record -d uftrace.data -b 64m --no-event ./calls.uftrace "$calls" 2>/dev/null | cut -d' ' -f1 ;;
    lttng) LD_PRELOAD=$ust ./calls.lttng "$calls" | cut -d' ' -f1 ;;
    *) IRPROF_STAMPS=$((2 * calls + 16)) ./calls."$1" "$calls" | cut -d' ' -f1 ;;
    esac
}
for w in $ways; do : >"calls.$w.t"; done
i=0
while [ $i -lt 11 ]; do
    for w in $ways; do one "$w" >>"calls.$w.t"; done
    i=$((i + 1))
done
if [ -n "${LTTNG_HOME:-}" ]; then
    { lttng stop; lttng destroy; } >lttng.log 2>&1
    kill "$daemon"
    wait "$daemon" 2>/dev/null
fi
base=$(median <calls.base.t) hooks=$(median <calls.hooks.t)
echo "way,ns_an_event,of_hooks" >"$RESULTS/stamp_events.csv"
printf '%-10s %12s %10s %12s\n' way ns/event of_hooks of_add
add=$(median <calls.add.t)
for w in $ways; do
    t=$(median <"calls.$w.t")
    awk -v w="$w" -v t="$t" -v b="$base" -v h="$hooks" -v a="$add" 'BEGIN {
        if (w == "base") exit
        printf "%-10s %12.2f %10.2f %12.2f\n", w, (t - b) / 2, (t - b) / (h - b), (t - b) / (a - b) }'
    awk -v w="$w" -v t="$t" -v b="$base" -v h="$hooks" 'BEGIN { if (w != "base") printf "%s,%.3f,%.3f\n", w, (t - b) / 2, (t - b) / (h - b) }' >>"$RESULTS/stamp_events.csv"
done
echo "hooks: -finstrument-functions with clock_gettime into a buffer. aimed at: add at most 0.5 of hooks, 0.25 of LTTng-UST and uftrace (of_add: at least 4)"
