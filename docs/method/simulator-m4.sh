#!/bin/sh
# simulator-m4.sh doubles | integers DATASET | coremark FOLDER [FLAG...] | kinds FOLDER [FLAG...] | embench FOLDER [FLAG...] - programs on the simulated
# Cortex-M4, for simulator-m4.md. FOLDER: a checkout of EEMBC's CoreMark, of Embench, which are not in this repository. COMPILER: clang-19, or
# arm-linux-gnueabihf-gcc (Debian's gcc-arm-linux-gnueabihf). Prints cycles with no wait states and with the flash of the board; `kinds`: where
# CoreMark's go, without wait states. `integers`: of a dataset the programs that calculate with no doubles.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
BUILD=${BUILD:-$TOP/build}
COMPILER=${COMPILER:-clang-19}
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
if [ "${1:-}" = integers ]; then
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^(f[a-z]*|[su]itofp)\.double(_d)?$/ || $i ~ /^fptrunc/) column[i] = 1; print; next }
        { n = 0; for (i in column) n += $i; if (!n) print }' "${2:?a dataset}"
    exit
fi
what=${1:?doubles, integers, coremark, kinds or embench}
shift
target='--target=arm-linux-gnueabihf'
case $COMPILER in
*clang*) compile="$COMPILER $target -mcpu=cortex-m4 -mthumb -fno-pic" ;;
*) compile="$COMPILER -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard -fno-pic -fno-pie" ;;
esac

for source in "$TOP"/boards/runtime/*.c; do
    name=${source##*/}
    clang-19 $target -std=c17 -D_GNU_SOURCE -I"$TOP" -O2 -c "$source" -o "$WORK/rt_${name%.c}.o"
done
model=$TOP/boards/cortex-m4-sim/cortex-m4.ini
sed 's/^wait_states = .*/wait_states = 0/' "$model" >"$WORK/ram.ini"

program() { # PROGRAM FLAGS SOURCES...: compiled and linked
    out=$1 flags=$2
    shift 2
    mkdir -p "$WORK/objects"
    # shellcheck disable=SC2086 # lists of options
    (cd "$WORK/objects" && rm -f ./*.o && $compile -std=gnu11 -w -I"$TOP/base" $flags -c "$@")
    clang-19 $target -fuse-ld=lld -static "$WORK"/objects/*.o "$WORK"/rt_*.o -Wl,--wrap=main -lm -o "$out"
}
cycles() { # MODEL PROGRAM: region, cycles, instructions
    (cd "$WORK" && env -i SHIM_MEASURE_OUT=result SHIM_MEASURE_SOURCE=simulator SHIM_MEASURE_CACHE=warm \
        SHIM_MEASURE_EVENTS=CPU_CYCLES=4:0x11,INST_RETIRED=4:0x08 \
        qemu-arm -R 0xffffffff -cpu cortex-a7 -plugin "$BUILD/lib/shimgen/shimgen-iss.so,model=$1" "$2" >said 2>messages) ||
        { cat "$WORK/said" "$WORK/messages" >&2 && echo "$2 failed" >&2 && exit 1; }
    awk '$1 == "region" { for (i = NF; i > 1; i--) if ($i ~ /[a-z]/) region = $i } $1 == "value" { print region, $2, $3 }' "$WORK/result"
}

coremark() { # FOLDER FLAGS...: $WORK/coremark
    folder=$1
    shift
    program "$WORK/coremark" "-I$TOP/tests/iss/coremark -I$folder $*" "$folder"/core_list_join.c "$folder"/core_main.c \
        "$folder"/core_matrix.c "$folder"/core_state.c "$folder"/core_util.c "$TOP/tests/iss/coremark/core_portme.c"
}

case $what in
doubles)
    program "$WORK/doubles" -O2 "$TOP/tests/iss/m4_doubles.c"
    cycles "$model" "$WORK/doubles" | awk '$1 == "move" { move = $2; next } { printf "%s %.0f cycles\n", $1, ($2 - move) / 64 }'
    ;;
coremark)
    folder=${1:?the folder of CoreMark}
    shift
    folder=$(cd "$folder" && pwd)
    [ $# -gt 0 ] || set -- -O3
    coremark "$folder" "$@"
    for memory in ram flash; do
        [ $memory = ram ] && m=$WORK/ram.ini || m=$model
        cycles "$m" "$WORK/coremark" | awk -v memory=$memory -v flags="$COMPILER $*" '{
            printf "%s, %s: %.0f cycles, %.0f instructions an iteration: %.2f CoreMark/MHz\n", flags, memory, $2 / 4, $3 / 4, 4e6 / $2 }'
    done
    ;;
kinds)
    folder=${1:?the folder of CoreMark}
    shift
    folder=$(cd "$folder" && pwd)
    [ $# -gt 0 ] || set -- -O3
    coremark "$folder" "$@"
    cycles "$WORK/ram.ini,cycles=$WORK/by-address" "$WORK/coremark" >"$WORK/whole"
    arm-linux-gnueabihf-objdump -d "$WORK/coremark" >"$WORK/code"
    awk -v flags="$COMPILER $*" -f "$TOP/docs/method/simulator-m4-kinds.awk" "$WORK/whole" "$WORK/by-address" "$WORK/code"
    ;;
embench)
    folder=${1:?the folder of Embench}
    shift
    folder=$(cd "$folder" && pwd)
    [ $# -gt 0 ] || set -- -O2
    printf '#define CPU_MHZ 1\n' >"$WORK/support.h"
    cat >"$WORK/main.c" <<'END'
#include <shim_region.h>
void initialise_benchmark(void);
int benchmark(void), verify_benchmark(int);
int main(void)
{
    initialise_benchmark();
    shim_region_begin("embench");
    int result = benchmark();
    shim_region_end("embench");
    return !verify_benchmark(result);
}
END
    for name in aha-mont64 matmult-int st ud; do
        n=$(sed -n 's/^#define LOCAL_SCALE_FACTOR *//p' "$folder/src/$name"/*.c)
        program "$WORK/$name" "-ffunction-sections -I$WORK $*" "$folder/src/$name"/*.c "$WORK/main.c"
        cycles "$WORK/ram.ini" "$WORK/$name" | awk -v what="$name, $COMPILER $*" -v n="$n" '{
            printf "%s: %.0f cycles, %.0f instructions an iteration\n", what, $2 / n, $3 / n }'
    done
    ;;
*)
    echo "$0: say doubles, integers DATASET, coremark FOLDER, kinds FOLDER or embench FOLDER" >&2
    exit 1
    ;;
esac
