# Sourced by tests: stamped PROGRAM CPU MODE OUT.ll makes a module of one of the programs here.
# shellcheck shell=sh
# Needs clang, opt (LLVM 19) and awk.
CLANG=${IRPROF_CC:-clang-19}
STAMPED=$TOP/tests/irprof/stamped
version=$("$CLANG" --version | sed -n 's/.*version \([0-9]*\).*/\1/p;q')
OPT=$(command -v "opt-${version%%.*}" || command -v opt)
stamped() {
    case $2 in
    x86) flags='-Xclang -ffake-address-space-map -Wno-unknown-pragmas' ;;
    amdgcn) flags='--target=amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib' ;;
    nvptx) flags='--target=nvptx64-nvidia-cuda -march=sm_70 -nogpulib -Wno-unused-command-line-argument' ;;
    esac
    case $1 in matrix) items=16 stamps=33 ;; walsh) items=128 stamps=9 ;; srad) items=64 stamps=10 ;; esac
    if ! [ -s "$1.$2.named.ll" ]; then
        # shellcheck disable=SC2086
        "$CLANG" -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -fno-discard-value-names $flags -O2 -S -emit-llvm \
            "$STAMPED/$1.cl" -o "$1.$2.ll" && "$OPT" -passes=instnamer -S "$1.$2.ll" -o "$1.$2.named.ll" || return 1
    fi
    awk -v mode="$3" -v cpu="$2" -v items=$items -v stamps=$stamps -f "$STAMPED/stamp.awk" "$1.$2.named.ll" >"$4"
}
