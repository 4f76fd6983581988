/* rt_report.c - writes the result file: one fact per line, whole numbers only (a program's locale may have another
 * decimal point). It is written beside its place and renamed. The last line contains the number of lines. */
#include "rt.h"
#include "rt_known.h"
#include "clock.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static unsigned long lines;

static void __attribute__((format(printf, 2, 3))) put(FILE *f, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vfprintf(f, fmt, ap);
    va_end(ap);
    fputc('\n', f);
    lines++;
}

/* Writes spaces, control characters and '%' as %XX, so that a name is one word; an empty name is "%". */
static void put_name(FILE *f, const char *name)
{
    if (!*name)
        fputc('%', f);
    for (const unsigned char *p = (const unsigned char *)name; *p; p++)
        if (*p <= ' ' || *p == '%' || *p == 127)
            fprintf(f, "%%%02X", *p);
        else
            fputc(*p, f);
}

static uint64_t now(clockid_t clock)
{
    struct timespec t;
    return clock_gettime(clock, &t) ? 0 : (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void put_circumstances(FILE *f)
{
    uint64_t process = now(CLOCK_PROCESS_CPUTIME_ID), thread = now(CLOCK_THREAD_CPUTIME_ID);
    put(f, "source %s", rt.simulated > 0 ? "simulator" : rt.pmu ? "pmu" : "constant");
    put(f, "clock %s %" PRIu64, rt.simulated > 0 ? "SIMULATED" : RT_CLOCK_EVENT, rt.clock_hz);
    put(f, "core_ppm %" PRIu64, rt.core_ppm);
    put(f, "cache %s", rt.cold ? "cold" : "warm");
    if (rt.cold)
        put(f, "flush %" PRIu64 " %" PRIu64 " %" PRIu64 " %s", rt.flushes, rt.flush_bytes, rt.flush_skipped,
            rt.flush_method);
    put(f, "new_place %d", rt.new_place);
    put(f, "priority %s", rt.priority);
    put(f, "memory %s", rt.memory);
    put(f, "other_threads_ns %" PRIu64, thread < process && !rt.simulated ? process - thread : 0);
    put(f, "calibrated %s", rt.full ? "full" : "short");
    put(f, "reads %" PRIu64, rt.reads);
    for (size_t i = 0; i < rt.n_left_out; i++)
        put(f, "left_out %s %d", rt.left_out[i].name, rt.left_out[i].reason);
    for (size_t i = 0; i < rt.n_events; i++)
        put(f, "event %s %" PRIu64 " %" PRIu64, rt.names[i], rt.overhead.inside[i], rt.overhead.pair[i]);
}

static void put_region(FILE *f, const struct rt_region *r)
{
    int reads = r->noise_reads < RT_THOROUGH_READS ? r->noise_reads : RT_THOROUGH_READS;
    uint64_t clock = reads ? r->noise.clock / (uint64_t)reads : 0;
    fputs("region ", f);
    put_name(f, r->name);
    fprintf(f, " %" PRIu64 " %" PRIu64 " ", r->entries, r->pairs);
    put_name(f, rt.regions[r->outer].name);
    put(f, " %ld %ld %ld %ld %lld %d %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, r->noise.voluntary,
        r->noise.involuntary, r->noise.minor, r->noise.major, r->noise.interrupts, r->moved, r->noise.width, clock,
        r->total.enabled, r->total.running);
    fputs("value", f);
    for (size_t i = 0; i < rt.n_events; i++)
        fprintf(f, " %" PRIu64, r->total.value[i]);
    put(f, "%s", "");
}

static void put_known(FILE *f)
{
    for (size_t i = 0; i < rt.n_known; i++) {
        const struct rt_known *k = rt_known_of(rt.known[i].kind);
        put(f, "known %s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, k->name,
            k->instructions, k->adds, k->loads, k->near, k->far, k->branches);
        fputs("counted", f);
        for (size_t e = 0; e < rt.n_events; e++)
            fprintf(f, " %" PRIu64, rt.known[i].value[e]);
        put(f, "%s", "");
    }
}

/* The implicit region main counts only if the program has no other region. */
static void put_regions(FILE *f)
{
    int own = 0;
    for (size_t i = 0; i < rt.n_regions; i++)
        own |= rt.regions[i].name != rt_name_main && rt.regions[i].name != rt_name_empty;
    put(f, "own_regions %d", own);
    for (size_t i = 0; i < rt.n_regions; i++) {
        const struct rt_region *r = &rt.regions[i];
        if (r->name == rt_name_empty || (own && r->name == rt_name_main))
            continue;
        if (r->open)
            rt_problem("left-open", r->name);
        put_region(f, r);
    }
}

void rt_report(const char *path)
{
    char *temporary = malloc(strlen(path) + 32);
    if (!temporary)
        return;
    sprintf(temporary, "%s.%ld", path, (long)getpid());
    FILE *f = fopen(temporary, "we");
    if (!f) {
        free(temporary);
        return; /* the reader reports that there is no result */
    }
    lines = 0;
    put(f, "shim-measure 1");
    put_circumstances(f);
    put_known(f);
    put_regions(f);
    if (rt.problem) {
        fprintf(f, "problem %s ", rt.problem);
        put_name(f, rt.problem_name);
        put(f, "%s", "");
    }
    fprintf(f, "end %lu\n", lines);
    int bad = ferror(f);
    if (fclose(f) == 0 && !bad && rename(temporary, path) == 0) {
        free(temporary);
        return;
    }
    unlink(temporary);
    free(temporary);
}
