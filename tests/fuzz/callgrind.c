/* callgrind.c - the fuzz target of callgrind files (shimgen offload): refused with a reason, or a table whose calls are
 * of functions that there are, with shares between 0 and 1. */
#include <math.h>
#include <stdlib.h>

#include "shimgen/offload/offload.h"
#include "tests/fuzz/target.h"

static const struct accelerator accelerator = {
    .local = {1 << 15, 8, 64},
    .link = 8e9,
    .latency = 1e-6,
    .flops = 1e12,
    .integers = NAN,
    .memory = NAN,
    .host_clock = 2e9,
    .host_l2 = {1 << 18, 8, 64},
    .intensity = {4, NULL},
    .integer_intensity = {NAN, NULL},
    .rate = {8e9, NULL},
    .functions = {20, NULL},
    .share = {0.8, NULL},
};

static void check_candidate(const struct offload_table *t, const struct offload_candidate *c)
{
    if (!(c->share >= 0 && c->share <= 1 + 1e-6))
        BUG("a share of %g", c->share);
    if (c->needed > c->working || c->working > t->functions.n)
        BUG("%zu of %zu functions", c->needed, c->working);
    if (c->bound < 0)
        BUG("a bound of %g", c->bound);
    for (size_t i = 0; i < c->inside.n; i++)
        if (c->inside.at[i].function >= t->functions.n)
            BUG("a function that is not there");
}

static void check_table(const struct offload_table *t, bool alone)
{
    struct offload_judgement j;
    for (size_t i = 0; i < t->arcs.n; i++)
        if (t->arcs.at[i].caller >= t->functions.n || t->arcs.at[i].callee >= t->functions.n)
            BUG("a call of a function that is not there");
    offload_judge(&j, t, &accelerator, 0.01, alone);
    check_candidate(t, &j.whole);
    for (size_t i = 0; i < j.roots.n; i++)
        check_candidate(t, &j.roots.at[i]);
    if (j.smallest != OFFLOAD_WHOLE && j.smallest >= j.roots.n)
        BUG("the smallest is no root");
    offload_judgement_release(&j);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error e = ERROR_INIT;
    struct offload_table t;
    char *path = target_file("callgrind.out", data, size);
    if (target_passed(offload_read_callgrind(&t, path, &accelerator, &e), &e)) {
        check_table(&t, false);
        check_table(&t, true);
    }
    offload_table_release(&t);
    free(path);
    return 0;
}
