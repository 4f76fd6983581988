# shellcheck shell=sh
# foreign.sh - read by scripts: programs for another machine's target, counted under an emulator.
. "$TOP/tests/irprof/placement.sh"

# for_triple TRIPLE EMULATOR FLAGS LINK-FLAGS: what follows is for this target; compiles the counting runtime for it, from
# the sources that are installed.
for_triple() {
    triple=$1 emulator=$2 target="--target=$1 $3" link_flags=$4
    runtime=$PWD/runtime
    sources=$BUILD/share/shimgen/runtime
    rm -rf "$runtime" && mkdir "$runtime" || return 1
    # shellcheck disable=SC2086,SC2154 # lists of options; $clang is pipeline.sh's
    (cd "$runtime" && "$clang" $target -std=c17 -D_GNU_SOURCE -I"$sources" -O2 -fPIC -c \
        "$sources"/irprof/runtime/*.c "$sources"/sim/*/*.c)
}
# As in pipeline.sh, for the target; the program is a script that starts the emulator.
link() { # LEVEL FOLDER PROGRAM
    for bc in "$2"/*.bc; do
        # shellcheck disable=SC2086 # a list of options
        "$clang" $target "$1" -w -Xclang -disable-llvm-passes -c "$bc" -o "${bc%.bc}.o" || return 1
    done
    # shellcheck disable=SC2086 # lists of options
    "$clang" $target "$2"/*.o -o "$3.$triple" -static $link_flags "$runtime"/*.o -lm -lpthread || return 1
    printf '#!/bin/sh\nexec %s "$0.%s" "$@"\n' "$emulator" "$triple" >"$3" && chmod +x "$3"
}
