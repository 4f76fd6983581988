# shellcheck shell=sh
# cachegrind.sh - read by memory.test and docs/method/caches-and-branches.sh: a program in irprof's caches and in
# cachegrind's.

verdict() { # NAME; the status before it says whether it holds
    if [ $? = 0 ]; then echo "ok $1"; else echo "not ok $1"; fi
}
# Linked statically: a dynamic loader calls memset and memcpy by the names that the program's have (55 misses, glibc 2.36).
linked() { # OBJECT LIBRARIES PROGRAM
    # shellcheck disable=SC2086 # a list of words
    clang -static -Wl,--wrap=main "$1" stack.o $2 -lm -o "$3"
}
# both SOURCE LEVEL: the program in both. DWARF 4: valgrind 3.19 gives up on some of clang's DWARF 5. Four times, with the
# stack in other sets of the caches each time: it meets the program's data in some of them.
places='0 2048 4096 6144'
both() {
    clang -O2 -c "$TOP/tests/irprof/stack_at.c" -o stack.o &&
        clang "$2" -gdwarf-4 -w -I"$BUILD/include" -emit-llvm -c "$1" -o p.bc &&
        irprof instrument p.bc -o i.bc --l1d 32K:4:64:lru --l2 512K:16:64:lru &&
        clang "$2" -w -Xclang -disable-llvm-passes -c i.bc -o i.o &&
        clang "$2" -w -Xclang -disable-llvm-passes -c p.bc -o p.o &&
        linked i.o "$(irprof libs)" counted && linked p.o '' plain || return 1
    for place in $places; do
        IRPROF_OUT=p.prof STACK_AT=$place ./counted >/dev/null &&
            irprof report --by function --format csv p.prof >"$place.csv" &&
            STACK_AT=$place valgrind --tool=cachegrind --cache-sim=yes --I1=32768,2,64 --D1=32768,4,64 --LL=524288,16,64 \
                --cachegrind-out-file="$place.cachegrind" ./plain >/dev/null 2>valgrind.txt || return 1
    done
}
# ours REGION FUNCTION: accesses, first and second level misses of a function, or of all: the mean over the places
# shellcheck disable=SC2046,SC2086 # a list of files
ours() {
    awk -F, -v region="$1" -v function_="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        $2 == region && (function_ == "" || $3 == function_) {
            n += $column["L1D_CACHE"]; m += $column["L1D_CACHE_REFILL"]; l += $column["L2D_CACHE_REFILL"]
        }
        END { files = ARGC - 1; print n / files, m / files, l / files }' $(printf '%s.csv ' $places)
}
# theirs SOURCE FUNCTION: the same; of a function, or of the source and of what stands for memset, memcpy, memmove.
# Columns: line Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw; zeros at the end are left out.
# shellcheck disable=SC2046,SC2086 # a list of files
theirs() {
    awk -v source="$1" -v function_="$2" -v folder="${1%/*}/" '
        /^fl=/ { file = substr($0, 4) }
        /^fn=/ { f = substr($0, 4) }
        /^[0-9]/ {
            if (function_ != "" ? f == function_ && file == source : index(file, folder) == 1 || f ~ /mem(set|cpy|move|pcpy)/) {
                n += $5 + $8; m += $6 + $9; l += $7 + $10
            }
        }
        END { files = ARGC - 1; print n / files, m / files, l / files }' $(printf '%s.cachegrind ' $places)
}
# close_to OURS THEIRS MISSES PERCENT: do the misses of both levels agree? Prints them if not.
close_to() {
    paste -d ' ' "$1" "$2" | awk -v some="$3" -v percent="$4" '
        function far(a, b) { return (a > b ? a - b : b - a) > some + percent / 100 * b }
        { bad = far($2, $5) || far($3, $6) || $2 + 0 == 0 || NF != 6 }
        bad { print "irprof: accesses, misses:", $1, $2, $3, " cachegrind:", $4, $5, $6 }
        END { exit bad || NR != 1 }'
}
