/*
 * race - which of several builds of one program is faster, and by how much. Each is linked with repeat.o.
 *
 *     race ROUNDS SAMPLES LEAST_US PROGRAM...
 *
 * In each iteration every program runs once, the first of them first in one iteration and last in another, all on one
 * core; a run's time is its shortest sample. A round gives each program the ratio of its time to the first program's.
 * Printed, for each program: its name, nanoseconds of a call of main in the fastest round, and the median and the
 * quartiles of its ratios. Calls are so many in a sample that the first program's takes at least LEAST_US.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/proc.h"

enum { TIMEOUT_S = 120 };

static int core;

/* The shortest sample [ns]. */
static enum status run(const char *program, long samples, long calls, double *ns, struct error *e)
{
    char *settings[] = {xasprintf("BENCH_SAMPLES=%ld", samples), xasprintf("BENCH_CALLS=%ld", calls),
                        xstrdup("IRPROF_OUT=/dev/null"), xstrdup("LLVM_PROFILE_FILE=/dev/null"), 0};
    const char *argv[] = {program, 0};
    struct proc p = {.argv = argv,
                     .environment = (const char *const *)settings,
                     .capture = true,
                     .timeout_s = TIMEOUT_S,
                     .cpu = core};
    struct proc_result r = PROC_RESULT_INIT;
    enum status s = proc_must(&p, &r, e);
    if (!s) {
        const char *text = str_text(&r.out), *end = text + strlen(text);
        const char *line = end > text ? end - 1 : end;
        while (line > text && line[-1] != '\n')
            line--;
        char *number = xstrndup(line, (size_t)(end - line));
        number[strcspn(number, "\n")] = 0;
        if (!parse_double(number, ns) || *ns <= 0)
            s = error_set(e, ERR_INPUT, AT_FILE(program), "does not say how long it took: link it with repeat.o");
        free(number);
    }
    proc_result_release(&r);
    for (size_t i = 0; settings[i]; i++)
        free(settings[i]);
    return s;
}

/* So many calls that a sample takes long enough, measured twice: the first guess may come from a slow moment. */
static enum status calibrate(const char *program, double least_ns, long *calls, struct error *e)
{
    *calls = 1;
    for (int i = 0; i < 4; i++) {
        double ns;
        enum status s = run(program, 3, *calls, &ns, e);
        if (s || ns >= least_ns)
            return s;
        *calls = (long)((double)*calls * least_ns / ns * 1.05) + 1;
    }
    return OK;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const double *sorted, long n, double q)
{
    double at = q * (double)(n - 1);
    long i = (long)at;
    return i + 1 < n ? sorted[i] + (at - (double)i) * (sorted[i + 1] - sorted[i]) : sorted[n - 1];
}

static void print(const char *name, const double *ns, const double *first, long rounds, long calls)
{
    double *ratios = xcalloc((size_t)rounds, sizeof *ratios);
    double least = ns[0];
    for (long r = 0; r < rounds; r++) {
        ratios[r] = ns[r] / first[r];
        least = ns[r] < least ? ns[r] : least;
    }
    qsort(ratios, (size_t)rounds, sizeof *ratios, by_value);
    printf("%s %.1f %.4f %.4f %.4f\n", name, least / (double)calls, quantile(ratios, rounds, 0.5),
           quantile(ratios, rounds, 0.25), quantile(ratios, rounds, 0.75));
    free(ratios);
}

static enum status race(char **programs, long n, long rounds, long samples, double least_ns, struct error *e)
{
    double *ns = xcalloc((size_t)(n * rounds), sizeof *ns);
    long calls;
    enum status s = calibrate(programs[0], least_ns, &calls, e);
    for (long r = 0; !s && r < rounds; r++) {
        for (long k = 0; !s && k < n; k++) {
            long i = r % 2 ? n - 1 - k : k;
            s = run(programs[i], samples, calls, &ns[i * rounds + r], e);
        }
    }
    for (long i = 0; !s && i < n; i++)
        print(programs[i], &ns[i * rounds], ns, rounds, calls);
    free(ns);
    return s;
}

int main(int argc, char **argv)
{
    struct error e = ERROR_INIT;
    if (argc < 5) {
        fprintf(stderr, "usage: race ROUNDS SAMPLES LEAST_US PROGRAM...\n");
        return 2;
    }
    long rounds = atol(argv[1]), samples = atol(argv[2]);
    if (rounds < 1 || samples < 1) {
        fprintf(stderr, "race: ROUNDS and SAMPLES are at least 1\n");
        return 2;
    }
    const char *which = getenv("BENCH_CORE");
    core = which ? atoi(which) : 0;
    enum status s = race(argv + 4, argc - 4, rounds, samples, atof(argv[3]) * 1e3, &e);
    if (s)
        error_print(&e, "race");
    error_release(&e);
    return s ? 1 : 0;
}
