# shellcheck shell=sh
# pipeline.sh - read by scripts: one program, from its sources to a plain run, a counted run and the interpreter's
# judgement. All take the level of optimisation ("-O2") and work in the folder they are called in.

clang=${IRPROF_CC:-clang}
irinterp=$BUILD/tests/oracle/irinterp

# compile LEVEL CFLAGS SOURCE...: the one optimised IR of each source, into ir/*.bc
compile() {
    level=$1 cflags=$2
    shift 2
    rm -rf ir counted && mkdir ir counted || return 1
    n=0
    for source in "$@"; do
        n=$((n + 1))
        # shellcheck disable=SC2086 # a list of options
        "$clang" "$level" -g -emit-llvm $cflags -I"$BUILD/include" -c "$source" -o "ir/$n.bc" || return 1
    done
}
# link LEVEL FOLDER PROGRAM LIBRARIES: the code of FOLDER/*.bc, as it is
link() {
    for bc in "$2"/*.bc; do
        "$clang" "$1" -w -Xclang -disable-llvm-passes -c "$bc" -o "${bc%.bc}.o" || return 1
    done
    # shellcheck disable=SC2086 # a list of options
    "$clang" "$2"/*.o -o "$3" $4 -lm
}
# run_plain LEVEL: what it prints in plain.out; the program's exit status
run_plain() {
    link "$1" ir plain '' && ./plain >plain.out
}
# run_counted LEVEL [STATUS]: counted.csv "region,key,count"; the program must exit with STATUS (0)
run_counted() {
    for bc in ir/*.bc; do
        irprof instrument "$bc" -o "counted/${bc#ir/}" || return 1
    done
    link "$1" counted counted.exe "$(irprof libs)" || return 1
    IRPROF_OUT=counted.prof ./counted.exe >counted.out
    [ $? = "${2-0}" ] && irprof report --by opcode --format csv counted.prof | sed 's/^[^,]*,//' | sort >counted.csv
}
# run_judge [STATUS]: judged.csv; the program must exit with STATUS (0)
run_judge() {
    rm -f judged judged.csv
    "$irinterp" --total -o judged ir/*.bc >judged.out
    [ $? = "${1-0}" ] && sort judged >judged.csv
}
# same_counts: exactly; shows what differs
same_counts() {
    diff judged.csv counted.csv >differences || {
        echo "< interpreter, > irprof:"
        head -n 20 differences
        false
    }
}
