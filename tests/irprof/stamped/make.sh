# Sourced by tests and by docs/method/stamp-proof.sh. stamped PROGRAM CPU MODE OUT.ll makes a module of one of the programs here,
# stamped by stamp.awk; unstamped PROGRAM CPU OUT.ll [STAMPS_IN_SOURCE] one for irprof stamp, to which
# points_of PROGRAM CPU belong, or one with stamps in the source.
# shellcheck shell=sh
# Needs clang, opt (LLVM 19) and awk.
CLANG=${IRPROF_CC:-clang-19}
STAMPED=$TOP/tests/irprof/stamped
version=$("$CLANG" --version | sed -n 's/.*version \([0-9]*\).*/\1/p;q')
OPT=$(command -v "opt-${version%%.*}" || command -v opt)
flags_of() {
    case $1 in
    x86) flags='-Xclang -ffake-address-space-map -Wno-unknown-pragmas' ;;
    amdgcn) flags='--target=amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib' ;;
    nvptx) flags='--target=nvptx64-nvidia-cuda -march=sm_70 -nogpulib -Wno-unused-command-line-argument' ;;
    esac
}
unstamped() {
    flags_of "$2"
    # shellcheck disable=SC2086
    "$CLANG" -x cl -cl-std=CL1.2 -Xclang -finclude-default-header $flags -fno-discard-value-names -g -O2 -emit-llvm -S -I"$TOP/base" -DSTAMPS_IN_SOURCE="${4-0}" "$STAMPED/$1.cl" -o "$3"
}
# On x86 loops stay, and a work-item takes 32, 8 and 9 stamps. gfx90a's compiler unrolls them: a line is then one point.
points_of() {
    case $1.$2 in
    matrix.x86) echo line:matrix.cl:18,line:matrix.cl:21 ;;
    matrix.*) echo function:matrix,line:matrix.cl:16,line:matrix.cl:20 ;;
    walsh.x86) echo iteration:walsh.cl:13 ;;
    walsh.*) echo function:walsh,line:walsh.cl:16 ;;
    srad.*) echo 13 15 18 21 24 27 29 31 33 | sed 's/ /,line:srad.cl:/g; s/^/line:srad.cl:/' ;;
    esac
}
stamped() {
    flags_of "$2"
    case $1 in matrix) items=16 stamps=33 ;; walsh) items=128 stamps=9 ;; srad) items=64 stamps=10 ;; esac
    if ! [ -s "$1.$2.named.ll" ]; then
        # shellcheck disable=SC2086
        "$CLANG" -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -fno-discard-value-names $flags -O2 -S -emit-llvm \
            "$STAMPED/$1.cl" -o "$1.$2.ll" && "$OPT" -passes=instnamer -S "$1.$2.ll" -o "$1.$2.named.ll" || return 1
    fi
    awk -v mode="$3" -v cpu="$2" -v items=$items -v stamps=$stamps -f "$STAMPED/stamp.awk" "$1.$2.named.ll" >"$4"
}
