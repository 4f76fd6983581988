# shellcheck shell=sh
# slowdown.sh - what counting costs: every sample at -O2 in several builds of the same optimised IR, raced against the one
# without counters. Read README.md for what is timed, and why so.
#   BENCH_ROUNDS (21)  BENCH_SAMPLES (5)  BENCH_LEAST_US (50)  BENCH_CORE (0)  BENCH_LEVEL (-O2)
#   BENCH_ONLY=PATTERN only these programs     BENCH_INSTRUCTIONS=0 leaves out counting instructions by valgrind
. "$TOP/tests/bench/common.sh"
pgo_passes='-passes=pgo-instr-gen,function(loop(loop-rotate)),instrprof' # as clang sets them up at -O2
builds='plain moved sparse each twice pgo pgo_late pgo_source pgo_atomic'

left_out=''
can_count=1
echo 'int main(void) { return 0; }' >empty.c
"$CLANG" -fprofile-generate empty.c -o empty 2>/dev/null || {
    missing 'clang -fprofile-generate' libclang-rt-19-dev
    left_out="$left_out pgo pgo_late pgo_source pgo_atomic"
}
[ -x "$LLVM_TOOLS/opt" ] || {
    missing 'the passes of -fprofile-generate alone' llvm-19
    left_out="$left_out pgo_late"
}
command -v valgrind >valgrind.path || {
    missing 'numbers of instructions' valgrind
    can_count=0
}
[ "${BENCH_INSTRUCTIONS:-1}" = 1 ] || can_count=0

