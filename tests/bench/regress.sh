# shellcheck shell=sh
# regress.sh - leave-one-out and 1,000 bootstraps of a non-negative fit on 2,000 rows of 60 variables, beside the same in
# Python with SciPy on the same number of processors, and how far the results differ.
#   BENCH_ROWS (2000)  BENCH_VARIABLES (60)  BENCH_RESAMPLES (1000)  BENCH_PYTHON (python3): one that has SciPy
rows=${BENCH_ROWS:-2000} variables=${BENCH_VARIABLES:-60} resamples=${BENCH_RESAMPLES:-1000}
cores=$(nproc)
# Counts spread over three orders of magnitude, one in three is 0; a fifth of the costs is 0, so that the bounds hold.
awk -v n="$rows" -v p="$variables" '
    function uniform() { state = (state * 16807) % 2147483647; return state / 2147483647 }
    BEGIN {
        state = 12345
        printf "program,cycles"
        for (j = 0; j < p; j++) { printf ",v%d", j; cost[j] = j % 5 ? 0.5 + 3 * uniform() : 0 }
        print ""
        for (i = 0; i < n; i++) {
            sum = 0; line = ""
            for (j = 0; j < p; j++) {
                count = uniform() < 0.33 ? 0 : int(exp(3 + 4 * uniform()))
                sum += count * cost[j]; line = line "," count
            }
            printf "p%d,%.3f%s\n", i, sum * (0.7 + 0.6 * uniform()), line
        }
    }' >table.csv
printf 'each *\n' >each.classes
seconds() { # COMMAND...: the time it takes
    start=$(date +%s%N)
    "$@" || return 1
    echo $(($(date +%s%N) - start)) | awk '{ printf "%.2f\n", $1 / 1e9 }'
}
best=
for _ in 1 2 3; do
    t=$(seconds regress fit table.csv --classes ./each.classes --solver nnls --resamples "$resamples" -o model.json | tail -n 1)
    best=$(printf '%s\n%s\n' "$t" "${best:-$t}" | sort -n | head -n 1)
done
echo "$rows rows, $variables variables, nnls: leave-one-out and $resamples bootstraps, $cores processors"
echo "regress fit: $best s, reading and writing included (aimed at: 5 s)"
python=
for candidate in ${BENCH_PYTHON:-python3 /usr/bin/python3}; do
    "$candidate" -c 'import scipy.optimize' 2>/dev/null && python=$candidate && break
done
if [ -z "$python" ]; then
    . "$TOP/tests/bench/common.sh"
    missing 'SciPy beside it' python3-scipy
    exit 0
fi
OPENBLAS_NUM_THREADS=1 "$python" "$TOP/tests/bench/regress.py" table.csv model.json "$resamples" "$cores" "$best"
