#!/bin/sh
# The cost of counting, as counting.md states it: run from the repository's top, after make.
set -eu
PATH=$PWD/build/bin:$PATH
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
cd "$T"
cat >sort.c <<'END'
#include <stdio.h>
static int a[1000];
int main(void)
{
    for (int r = 0; r < 200; r++) {
        for (int i = 0; i < 1000; i++)
            a[i] = i * 7919 % 1000;
        for (int i = 0; i < 1000; i++)
            for (int j = 0; j < 999 - i; j++)
                if (a[j] > a[j + 1]) {
                    int t = a[j];
                    a[j] = a[j + 1];
                    a[j + 1] = t;
                }
    }
    printf("%d\n", a[5]);
}
END
clang-19 -O1 -emit-llvm -c sort.c -o sort.bc
clang-19 -O1 -Xclang -disable-llvm-passes sort.bc -o none
for kind in plain atomic; do
    irprof instrument sort.bc --counters $kind -o $kind.bc
    # shellcheck disable=SC2046 # words
    clang-19 -O1 -Xclang -disable-llvm-passes $kind.bc -o $kind $(irprof libs)
done
for kind in none plain atomic; do
    echo "$kind:"
    { time -p ./$kind >out; } 2>&1 | grep user
done
irprof report --by region irprof.out
