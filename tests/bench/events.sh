# shellcheck shell=sh
# events.sh - what simulating caches and branch predictors costs: every sample at -O2, timed as in slowdown.sh.
#   BENCH_ROUNDS (5)  BENCH_SAMPLES (3)  BENCH_LEAST_US (50)  BENCH_CORE (0)  BENCH_LEVEL (-O2)  BENCH_ONLY
. "$TOP/tests/bench/common.sh"

build() { # NAME OPTIONS
    mkdir -p "$1.o"
    for bc in ir/*.bc; do
        o=$1.o/$(basename "$bc" .bc)
        # shellcheck disable=SC2086 # a list of options
        irprof instrument $2 "$bc" -o "$o.bc" && object "$o.bc" "$o.o" || return 1
    done
    # shellcheck disable=SC2046 # a list of options
    "$CLANG" $(irprof libs) "$1.o"/*.o ../repeat.o -Wl,--wrap=main -o "$1" -lm
}
one() { # SET PROGRAM SOURCE...
    name=$1/$2
    shift 2
    # shellcheck disable=SC2254 # a pattern
    case $name in ${BENCH_ONLY:-*}) ;; *) return 0 ;; esac
    rm -rf program && mkdir program && cd program && optimised ir '' "$@" && mkdir plain.o || return 1
    for bc in ir/*.bc; do
        object "$bc" "plain.o/$(basename "$bc" .bc).o" || return 1
    done
    "$CLANG" plain.o/*.o ../repeat.o -Wl,--wrap=main -o plain -lm &&
        build memory --memory && build lru '--memory --l1d 32K:4:64:lru --l2 512K:16:64:lru' &&
        build branches '--branches gshare:12:8' && build tournament '--branches tournament:12:10' &&
        build tage '--branches tage:12:10:4:64' &&
        "$RACE" "${BENCH_ROUNDS:-5}" "${BENCH_SAMPLES:-3}" "${BENCH_LEAST_US:-50}" ./plain ./memory ./lru ./branches \
            ./tournament ./tage >race ||
        return 1
    cd .. && awk -v name="$name" '{ ratio[$1] = $3; ns[$1] = $2 }
        END {
            printf "%s %.3f %.3f %.3f %.3f %.3f %.3f\n", name, ns["./plain"] / 1000, ratio["./memory"], ratio["./lru"],
                ratio["./branches"], ratio["./tournament"], ratio["./tage"]
        }' program/race | tee -a table
}
timer || exit 1
echo 'program us memory lru branches tournament tage' >table
samples one || exit 1
tr ' ' , <table >"$RESULTS/events.csv"
printf '\n%-40s %3s %6s %6s %6s  %-22s %s\n' 'time of main, over the program without' n median mean worst of aim
for c in memory lru branches tournament tage; do
    aim='' what=--$c
    case $c in
    memory) aim='<= 15' ;;
    lru) aim='<= 15' what='--memory, both levels lru' ;;
    branches) what='--branches gshare:12:8' ;;
    tournament) what='--branches tournament:12:10' ;;
    tage) what='--branches tage:12:10:4:64' ;;
    esac
    figures $c table | while read -r n median mean worst who; do
        printf '%-40s %3s %6s %6s %6s  %-22s %s\n' "  $what" "$n" "$median" "$mean" "$worst" "$who" "$aim"
    done
done
echo
echo "each program: $RESULTS/events.csv"
