# shellcheck shell=sh
# estimate.sh - `shimgen estimate` of a program of many IR blocks: how long each method takes, whole and by line.
#   BENCH_BLOCKS (100000)
. "$TOP/tests/bench/common.sh"
blocks=${BENCH_BLOCKS:-100000}
shim=$TOP/boards/raspberrypi3/skeleton.shim.xml

# Functions of 100 conditions, two blocks each: what is done under a condition is volatile, so that it stays a branch.
mkdir source objects && awk -v blocks="$blocks" 'BEGIN {
    functions = int((blocks + 199) / 200)
    for (f = 0; f < functions; f++) {
        file = sprintf("source/part%d.c", f % 20)
        if (f < 20)
            print "volatile int seen[200];" >file
        sub(/^/, f < 20 ? "" : "", file)
        printf "int f%d(int x)\n{\n    int y = x;\n", f >file
        for (i = 0; i < 100; i++)
            printf "    if (x & %d)\n        seen[%d] = y += x * %d;\n", 2 ^ (i % 20), i, i + f >file
        print "    return y;\n}" >file
    }
    for (f = 0; f < functions; f++)
        printf "int f%d(int x);\n", f >"source/main.c"
    print "int main(void)\n{\n    int y = 0;\n    for (int i = 0; i < 10; i++) {" >"source/main.c"
    for (f = 0; f < functions; f++)
        printf "        y += f%d(i * 77777);\n", f >"source/main.c"
    print "    }\n    return y == 1;\n}" >"source/main.c"
}' && sed -i 's/^volatile/static volatile/' source/part*.c || exit 1
# shellcheck disable=SC2016 # arguments of the shell that is called
for c in source/*.c; do
    echo "$c objects/$(basename "$c" .c).o"
done | xargs -P "$(nproc)" -L 1 sh -c 'irprof cc -O1 -g -w -c "$0" -o "$1"' || exit 1
irprof cc objects/*.o -o counted && IRPROF_OUT=large.prof ./counted || exit 1
# Values for the skeleton, so that it can be estimated from: a cycle for everything.
printf '%s\n' '# performance' >values.csv
for i in add sub mul load store br call ret icmp getelementptr phi and select zext sext trunc; do
    printf '%s,32,32,1\n%s_d,32,32,2\n' $i $i >>values.csv
done
cp "$shim" board.shim.xml && shim-xml import board.shim.xml values.csv -o filled.shim.xml 2>/dev/null || exit 1

row() { # WHAT FIGURE AIM
    printf '%-60s %12s  %s\n' "$1" "$2" "$3"
}
least() { # COMMAND...: milliseconds of the fastest of five runs
    best=
    for _ in 1 2 3 4 5; do
        begin=$(date +%s%N)
        "$@" >printed 2>/dev/null || return 1
        took=$((($(date +%s%N) - begin) / 1000000))
        if [ -z "$best" ] || [ $took -lt "$best" ]; then best=$took; fi
    done
    echo "$best"
}
row 'IR blocks executed' "$(irprof report --by block --format csv large.prof | sed 1d | wc -l)" ''
row 'profile [bytes]' "$(wc -c <large.prof)" ''
for method in sum operand schedule; do
    row "shimgen estimate --method $method [ms]" "$(least shimgen estimate --shim filled.shim.xml --method $method large.prof)" '500 or less'
done
row 'shimgen estimate --method schedule --by line [ms]' \
    "$(least shimgen estimate --shim filled.shim.xml --method schedule --by line --format csv large.prof)" ''
