# shellcheck shell=sh
# offload.sh - what the inputs of `shimgen offload` cost, in processor time: counting with caches beside callgrind with
# --cache-sim, for the programs of docs/method/offload; a callgrind file of 10 MB beside callgrind_annotate.
#   BENCH_ROUNDS (3): of so many times the shortest is taken
peak=$BUILD/tests/bench/peak
command -v valgrind >/dev/null || { echo "left out: offload: install the package valgrind" && exit 0; }

# COMMAND...: processor time [ms]
time_of() {
    for _ in $(seq "${BENCH_ROUNDS:-3}"); do
        "$peak" "$@" 2>notes || exit 1
    done | awk '$3 != 0 { bad = 1 } NR == 1 || $4 < least { least = $4 } END { if (bad || !NR) exit 1; print least }' ||
        { cat notes >&2 && exit 1; }
}

echo 'program,counted_ms,windows_ms,footprint_ms,callgrind_ms,ratio,windows_ratio,footprint_ratio' >counting.csv
caches='--l1d 256K:8:64:lru --l2 none'
for source in "$TOP"/docs/method/offload/*.c; do
    name=$(basename "$source" .c) times=
    "$CLANG" -O2 -g "$source" -o plain -lm && "$CLANG" -O2 -g -c -emit-llvm "$source" -o ir.bc || exit 1
    for options in "$caches" "$caches --windows 10000" --footprint; do
        # shellcheck disable=SC2046,SC2086 # lists of flags
        irprof instrument ir.bc $options -o counted.bc &&
            "$CLANG" -w -O2 -Xclang -disable-llvm-passes counted.bc -o counted $(irprof libs) -lm || exit 1
        one=$(time_of ./counted) || exit 1
        times="$times $one"
    done
    simulated=$(time_of valgrind --tool=callgrind --dump-instr=yes --cache-sim=yes --D1=262144,8,64 \
        --callgrind-out-file=one.cg ./plain) || exit 1
    echo "$name $times $simulated" |
        awk '{ printf "%s,%d,%d,%d,%d,%.3f,%.3f,%.3f\n", $1, $2, $3, $4, $5, $2 / $5, $3 / $5, $4 / $5 }' >>counting.csv
done
awk -F, 'NR > 1 { printf "%-16s %6d ms by callgrind --cache-sim; counted with caches %5d ms: %.3f, in windows of 10000 too %5d ms: %.3f; footprint alone %6d ms: %.3f\n", $1, $5, $2, $6, $3, $7, $4, $8
        n++; for (k = 6; k <= 8; k++) { s[k] += log($k); if ($k > most[k]) most[k] = $k } }
    END { printf "geometric mean, largest: with caches %.3f, %.3f; in windows too %.3f, %.3f (aimed at: 0.6); footprint alone %.3f, %.3f (no aim)\n",
        exp(s[6] / n), most[6], exp(s[7] / n), most[7], exp(s[8] / n), most[8] }' counting.csv
cp counting.csv "$RESULTS/offload.csv"

# A callgrind file of 10 MB: real code at its addresses, again and again in other functions.
program=$BUILD/bin/shim-xml
start=$(readelf -SW "$program" | awk '{ for (i = 1; i < NF; i++) if ($i == ".text") print $(i + 2) }')
awk -v program="$program" -v start=$((0x$start)) 'BEGIN {
    print "# callgrind format\nversion: 1\ncmd: " program "\ndesc: D1 cache: 262144 B, 64 B, 8-way associative"
    print "positions: instr line\nevents: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw\n\nob=(1) " program "\nfl=(1) a.c"
    for (f = 1; bytes < 10e6; f++) {
        bytes += printed(sprintf("\nfn=(%d) function_%d\n0x%x %d 1", f, f, start + f % 2000, f))
        for (i = 0; i < 300; i++) {
            bytes += printed(sprintf("+%d +%d %d %d %d 0 %d", i % 5 + 1, i % 3, f + i, i % 7, i % 4, i % 2))
            total += f + i
        }
        total++
        if (f > 1) {
            bytes += printed(sprintf("cfn=(%d)\ncalls=%d 0x%x 1\n* * %d", f - 1, i, start, i))
        }
    }
    print "\ntotals: " total
}
function printed(line) { print line; return length(line) + 1 }' >large.cg
ours=$(time_of shimgen offload large.cg --accelerator pcie3-x8) || exit 1
theirs=$(time_of callgrind_annotate --auto=no large.cg) || exit 1
echo "$ours $theirs $(wc -c <large.cg)" |
    awk '{ printf "a callgrind file of %.1f MB: %d ms, callgrind_annotate %d ms: %.3f (aimed at: 0.2)\n", $3 / 1e6, $1, $2, $1 / $2 }'
printf 'file_ms,annotate_ms\n%s,%s\n' "$ours" "$theirs" >"$RESULTS/offload_file.csv"
