#!/bin/sh
# profile_seeds.sh FOLDER - small real profiles, each with something that the others lack: one module and several, regions whole
# and flawed, all kinds of counters and placements, events, ends by exit and by signal, merged runs. Needs build/bin in
# PATH, BUILD and TOP.
set -eu
clang=${IRPROF_CC:-clang-19}
mkdir -p "$1"
out=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >one.c <<'END'
#include <shim_region.h>
static volatile int sink;
static int data[64];
static int fill(int n)
{
    for (int i = 0; i < n; i++)
        data[i & 63] += i;
    return data[n & 63];
}
int main(void)
{
    for (int i = 0; i < 5; i++) {
        shim_region_begin("a");
        sink += fill(i * 3);
        shim_region_end("a");
        switch (sink & 7) {
        case 1:
            sink++;
            break;
        case 2:
        case 3:
            shim_region_begin("b");
        }
    }
    return 0;
}
END
cat >two.c <<'END'
int other(int);
int main(void)
{
    int n = 0;
    for (int i = 0; i < 9; i++)
        n += other(i);
    return n == 0;
}
END
cat >other.c <<'END'
int other(int i)
{
    return i % 3 ? other(i - 1) + 1 : i;
}
END
cat >killed.c <<'END'
#include <signal.h>
static volatile int n;
__attribute__((naked)) void bare(void)
{
    __asm__("ret");
}
int main(void)
{
    for (;;)
        if (++n == 7)
            raise(SIGTERM);
}
END

# make NAME LEVEL OPTIONS SOURCE...
make() {
    name=$1 level=$2 options=$3 objects=''
    shift 3
    for source in "$@"; do
        o=$name.${source%.c}
        # shellcheck disable=SC2086 # lists of options
        "$clang" "$level" -g -w -emit-llvm -I"$BUILD/include" -c "$source" -o "$o.bc" &&
            irprof instrument $options "$o.bc" -o "$o.i.bc" &&
            "$clang" "$level" -w -Xclang -disable-llvm-passes -c "$o.i.bc" -o "$o.o"
        objects="$objects $o.o"
    done
    # shellcheck disable=SC2046,SC2086 # lists
    "$clang" $objects $(irprof libs) -o "$name" -lm
    IRPROF_OUT=$out/$name.prof "./$name" 2>/dev/null || [ -s "$out/$name.prof" ]
}
make plain -O0 '--placement plain --counters plain' one.c
make sparse -O1 '' one.c
make atomic -O2 '--counters atomic' one.c
make memory -O1 '--memory --l1d 1K:2:32:lru --l2 none --branches gshare:6:4' one.c
make spills -O2 "--spills $("$clang" -dumpmachine)" one.c
make modules -O1 '' two.c other.c
make killed -O0 '' killed.c
make traffic -O0 '--steps fill,main --traffic' one.c
irprof merge "$out/modules.prof" "$out/modules.prof" -o "$out/merged.prof"
make windows -O1 '--memory --l1d 1K:2:32:lru --l2 none --windows 7' one.c
make footprint -O1 '--footprint' two.c other.c
irprof merge "$out/windows.prof" "$out/windows.prof" -o "$out/merged_windows.prof"
irprof merge "$out/footprint.prof" "$out/footprint.prof" -o "$out/merged_footprint.prof"
