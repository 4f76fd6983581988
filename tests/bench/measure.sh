# shellcheck shell=sh
# measure.sh - how long a whole board takes: each sample at the board's levels compiled, counted and measured, its memory probed.
# BENCH_BOARDS (host raspberrypi3-sim), BENCH_ONLY (all samples).
limit() { # BOARD: what is aimed at [s]
    case $1 in
    host) echo 300 ;;
    raspberrypi3-sim) echo 900 ;;
    *) echo - ;;
    esac
}
newest() { # FOLDER NAME: when the last of these files was written [s]
    find "$1" -name "$2" -exec stat -c %.3Y {} + | sort -n | tail -n 1
}
launches() { # CONDITIONS: of all programs
    awk -F '[:,]' '$1 ~ /"launches"/ { n += $2 } END { print n + 0 }' "$1"
}

echo 'board rows prepared_s measured_s memory_s rest_s all_s launches ms_a_row' | tee table
for board in ${BENCH_BOARDS:-host raspberrypi3-sim}; do
    case $board in
    raspberrypi3-sim) command -v qemu-aarch64 >/dev/null || { missing 'the simulator' qemu-user && continue; } ;;
    esac
    start=$(date +%s.%N)
    shimgen build "$board" --no-compare ${BENCH_ONLY:+--programs "$BENCH_ONLY"} -o "$board" >said 2>&1 || {
        tail -n 5 said >&2
        exit 1
    }
    end=$(date +%s.%N)
    rows=$(find "$board/work" -name counted.stamp | wc -l)
    echo "$board $rows $start $(newest "$board/work" counted.stamp) $(newest "$board/work" measured.stamp) \
        $(newest "$board" memory.csv) $end $(launches "$board/conditions.json")" |
        awk '{ printf "%s %d %.1f %.1f %.1f %.1f %.1f %d %.0f\n", $1, $2, $4 - $3, $5 - $4, $6 - $5, $7 - $6, $7 - $3, $8, 1000 * ($7 - $3) / $2 }' |
        tee -a table
    tail -n 1 table | awk -v limit="$(limit "$board")" '{ printf "%s: %d rows in %.0f s; aimed at with all samples: %s s\n", $1, $2, $7, limit }'
done
tr ' ' , <table >"$RESULTS/measure.csv"
