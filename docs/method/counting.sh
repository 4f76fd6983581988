#!/bin/sh
# The cost of counting, as counting.md states it: run from the repository's top, after make. User time [s] of each
# program without counters and with those of each kind, and its ratio to the one without: the lowest of five runs
# that take turns.
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
    for (int r = 0; r < 2000; r++) {
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
cat >fib.c <<'END'
long fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
END
cat >main.c <<'END'
#include <stdio.h>
long fib(int n);
int main(void)
{
    printf("%ld\n", fib(38));
}
END
kinds='none thread plain atomic'
libs=$(irprof libs)

# object KIND SOURCE FLAGS: KIND.o
# shellcheck disable=SC2086 # words
object() {
    clang-19 -O1 $3 -emit-llvm -c "$2" -o code.bc
    if [ "$1" != none ]; then irprof instrument code.bc --counters "$1" -o code.bc; fi
    clang-19 -O1 $3 -Xclang -disable-llvm-passes -c code.bc -o "$1.o"
}
# measure WHAT: the programs of all kinds
measure() {
    for _ in 1 2 3 4 5; do
        for kind in $kinds; do
            { time -p "./$kind" >out; } 2>&1 | sed -n "s/^user/$kind/p"
        done
    done | awk -v what="$1" -v kinds="$kinds" '
        !($1 in t) || $2 < t[$1] { t[$1] = $2 }
        END {
            printf "%s:", what
            n = split(kinds, kind)
            for (i = 1; i <= n; i++)
                printf " %s %.2f (%.2f)", kind[i], t[kind[i]], t[kind[i]] / t["none"]
            print ""
        }'
}

# shellcheck disable=SC2086 # words
{
    for kind in $kinds; do object "$kind" sort.c '' && clang-19 "$kind.o" $libs -o "$kind"; done
    measure 'bubble sort'
    for kind in $kinds; do object "$kind" fib.c '' && clang-19 main.c "$kind.o" $libs -o "$kind"; done
    measure 'calls'
    for dialect in gnu gnu2; do
        for kind in $kinds; do
            object "$kind" fib.c "-fPIC -mtls-dialect=$dialect"
            clang-19 -shared "$kind.o" -o "lib$kind.so" && clang-19 main.c "./lib$kind.so" $libs -o "$kind"
        done
        measure "calls in a shared library, -mtls-dialect=$dialect"
    done
}
