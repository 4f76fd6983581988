#!/bin/sh
# blind.sh FOLDER ARCHITECTURE SEED... - cores drawn at random (draw.awk), measured as if nothing were known of them, beside their files: of
# each core the figures within their interval, and the cycles of 1,000 blocks that no trial has. ARCHITECTURE: aarch64, riscv64, or both,
# in turn. FOLDER keeps what was made; a core that is there is not measured again. Needs a build (BUILD, build/ by default).
# PROGRAMS: patterns of sample programs, which are built on each core; then `compiled` at -O2 with both files, too.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
BUILD=${BUILD:-$TOP/build}
PATH=$BUILD/bin:$PATH
if [ $# -lt 3 ]; then
    echo "usage: blind.sh FOLDER aarch64|riscv64|both SEED..." >&2
    exit 2
fi
folder=$1 architecture=$2
shift 2
mkdir -p "$folder"

blocks() { # FOLDER TARGET FLAGS...
    where=$1 target=$2
    shift 2
    clang-19 --target="$target-linux-gnu" "$@" -O2 -static "$TOP/tests/cores/blocks.c" -o "$where/blocks" -lm
    "$BUILD/tests/cores/block_cycles" "$where/measured.ini" "$where/core.ini" "$where/blocks" 1000
}
one() { # SEED TARGET
    where=$folder/$2-$1
    "$TOP/tests/cores/board.sh" "$1" "$2" "$where"
    [ -s "$where/measured.ini" ] || (cd "$folder" && shimgen core "./$2-$1" -o "$2-$1/measured.ini" 2>/dev/null)
    shimgen core "$where/measured.ini" --beside "$where/core.ini" >"$where/figures.csv"
    echo "$2 $1: $(sed -n 's/^measured = [^,]*, //p' "$where/measured.ini")"
    echo "$2 $1: $(sed -n 's/^# //p' "$where/figures.csv")"
    case $2 in
    aarch64) blocks "$where" "$2" -mcpu=cortex-a53 ;;
    *) blocks "$where" "$2" -mcpu=sifive-u74 -fuse-ld=lld ;;
    esac | sed "s/^/$2 $1: /"
    [ "${PROGRAMS:-}" ] || return 0
    [ -d "$where/out" ] || shimgen build "$where" --programs "$PROGRAMS" --runs 1 --levels O2 --no-memory --no-micro -o "$where/out" >"$where/build.log" 2>&1
    for core in core.ini measured.ini; do
        CORE=$where/$core SHIMGEN=$BUILD/bin/shimgen sh "$TOP/docs/method/compiled.sh" "$where" "$where/out" | sed -n "s/^# /$2 $1: compiled by $core: /p"
    done
}

n=0
for seed in "$@"; do
    n=$((n + 1))
    case $architecture in
    both) [ $((n % 2)) = 1 ] && target=aarch64 || target=riscv64 ;;
    *) target=$architecture ;;
    esac
    one "$seed" "$target"
done
