#!/bin/sh
# assembly_seeds.sh FOLDER - assembly of clang's for the fuzz target: a small kernel for x86, gfx90a and PTX, and a function
# with a frame.
set -eu
clang=${IRPROF_CC:-clang-19}
mkdir -p "$1"
cd "$1"
cat >k.cl <<'END'
__attribute__((reqd_work_group_size(4, 1, 1))) __kernel void k(__global float *a, int n)
{
    __local float v[4];
    for (int i = 0; i < n; i++)
        v[i & 3] += a[i];
    *a = v[0] < 1 ? v[1] : v[2] - v[3];
}
END
make() { # NAME FLAG...
    name=$1
    shift
    "$clang" -x cl -cl-std=CL1.2 -w -g1 -O1 -fno-unroll-loops -nogpulib "$@" -S k.cl -o "$name"
}
make x86.s --target=x86_64-linux-gnu -Xclang -ffake-address-space-map
make amd.s --target=amdgcn-amd-amdhsa -mcpu=gfx90a
make ptx.s --target=nvptx64-nvidia-cuda -march=sm_70
# What it does not read.
for s in ./*.s; do
    grep -v '^[[:space:]]*\.\(section\|ascii\|asciz\|byte\|long\|short\|quad\|b8\|b32\|cfi\|amdhsa\)' "$s" | head -c 2500 >"${s%.s}"
done
rm ./*.s k.cl