# build NAME SOURCE...: NAME from ir/*.bc, by the way of that name
build() {
    way=$1 libraries=''
    shift
    mkdir -p "$way.o"
    for bc in ir/*.bc; do
        o=$way.o/$(basename "$bc" .bc)
        case $way in
        plain | moved) object "$bc" "$o.o" ;;
        sparse) irprof instrument "$bc" -o "$o.bc" && object "$o.bc" "$o.o" ;;
        each) irprof instrument --placement plain "$bc" -o "$o.bc" && object "$o.bc" "$o.o" ;;
        twice) "$CLANG" "$LEVEL" -w -c -x ir "$bc" -o "$o.o" ;;
        pgo) "$CLANG" "$LEVEL" -w -fprofile-generate -c -x ir "$bc" -o "$o.o" ;;
        pgo_atomic) "$CLANG" "$LEVEL" -w -fprofile-generate -fprofile-update=atomic -c -x ir "$bc" -o "$o.o" ;;
        pgo_late) "$LLVM_TOOLS/opt" "$pgo_passes" -do-counter-promotion "$bc" -o "$o.bc" && object "$o.bc" "$o.o" ;;
        pgo_source)
            "$CLANG" "$LEVEL" -w -fprofile-generate -I"$TOP/tests/bench/include" -c "$1" -o "$o.o" && shift
            ;;
        esac || return 1
    done
    case $way in
    moved) libraries=../moved.o ;;
    sparse | each) libraries=$(irprof libs) ;;
    pgo*) libraries=-fprofile-generate ;;
    esac
    # Without debug information: valgrind reads no DWARF 5 before version 3.20.
    # shellcheck disable=SC2086 # a list of options
    "$CLANG" $libraries "$way.o"/*.o ../repeat.o -Wl,--wrap=main -Wl,--strip-debug -o "$way" -lm
}
# Instructions of one call of main, the second one.
instructions() { # PROGRAM
    BENCH_SAMPLES=1 BENCH_CALLS=1 BENCH_UNTRAIN=0 IRPROF_OUT=/dev/null LLVM_PROFILE_FILE=/dev/null valgrind --tool=callgrind \
        --collect-atstart=no --toggle-collect=bench_sample --callgrind-out-file=/dev/null "./$1" 2>&1 >/dev/null |
        awk '/Collected :/ { print $NF }'
}
# One program: a line of the table.
one() { # SET PROGRAM SOURCE...
    name=$1/$2
    shift 2
    # shellcheck disable=SC2254 # a pattern
    case $name in ${BENCH_ONLY:-*}) ;; *) return 0 ;; esac
    rm -rf program && mkdir program && cd program && optimised ir '' "$@" || return 1
    made=
    for b in $builds; do
        case " $left_out " in *" $b "*) continue ;; esac
        build "$b" "$@" || return 1
        made="$made ./$b"
    done
    # shellcheck disable=SC2086 # a list of programs
    "$RACE" "${BENCH_ROUNDS:-21}" "${BENCH_SAMPLES:-5}" "${BENCH_LEAST_US:-50}" $made >race || return 1
    for b in $made; do
        n=0
        if [ $can_count = 1 ] && [ "$b" != ./moved ]; then n=$(instructions "$b"); fi
        echo "$b ${n:-0}"
    done >counted
    cd .. && row "$name" >>table && tail -n 1 table | awk '{
        printf "%-28s %10.1f us  sparse %.3f  each %.3f  pgo %.3f  late %.3f  source %.3f  atomic %.3f\n",
            $1, $2, $5, $7, $11, $13, $15, $17 }'
}
# The line of the table, from program/race and program/counted: for each build but the first its ratio to the first and
# the distance of the quartiles, then the same of the instructions, then sparse counters over others.
row() { # NAME
    awk -v name="$1" -v builds="$builds" '
        FNR == NR { ns[$1] = $2; ratio[$1] = $3; spread[$1] = $5 - $4; next }
        { count[$1] = $2 }
        function over(x, y) { return y ? sprintf("%.4f", x / y) : 0 }
        function of(b) { return ratio["./" b] }
        END {
            n = split(builds, b, " ")
            printf "%s %.3f", name, ns["./plain"] / 1000
            for (i = 2; i <= n; i++) printf " %.4f %.4f", of(b[i]), spread["./" b[i]]
            printf " %s", count["./plain"]
            for (i = 3; i <= n; i++) printf " %s", over(count["./" b[i]], count["./plain"])
            printf " %s %s %s", over(of("sparse"), of("pgo")), over(of("sparse"), of("pgo_late")),
                over(of("sparse"), of("pgo_source"))
            printf " %s %s", over(of("sparse"), of("pgo_atomic")), over(of("pgo"), of("twice"))
            m = split("pgo pgo_late pgo_source", b, " ")
            for (i = 1; i <= m; i++) printf " %s", over(count["./sparse"], count["./" b[i]])
            print ""
        }' program/race program/counted
}
heading() {
    printf 'program us'
    for b in $builds; do
        case $b in plain) ;; *) printf ' %s %s_spread' "$b" "$b" ;; esac
    done
    printf ' instructions'
    for b in $builds; do
        case $b in plain | moved) ;; *) printf ' %s_instructions' "$b" ;; esac
    done
    printf ' sparse_over_pgo sparse_over_pgo_late sparse_over_pgo_source sparse_over_pgo_atomic pgo_over_twice'
    for b in pgo pgo_late pgo_source; do printf ' sparse_over_%s_instructions' $b; done
    echo
}

timer &&
    echo '__asm__(".skip 16");' >moved.c && "$CLANG" -c moved.c -o moved.o || exit 1
heading >table
samples one || exit 1
tr ' ' , <table >"$RESULTS/slowdown.csv"

line() { # WHAT COLUMN TABLE AIM
    figures "$2" "$3" | while read -r n median mean worst who; do
        printf '%-64s %3s %6s %6s %6s  %-22s %s\n' "$1" "$n" "$median" "$mean" "$worst" "$who" "$4"
    done
}
summary() { # TABLE
    printf '%-64s %3s %6s %6s %6s  %-22s %s\n' 'time of main, over the program without counters' n median mean worst of aim
    line '  sparse counters (the default)' sparse "$1" 'mean <= 1.08, worst <= 1.6'
    line '  a counter for each segment and edge (--placement plain)' each "$1" ''
    line '  clang -fprofile-generate on the same IR, optimised again' pgo "$1" ''
    line '  no counters, optimised again' twice "$1" ''
    line "  clang -fprofile-generate's passes alone on the same IR" pgo_late "$1" ''
    line '  clang -fprofile-generate on the source' pgo_source "$1" ''
    line '  clang -fprofile-generate, exact in threads (update=atomic)' pgo_atomic "$1" ''
    line '  no counters, code moved by 16 bytes: what chance does' moved "$1" ''
    echo 'time of main, sparse counters over'
    line '  clang -fprofile-generate on the same IR, optimised again' sparse_over_pgo "$1" 'mean <= 0.92'
    line "  clang -fprofile-generate's passes alone on the same IR" sparse_over_pgo_late "$1" ''
    line '  clang -fprofile-generate on the source' sparse_over_pgo_source "$1" ''
    line '  clang -fprofile-generate, exact in threads (update=atomic)' sparse_over_pgo_atomic "$1" ''
    echo 'time of main'
    line '  clang -fprofile-generate over no counters, both optimised again' pgo_over_twice "$1" ''
    [ $can_count = 1 ] || return 0
    echo 'instructions of main (valgrind), over the program without counters'
    line '  sparse counters' sparse_instructions "$1" ''
    line '  a counter for each segment and edge' each_instructions "$1" ''
    line '  clang -fprofile-generate on the same IR, optimised again' pgo_instructions "$1" ''
    line '  no counters, optimised again' twice_instructions "$1" ''
    line "  clang -fprofile-generate's passes alone on the same IR" pgo_late_instructions "$1" ''
    line '  clang -fprofile-generate on the source' pgo_source_instructions "$1" ''
    echo 'instructions of main, sparse counters over'
    line '  clang -fprofile-generate on the same IR, optimised again' sparse_over_pgo_instructions "$1" 'mean <= 0.92'
    line "  clang -fprofile-generate's passes alone on the same IR" sparse_over_pgo_late_instructions "$1" ''
    line '  clang -fprofile-generate on the source' sparse_over_pgo_source_instructions "$1" ''
}
printf '\nAll samples at %s; main is called until %s us are over.\n' "$LEVEL" "${BENCH_LEAST_US:-50}"
summary table
awk 'NR == 1 || $2 >= 20' table >longer
printf '\nThose of them whose main takes at least 20 us.\n'
summary longer
echo
echo "each program: $RESULTS/slowdown.csv"
