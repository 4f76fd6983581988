# shellcheck shell=sh
# large.sh - a program of 100,000 lines (generate.sh): its profile's size, how long reading and reporting it takes, what a
# region of it costs, and what start and end of a counted process cost.
#   BENCH_LINES (100000)
. "$TOP/tests/bench/common.sh"
lines=${BENCH_LINES:-100000}

now() { # in milliseconds
    echo $(($(date +%s%N) / 1000000))
}
# least TIMES COMMAND...: milliseconds of the fastest of so many runs; what it prints goes to `printed`
least() {
    times=$1 best=
    shift
    while [ "$times" -gt 0 ]; do
        begin=$(now)
        "$@" >printed || return 1
        took=$(($(now) - begin))
        if [ -z "$best" ] || [ $took -lt "$best" ]; then best=$took; fi
        times=$((times - 1))
    done
    echo "$best"
}
row() { # WHAT FIGURE AIM
    printf '%-66s %12s  %s\n' "$1" "$2" "$3"
}

sh "$TOP/tests/bench/generate.sh" "$lines" source && mkdir objects || exit 1
# All files by one compiler line each, as a build does it, into folder objects/$1.
compile_all() { # NAME COMPILER...
    name=$1
    shift
    mkdir "objects/$name"
    for c in source/*.c; do
        echo "$c objects/$name/$(basename "$c" .c).o"
    done | xargs -P "$(nproc)" -L 1 sh -c 'compiler=$1; source=$2; object=$3; exec $compiler "$source" -o "$object"' \
        compile "$*"
}
begin=$(now)
compile_all none "$CLANG $LEVEL -g -w -I$BUILD/include -c" || exit 1
middle=$(now)
compile_all counted "irprof cc $LEVEL -g -w -I$BUILD/include -c" || exit 1
end=$(now)
"$CLANG" objects/none/*.o -o none && irprof cc objects/counted/*.o -o counted && IRPROF_OUT=large.prof ./counted >printed &&
    ./none | cmp - printed || exit 1

row 'lines' "$(cat source/* | wc -l)" ''
row 'files' "$(find source -name '*.c' | wc -l)" ''
row 'functions' "$(nm counted | grep -c ' T f[0-9]')" ''
row 'compiling [s]' "$(((middle - begin) / 1000))" ''
row 'compiling with irprof cc [s]' "$(((end - middle) / 1000))" ''
row 'profile [bytes]' "$(wc -c <large.prof)" 'stated'
row 'profile [bytes a line]' "$(($(wc -c <large.prof) / lines))" ''
for by in opcode function line block branch loop; do
    row "irprof report --by $by [ms]" "$(least 5 irprof report --by $by large.prof)" 'below 1000'
done
row 'irprof report --by line --format csv [ms]' "$(least 5 irprof report --by line --format csv large.prof)" 'below 1000'
row 'irprof report --format callgrind [ms]' "$(least 5 irprof report --format callgrind large.prof)" 'below 1000'
row 'irprof merge of two [ms]' "$(least 5 irprof merge large.prof large.prof -o sum.prof)" ''
without=$(IRPROF_OUT=/dev/null least 5 ./counted)
with=$(IRPROF_OUT=/dev/null least 5 ./counted 1000)
row 'entering and leaving a region of it [us]' "$((with - without))" ''

# Start and end of a process: the profile is written there, which is not what counting costs while the program works.
cat >nothing.c <<'END'
int main(void)
{
    return 0;
}
END
cat >spawn.c <<'END'
#include <spawn.h>
#include <sys/wait.h>
extern char **environ;
int main(int argc, char **argv)
{
    int status = 0;
    for (int i = 0; i < 1000 && !status; i++) {
        pid_t p;
        if (posix_spawn(&p, argv[argc - 1], 0, 0, argv, environ) || waitpid(p, &status, 0) < 0)
            return 1;
    }
    return status != 0;
}
END
"$CLANG" -O2 spawn.c -o spawn && "$CLANG" $LEVEL nothing.c -o nothing && irprof cc $LEVEL nothing.c -o nothing.counted ||
    exit 1
row 'a process that does nothing [us]' "$(least 3 ./spawn ./nothing)" ''
row 'the same counted, its profile into a file [us]' "$(IRPROF_OUT=nothing.prof least 3 ./spawn ./nothing.counted)" ''
