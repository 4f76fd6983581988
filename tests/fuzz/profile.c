/*
 * profile.c - the fuzz target: whatever the bytes are, they are refused with a reason, or they are a profile of which
 * all can be asked. What is asked twice in two ways must have one answer.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "irprof/profile/container.h"
#include "irprof/irprof.h"
#include "irprof/report/profile_report.h"
#include "irprof/report/wide_table.h"
#include "tests/fuzz/fuzz.h"

/* Where reports go. */
static FILE *nowhere(void)
{
    static FILE *f;
    if (!f)
        f = fopen("/dev/null", "w");
    if (!f)
        BUG("cannot open /dev/null");
    return f;
}

/* A refusal says why. */
static void must_say(const struct error *e, enum status s)
{
    if (e->status != s || !e->message || !*e->message)
        BUG("refused without a reason");
}

static uint64_t total(const struct irprof_groups *g)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < g->n_rows; i++)
        sum += g->rows[i].total;
    return sum;
}

/* All groupings of a region add up to the same, and to the counts of its keys. */
static void group_region(const struct irprof_profile *p, size_t region)
{
    uint64_t *counts = xcalloc(p->n_keys, sizeof *counts), *events = xcalloc(p->n_events, sizeof *events), sum = 0;
    irprof_key_counts(p, region, counts);
    irprof_event_counts(p, region, events);
    for (size_t i = 0; i < p->n_keys; i++)
        sum += counts[i];
    for (int by = IRPROF_BY_KEY; by <= IRPROF_BY_FUNCTION_LINE; by++) {
        struct irprof_groups *g;
        struct error e = ERROR_INIT;
        enum status s = irprof_group(&g, p, region, (enum irprof_by)by, &e);
        if (s) {
            must_say(&e, s);
            if (!p->regions[region].flaws)
                BUG("a region without flaws is refused");
        } else {
            if (total(g) != sum)
                BUG("grouping %d adds up to %llu, the keys to %llu", by, (unsigned long long)total(g),
                    (unsigned long long)sum);
            irprof_groups_free(g);
        }
        error_release(&e);
    }
    free(counts);
    free(events);
}

static void report(const struct irprof_profile *p, uint32_t choice)
{
    struct report_program program = {"program", p};
    struct report r = {.programs = &program, .n_programs = 1, .by = choice % 7, .format = choice / 7 % 4};
    struct error e = ERROR_INIT, flawed = ERROR_INIT;
    enum status s = profile_report_write(&r, nowhere(), &flawed, &e);
    if (s)
        must_say(&e, s);
    error_release(&flawed);
    error_release(&e);
}

static void tabulate(const struct irprof_profile *p)
{
    struct table t;
    table_init(&t, &(struct table_extras){true, true, true, true, true, true});
    for (size_t i = 0; i < p->n_regions; i++) {
        struct error e = ERROR_INIT;
        enum status s = table_add(&t, "program", p, i, &e);
        if (s)
            must_say(&e, s);
        error_release(&e);
    }
    table_write(&t, nowhere());
    table_release(&t);
}

/* Windows together have no more than the whole run, in any segment. */
static void add_windows(const struct irprof_profile *p)
{
    enum { SOME = 64 };
    uint64_t *sum = xcalloc(p->n_segments, sizeof *sum);
    size_t n = p->windows ? p->windows->n : 0;
    uint64_t clamped = 0; /* values that are differences may be below zero in a window */
    for (size_t i = 0; i < n && i < SOME; i++) {
        struct irprof_region r;
        irprof_window(p, i, i + 1 == SOME ? n - i : 1, &r); /* the last has the rest */
        clamped += r.clamped;
        for (size_t k = 0; k < p->n_segments; k++)
            sum[k] += r.executions[k];
        irprof_region_release(&r);
    }
    for (size_t k = 0; k < p->n_segments; k++)
        if (!clamped && sum[k] > p->regions[p->n_regions - 1].executions[k])
            BUG("segment %zu has more in its windows than in the run", k);
    free(sum);
}

/* A profile added to itself is a profile, or does not fit; what is written for it is read again. */
static void merge(const uint8_t *data, size_t size)
{
    struct container a, b;
    struct str bytes[2] = {STR_INIT, STR_INIT}, out = STR_INIT;
    struct error e = ERROR_INIT;
    for (int i = 0; i < 2; i++)
        str_addn(&bytes[i], (const char *)data, size);
    if (container_parse(&a, &bytes[0], "a", &e) || container_parse(&b, &bytes[1], "b", &e))
        BUG("what the reader takes is no container: %s", e.message);
    enum status s = container_add(&a, &b, &e);
    if (s) {
        must_say(&e, s);
    } else {
        struct container again;
        container_format(&out, &a);
        if (container_parse(&again, &out, "sum", &e))
            BUG("what merge writes is refused: %s", e.message);
        container_release(&again);
    }
    error_release(&e);
    container_release(&a);
    container_release(&b);
}

static uint32_t digest(const uint8_t *data, size_t size)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < size; i++)
        h = (h ^ data[i]) * 16777619u;
    return h;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct irprof_profile *p;
    struct error e = ERROR_INIT;
    enum status s = irprof_parse(&p, data, size, "fuzzed", &e);
    if (s) {
        must_say(&e, s);
        error_release(&e);
        return 0;
    }
    for (size_t i = 0; i < p->n_regions && i < 8; i++)
        group_region(p, i);
    report(p, digest(data, size));
    tabulate(p);
    add_windows(p);
    merge(data, size);
    irprof_free(p);
    return 0;
}
