# shellcheck shell=sh
# perf-xml.sh - perf-xml on files that cubex.py makes, of N processes with one thread and 300 events each, and on the real
# profile of 128 locations: time, memory, bytes a value; growth with N; a stream of 82,944 processes.
#   SHIMGEN_CUBE: the folder of the real profiles     BENCH_STREAM (82944): processes of the stream; 0: without it
peak=$BUILD/tests/bench/peak
cube=${SHIMGEN_CUBE:-$TOP/../shared/cube}
best() { # COMMAND...: the quickest of three, by processor time
    for _ in 1 2 3; do "$peak" "$@"; done | sort -n -k 4 | head -n 1
}
row() { # WHAT MILLISECONDS KIB STATUS PROCESSOR-MILLISECONDS
    printf '%-44s %7d ms %7d ms of processor %6d KiB  exit %d\n' "$1" "$2" "$5" "$3" "$4"
}
bytes() { # FILE WRITTEN ALL: values that stand in it; those of the profile, of which zeros of call paths are not written
    awk "BEGIN { printf \"%-44s %d bytes, %.2f a value that is written, %.2f a value\\n\", \"  $1\", $(wc -c <"$1"), $(wc -c <"$1") / $2, $(wc -c <"$1") / $3 }"
}
values() { # FILE
    perf-xml check "$1" | sed 's/.*, \([0-9]*\) values/\1/'
}
each() { # NAME FILE VALUES
    # shellcheck disable=SC2046 # four numbers
    row "$1: convert" $(best perf-xml convert "$2" -o out.xml)
    # shellcheck disable=SC2046
    row "$1: convert, packed" $(best perf-xml convert "$2" -o out.xml.gz)
    n=$(values out.xml)
    bytes out.xml "$n" "$3"
    bytes out.xml.gz "$n" "$3"
}
real=$cube/hw_counter/L2_DCM_negative.cubex
if [ -f "$real" ]; then
    each '128 locations, real (0.21 s, 64 MiB)' "$real" 537600
    # shellcheck disable=SC2046
    row '  without items' $(best perf-xml convert --items none "$real" -o out.xml)
else
    echo "the profile of 128 locations: left out, for it is not here (SHIMGEN_CUBE=FOLDER)"
fi
: >growth
for n in 16 64 256 1024 4096; do
    python3 "$TOP/tests/perf-xml/cubex.py" make $n.cubex wide=$n || exit 1
    time=$(best perf-xml convert $n.cubex -o $n.xml.gz)
    # shellcheck disable=SC2086 # four numbers
    row "$n processes: convert, packed" $time
    echo "$n ${time##* }" >>growth
done
bytes 256.xml.gz "$(values 256.xml.gz)" 76800
awk '{ x = log($1); y = log($2 > 0 ? $2 : 0.5); n++; a += x; b += y; c += x * x; d += x * y }
    END { printf "growth: processor time as processes to the power of %.2f (aimed at: 1.1)\n", (n * d - a * b) / (n * c - a * a) }' growth
# Made by awk, and never in a file: only perf-xml is timed.
stream() { # PROCESSES
    awk -v n="$1" 'BEGIN { print "<performance version=\"1.0\">"
        for (p = 0; p < n; p++) {
            printf "<process id=\"%d\"><thread id=\"0\"><category name=\"metrics\">", p
            for (i = 0; i < 300; i++)
                printf "<item name=\"item_%d\"><data unit=\"counts\">%d</data></item>", i, (i * 7919 + p * 104729) % 1000003
            print "</category></thread></process>"
        }
        print "</performance>" }'
}
[ "${BENCH_STREAM:-82944}" = 0 ] && exit 0
for n in 1000 "${BENCH_STREAM:-82944}"; do
    # shellcheck disable=SC2046
    row "$n processes: a stream, convert" $(stream "$n" | "$peak" perf-xml convert -)
done
