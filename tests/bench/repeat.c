/*
 * repeat.c - linked into each program of the bench with -Wl,--wrap=main, and with rt_untrain.o: calls the program's
 * main many times and says how long that took. Start and end of the process, and the profile written there, are
 * outside.
 *
 *   BENCH_SAMPLES=N  so many samples; without it main is called once, as always
 *   BENCH_CALLS=N    so many calls of main make one sample, before which the branch predictors are reset
 *   BENCH_UNTRAIN=0  not so: they know the program by heart
 * The last line on standard output: the nanoseconds of processor time of the shortest sample.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int __real_main(int argc, char **argv);
int __wrap_main(int argc, char **argv);
int bench_sample(long calls, int argc, char **argv);
void rt_untrain(void); /* of boards/runtime */

static long setting(const char *name, long otherwise)
{
    const char *s = getenv(name);
    return s ? atol(s) : otherwise;
}

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* By this name valgrind finds what to count. */
__attribute__((noinline)) int bench_sample(long calls, int argc, char **argv)
{
    int wrong = 0;
    for (long i = 0; i < calls; i++)
        wrong |= __real_main(argc, argv);
    return wrong;
}

int __wrap_main(int argc, char **argv)
{
    long samples = setting("BENCH_SAMPLES", -1), calls = setting("BENCH_CALLS", 1);
    long untrain = setting("BENCH_UNTRAIN", 1);
    int wrong = __real_main(argc, argv); /* pages, caches and symbols: what only the first call pays */
    if (samples < 0)
        return wrong;
    int64_t least = INT64_MAX;
    for (long i = 0; i < samples; i++) {
        if (untrain)
            rt_untrain();
        int64_t begin = now();
        wrong |= bench_sample(calls, argc, argv);
        int64_t took = now() - begin;
        if (took < least)
            least = took;
    }
    printf("\n%lld\n", (long long)least);
    return wrong;
}
