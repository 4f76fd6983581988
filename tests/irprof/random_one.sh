#!/bin/sh
# random_one.sh SEED: one random program, in a folder of its own below this one; a line for it. Status 1: none came out
# that ends soon.
. "$TOP/tests/irprof/placement.sh"
seed=$1
mkdir "$seed" && cd "$seed" || exit 1
source=random.c cflags='' libraries=''
# What is generated, how it is optimised and how its counters are kept go through all combinations.
case $((seed % 11)) in
0) options='--no-volatiles --max-funcs 6' ;;
1) options= ;;
2) options='--max-block-depth 6 --max-block-size 5' ;;
3) options='--lang-cpp' source=random.cc libraries=-lstdc++ ;;
4) options='--no-volatiles --max-block-size 6' cflags=-fexceptions ;;
5) options='--max-block-depth 7 --max-expr-complexity 4' ;;
6) options='--builtins --float' ;;
7) options='--no-inline-function --max-funcs 12 --no-structs --no-unions --max-expr-complexity 3' cflags=-fno-inline ;;
*) options=loops ;;
esac
set -- -O0 -O1 -O2 -O3 -Os
shift $((seed % 5))
level=$1
set -- thread atomic plain
shift $((seed % 3))
counters=$1

generate() {
    if [ "$options" = loops ]; then
        sh "$TOP/tests/irprof/random_loops.sh" "$seed"
    else
        # shellcheck disable=SC2086 # a list of options
        timeout 4 csmith --seed "$seed" $options
    fi
}
regions='s/^    func_1();/    shim_region_begin("func_1"); func_1(); shim_region_end("func_1");/'
generate >"$source" 2>generate.err && sed -i "$regions" "$source" &&
    compile "$level" "-w $cflags -I/usr/include/csmith -include shim_region.h" "$source" 2>compile.err &&
    count_by plain "$level" "$libraries" "--counters $counters" 2 || exit 1
# Some of csmith's programs die of a signal, without counters too (139 SIGSEGV, 136 SIGFPE, 132 SIGILL): inside a segment,
# where nothing is promised (docs/method/counting.md, limits).
case $(cat plain.status) in 139 | 136 | 132) exit 1 ;; esac
result=$(
    agree "$level" "$libraries" "--counters $counters"
    said "seed $seed$level $counters"
)
printf '%s\n' "$result"
cd .. && case $result in ok*) rm -rf "$seed" ;; esac
