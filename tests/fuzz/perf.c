/* perf.c - the fuzz target of perf's samples (shimgen offload): refused with a reason, or a table whose calls are of
 * functions that there are, with shares between 0 and 1. */
#include <math.h>
#include <stdlib.h>

#include "shimgen/offload/event_weights.h"
#include "shimgen/offload/offload.h"
#include "tests/fuzz/target.h"

static struct event_weight weights[] = {
    {"cycles", EVENT_CYCLES, 1}, {"fetched", EVENT_BYTES, 64}, {"flops", EVENT_OPERATIONS, 4}};
static struct event_weights events = {.path = "e.ini", .events = {weights, 3, 3}};
static struct accelerator accelerator = {.path = "a.ini", .local = {1 << 15, 8, 64}, .link = 8e9, .host_clock = 2e9};

static void check_candidate(const struct offload_table *t, const struct offload_candidate *c)
{
    if (!(c->share >= 0 && c->share <= 1 + 1e-6))
        BUG("a share of %g", c->share);
    if (c->needed > c->working || c->working > t->functions.n)
        BUG("%zu of %zu functions", c->needed, c->working);
    if (c->rate < 0)
        BUG("a rate of %g", c->rate);
}

static void check_table(struct offload_table *t)
{
    struct offload_judgement j;
    for (size_t i = 0; i < t->arcs.n; i++)
        if (t->arcs.at[i].caller >= t->functions.n || t->arcs.at[i].callee >= t->functions.n)
            BUG("a call of a function that is not there");
    for (size_t i = 0; i < t->windows.n; i++) {
        const struct offload_window *w = &t->windows.at[i];
        if (i && (w->begin <= w[-1].begin || w->first != w[-1].first + w[-1].n))
            BUG("windows that are not in order");
        if (!w->n || w->first + w->n > t->spent.n)
            BUG("a window of nothing");
    }
    offload_judge(&j, t, &accelerator, 0.01, false);
    check_candidate(t, &j.whole);
    for (size_t i = 0; i < j.roots.n; i++)
        check_candidate(t, &j.roots.at[i]);
    offload_judgement_release(&j);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error e = ERROR_INIT;
    struct offload_table t;
    char *path = target_file("samples.txt", data, size);
    const char *paths[] = {path};
    accelerator.latency = accelerator.flops = accelerator.integers = accelerator.memory = NAN;
    accelerator.intensity.value = 4;
    accelerator.integer_intensity.value = NAN;
    accelerator.rate.value = 8e9;
    accelerator.functions.value = 20;
    accelerator.share.value = 0.8;
    struct offload_samples samples = {paths, 1, &events, 0.01};
    if (target_passed(offload_read_perf(&t, &samples, &accelerator, &e), &e))
        check_table(&t);
    offload_table_release(&t);
    free(path);
    return 0;
}
