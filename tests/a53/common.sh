# shellcheck shell=sh
# common.sh - sourced by the scripts here and by docs/method/simulator.sh: programs for AArch64 and the simulated board.
# TOP: the repository; BUILD: the build folder. MODEL: another model file; QEMU: another emulator.
BUILD=${BUILD:-$TOP/build}
MODEL=${MODEL:-$BUILD/share/shimgen/boards/raspberrypi3-sim/cortex-a53.ini}
QEMU=${QEMU:-qemu-aarch64}
CROSS=${CROSS:-aarch64-linux-gnu-gcc}

# What the simulator needs that is not there; nothing when all is.
missing()
{
    for tool in "$QEMU" "$CROSS"; do
        command -v "$tool" >/dev/null || { echo "$tool is not installed" && return; }
    done
    [ -e "$BUILD/lib/shimgen/shimgen-iss.so" ] || echo "there is no $BUILD/lib/shimgen/shimgen-iss.so"
}

# simulate FOLDER PROGRAM - where the program's stack begins depends on its name and its environment, and with that what
# shares a line: both are the same wherever this runs. SHIM_MEASURE_OUT=FILE in front: with the measuring runtime, cold.
simulate()
(
    cd "$1" || exit 1
    exec env -i ${SHIM_MEASURE_OUT:+SHIM_MEASURE_OUT="$SHIM_MEASURE_OUT" SHIM_MEASURE_CACHE=cold} \
        ${SHIM_MEASURE_OUT:+SHIM_MEASURE_SOURCE=simulator SHIM_MEASURE_EVENTS=CPU_CYCLES=4:0x11} \
        "$(command -v "$QEMU")" -cpu cortex-a53 -plugin "$BUILD/lib/shimgen/shimgen-iss.so,model=$MODEL" "./$2"
)

# rows FOLDER - the loops of loops.txt, run; FOLDER/figures.csv
rows()
{
    awk -v asm="$1/loops.S" -v table="$1/loops.c" -f "$TOP/tests/a53/generate.awk" "$TOP/tests/a53/loops.txt" &&
        "$CROSS" -O2 -static -march=armv8-a+crc -I"$TOP" "$TOP/tests/a53/run.c" "$1/loops.c" "$TOP/tests/a53/enter.S" \
            "$1/loops.S" -o "$1/rows" &&
        simulate "$1" rows >"$1/figures.csv"
}

# paper_build FOLDER - the paper's programs as the paper had them, gcc -O0: measured the paper's way (paper.h), and with
# the measuring runtime: FOLDER/SOURCE and FOLDER/SOURCE.region
paper_build()
{
    "$CROSS" -O2 -I"$TOP" -c "$TOP/tests/a53/paper.c" -o "$1/paper.o" || return 1
    for source in "$TOP"/boards/runtime/rt_*.c; do
        "$CROSS" -std=c17 -D_GNU_SOURCE -O2 -I"$TOP" -c "$source" -o "$1/$(basename "$source" .c).o" || return 1
    done
    "$CROSS" -r -nostdlib "$1"/rt_*.o -o "$1/runtime.o" || return 1
    sed 1d "$TOP/tests/a53/paper.csv" | while IFS=, read -r _ source _; do
        "$CROSS" -O0 -static -I"$TOP" -I"$TOP/base" -include "$TOP/tests/a53/paper.h" "$TOP/samples/paper/$source.c" \
            "$1/paper.o" -lm -o "$1/$source" &&
            "$CROSS" -O0 -static -I"$TOP/base" "$TOP/samples/paper/$source.c" "$1/runtime.o" -Wl,--wrap=main -lm \
                -o "$1/$source.region" || exit 1
    done
}

# paper_run FOLDER - runs them the paper's way; lines "source event count"
paper_run()
{
    sed 1d "$TOP/tests/a53/paper.csv" | while IFS=, read -r _ source _; do
        simulate "$1" "$source" >"$1/result" || exit 1
        sed "s/^/$source /" "$1/result"
    done
}

# paper_regions FOLDER - runs them with the measuring runtime, cold; lines "source region cycles"
paper_regions()
{
    sed 1d "$TOP/tests/a53/paper.csv" | while IFS=, read -r _ source _; do
        rm -f "$1/result"
        SHIM_MEASURE_OUT=result simulate "$1" "$source.region" >/dev/null || exit 1
        awk -v source="$source" '$1 == "region" { wanted = $2 != "main" } $1 == "value" && wanted { print source, "region", $2 }' \
            "$1/result"
    done
}
