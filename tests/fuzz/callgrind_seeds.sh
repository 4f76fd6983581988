#!/bin/sh
# callgrind_seeds.sh FOLDER - callgrind files for the fuzz target: names by numbers, calls, recursion, inlined code, an
# object that is there, positions by line alone.
set -eu
mkdir -p "$1"
cd "$1"
cat >calls <<'END'
# callgrind format
version: 1
creator: callgrind-3.19.0
pid: 1
cmd:  ./p a
part: 1
desc: D1 cache: 32768 B, 64 B, 8-way associative
desc: LL cache: 262144 B, 64 B, direct-mapped
positions: instr line
events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw
summary: 300 0 0 0 3 1

ob=(1) /bin/true
fl=(1) p.c
fn=(1) main
0x2000 3 10 1 1 0 2
+4 +1 10
cfn=(2) f
calls=2 0x3000 9
* * 280 0 0 0 1 1
fi=(2) inline.h
+4 -2 5
fe=(1)
cob=(2) /lib/none.so
cfi=(3) ???
cfn=(3) printf
calls=1 0 0
* * 20

fn=(2)
0x3000 9 200
jcnd=3/4 +8 *
* *
+8 * 60 0 0 0 1 1
cfn=(2)
calls=1 0x3000 9
* * 50

ob=(2)
fl=(3)
fn=(3)
0x0 0 20

totals: 305 0 0 0 3 1
END
cat >lines <<'END'
version: 1
positions: line
events: Ir
fn=main
3 7
totals: 7
END
