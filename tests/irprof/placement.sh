# shellcheck shell=sh
# placement.sh - read by scripts: one program, counted twice from the same IR, by the sparse and by the plain placement
# of counters. Both must say the same of every segment, edge and loop, and the program must do the same.
. "$TOP/tests/samples/pipeline.sh"
same=$BUILD/tests/irprof/same

# count_by PLACEMENT LEVEL LIBRARIES OPTIONS SECONDS: PLACEMENT.prof, .out and .status from ir/*.bc; false if it was not
# over in time
count_by() {
    for bc in ir/*.bc; do
        # shellcheck disable=SC2086 # a list of options
        irprof instrument --placement "$1" $4 "$bc" -o "counted/${bc#ir/}" || return 1
    done
    link "$2" counted "./$1.exe" "$(irprof libs) $3" || return 1
    rm -f "$1.prof"
    IRPROF_OUT=$1.prof timeout "$5" "./$1.exe" >"$1.out" 2>"$1.err"
    echo $? >"$1.status"
    [ "$(cat "$1.status")" != 124 ]
}
# agree LEVEL LIBRARIES OPTIONS: after count_by plain. Adds a line to ../compared, which tells how much there was to
# compare.
agree() {
    count_by sparse "$1" "$2" "$3" 30 && diff plain.status sparse.status && diff plain.out sparse.out &&
        diff plain.err sparse.err && "$same" plain.prof sparse.prof >same.out && cat same.out >>../compared && return
    echo "< plain, > sparse:"
    head -n 20 same.out
    false
}
# said NAME: the status before it decides
said() {
    if [ $? = 0 ]; then echo "ok $1"; else echo "not ok $1"; fi
}
# much_compared: regions, segments, executed ones, edges and loops, all of them some
much_compared() {
    awk '{ for (i = 1; i <= 5; i++) n[i] += $i }
        END {
            print "compared:", n[1] + 0, "regions,", n[2] + 0, "segments,", n[3] + 0, "of them executed,",
                n[4] + 0, "edges,", n[5] + 0, "loops"
            exit !(n[1] && n[2] && n[3] && n[4] && n[5])
        }' compared
}
