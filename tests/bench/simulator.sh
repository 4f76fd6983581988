# shellcheck shell=sh
# simulator.sh - how fast a simulated board runs (BENCH_BOARD: raspberrypi3-sim, riscv64-sim), everything on: instructions a
# second, and the time over that of the emulator without the plugin. Processor time, the shortest of BENCH_ROUNDS (3), less
# that of an empty program.
. "$TOP/tests/bench/common.sh"

board=${BENCH_BOARD:-raspberrypi3-sim}
case $board in
raspberrypi3-sim) emulator='qemu-aarch64 -cpu cortex-a53' target=aarch64-linux-gnu cpu=cortex-a53 package=arm64 ;;
riscv64-sim) emulator=qemu-riscv64 target=riscv64-linux-gnu cpu=sifive-u74 package=riscv64 ;;
*) echo "BENCH_BOARD=$board: say raspberrypi3-sim or riscv64-sim" >&2 && exit 1 ;;
esac
command -v "${emulator%% *}" >/dev/null || { missing 'the simulator' qemu-user && exit 0; }
[ -e /usr/$target/lib/libc.a ] || { missing 'the simulator' libc6-dev-$package-cross && exit 0; }
plugin=$BUILD/lib/shimgen/shimgen-iss.so,model=$(echo "$BUILD/share/shimgen/boards/$board/"*.ini | tr ' ' '\n' | grep -v '/board\.ini$')

shortest() { # COMMAND...: seconds of its process
    for _ in $(seq "${BENCH_ROUNDS:-3}"); do
        ("$@" >/dev/null && times) || return 1
    done | awk 'NR % 2 == 0 { # what times says of the children: user and system, 0m1.230000s
        split($1, u, /[ms]/)
        split($2, v, /[ms]/)
        t = u[1] * 60 + u[2] + v[1] * 60 + v[2]
        if (NR == 2 || t < best) best = t
    } END { print best }'
}
build() { # PROGRAM FLAGS SOURCE...: for the board
    out=$1 flags=$2
    shift 2
    # shellcheck disable=SC2086 # a list of options
    "$CLANG" --target=$target -mcpu=$cpu -w $flags -I"$BUILD/include" "$@" -static -fuse-ld=lld -lm -o "$out"
}
rate() { # NAME FLAGS ROUNDS SOURCE: the program's main called so often
    name=$1 flags=$2 rounds=$3
    printf '#include <stdlib.h>\nint main_(void);\nint main(int n, char **v) { int bad = 0; for (int i = atoi(v[1]); i > 0; i--) bad |= main_(); return bad; }\n' >loop.c
    # shellcheck disable=SC2086
    "$CLANG" --target=$target -mcpu=$cpu -w $flags -I"$BUILD/include" -Dmain=main_ -c "$4" -o body.o &&
        build program "$flags" loop.c body.o && $emulator -plugin "$plugin,whole=counts" ./program "$rounds" >/dev/null ||
        return 1
    # shellcheck disable=SC2086
    simulated=$(shortest $emulator -plugin "$plugin,whole=counts" ./program "$rounds") &&
        plain=$(shortest $emulator ./program "$rounds") && empty=$(shortest $emulator ./program 0) &&
        nothing=$(shortest $emulator -plugin "$plugin,whole=unused" ./program 0) || return 1
    awk -v name="$name" -v s="$simulated" -v p="$plain" -v e="$empty" -v n="$nothing" '$1 == "0x08" { i = $2 }
        END { printf "%s %.1f %.1f %.0f\n", name, i / 1e6, i / (s - n) / 1e6, (s - n) / (p - e > 0.01 ? p - e : 0.01) }' counts | tee -a table
}
echo 'program instructions_millions millions_a_second over_emulator' | tee table
for level in -O0 -O2; do
    rate "paper/number_place$level" $level 3 "$TOP/samples/paper/number_place.c"
    rate "paper/celsius_to_fahren$level" $level 2 "$TOP/samples/paper/celsius_to_fahren.c"
    rate "paper/perfect_number$level" $level 6 "$TOP/samples/paper/perfect_number.c"
    rate "suite/fft_float$level" $level 30 "$TOP/samples/suite/fft_float.c"
    rate "suite/crc32$level" $level 100 "$TOP/samples/suite/crc32.c"
done
tr ' ' , <table >"$RESULTS/simulator-$board.csv"
figures millions_a_second table | while read -r n median mean _; do
    echo "millions of instructions a second: median $median, mean $mean of $n programs; aimed at: 20"
done
