# shellcheck shell=bash
# farm.sh - a build of the simulated Raspberry Pi 3 on a cluster of Slurm that is this machine, with two nodes of one processor: its
# wall time beside --jobs 1 and beside the default, which uses all processors; each build begins from nothing, with the choice
# of a predictor. Then the planner: time and memory for 10,000 programs, none of which is run. BENCH_ONLY (paper/*),
# BENCH_PROGRAMS (10000), BENCH_ROUNDS (1).
. "$TOP/tests/shimgen/slurm.sh"
. "$TOP/tests/bench/common.sh"
# built FOLDER OPTIONS...: its seconds.
built() {
    folder=$1
    shift
    rm -rf "$folder"
    from=$(date +%s.%N)
    shimgen build raspberrypi3-sim --programs "${BENCH_ONLY:-paper/*}" --levels O0,O2 --no-memory --no-micro --no-compare -o "$folder" "$@" >"$folder.log" 2>&1 || {
        tail -n 5 "$folder.log" >&2
        exit 1
    }
    echo "$from $(date +%s.%N)" | awk '{ printf "%.1f\n", $2 - $1 }'
}
why=$(slurm_lacks)
command -v qemu-aarch64 >/dev/null || why='no qemu-aarch64'
if [ -n "$why" ]; then
    echo "left out: Slurm: $why"
elif slurm_start; then
    built first >/dev/null # the tools and their files are in memory from now on
    echo 'round one_s all_s slurm_s slurm_over_one slurm_over_all' | tee table
    for round in $(seq "${BENCH_ROUNDS:-1}"); do
        one=$(built one --jobs 1) && all=$(built all) && slurm_s=$(built farm --on slurm) || exit 1
        grep -H '^time: ' one.log all.log farm.log
        cmp all/measurements.csv farm/measurements.csv && cmp one/measurements.csv farm/measurements.csv || exit 1
        echo "$round $one $all $slurm_s" | awk '{ printf "%s %s %s %s %.2f %.2f\n", $1, $2, $3, $4, $4 / $2, $4 / $3 }' | tee -a table
    done
    echo "the same rows; aimed at: 0.6 of --jobs 1, 1.15 of all processors ($(nproc) here, load average $(cut -d ' ' -f 1 /proc/loadavg))"
    slurm_stop
    tr ' ' , <table >"$RESULTS/farm.csv"
else
    echo 'left out: Slurm does not start:' && tail -n 3 slurm/*.log
    slurm_stop
fi

n=${BENCH_PROGRAMS:-10000}
mkdir -p many/big && printf '#include <sample.h>\nint main(void) { return 0; }\n' >many/big/a.c && cp "$TOP/samples/sample.h" many/
awk -v n="$n" 'BEGIN { print "program,domain,role,sources,work,stresses"; for (i = 0; i < n; i++) printf "p%d,d,train,a.c,1,s\n", i }' >many/big/manifest.csv
printf '[farm]\nslots = 250\n[command]\nreserve = true\nrun = {task}\nrelease = true\n' >lab.ini
"$BUILD/tests/bench/peak" shimgen build raspberrypi3-sim --samples many --programs 'big/*' --levels O0,O2 --quick --on command:lab.ini --plan-only -o planned 2>planned.log |
    awk -v n="$n" '{ printf "planner: %d programs at two levels: %.1f s (%.1f s of the processor), %.0f MiB\n", n, $1 / 1000, $4 / 1000, $2 / 1024 }'
echo "plan.json: $(wc -c <planned/work/farm/plan.json) bytes, $(grep -c '^    \[' planned/work/farm/plan.json) tasks"
