/* tune_example.h - profiles made by hand, and values of a core: what the schedule of them takes can be told. */
#ifndef TESTS_UNIT_ESTIMATE_TUNE_EXAMPLE_H
#define TESTS_UNIT_ESTIMATE_TUNE_EXAMPLE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "shimgen/estimate/tune/tune.h"

enum { PROGRAMS = 12, MOST = 16 };

static char *keys[] = {(char *)"add.i32", (char *)"load.i32"};
static struct irprof_function function = {.name = (char *)"f", .file = IRPROF_NONE};

/* One block, executed 100 times: `loads` loads that each need the one before, then adds likewise. */
struct made {
    struct irprof_profile profile;
    struct irprof_instruction instructions[MOST];
    struct irprof_operand operands[MOST];
    struct irprof_item items[2];
    struct irprof_part part;
    struct irprof_segment segment;
    struct irprof_region region;
    uint64_t times;
};

static void make(struct made *m, uint32_t loads, uint32_t adds)
{
    uint32_t n = loads + adds;
    *m = (struct made){.items = {{0, adds}, {1, loads}}, .part = {IRPROF_NONE, 0, 0, 2, 0, 0}, .times = 100};
    for (uint32_t i = 0; i < n; i++) {
        m->instructions[i] = (struct irprof_instruction){i < loads, 0, i, 1, 0};
        m->operands[i].producer = i ? i - 1 : IRPROF_NONE;
    }
    m->segment = (struct irprof_segment){0, 0, 0, IRPROF_NONE, 0, 1, 0, n};
    m->region = (struct irprof_region){.name = (char *)"main", .entries = 1, .executions = &m->times};
    m->profile = (struct irprof_profile){.keys = keys,
                                         .n_keys = 2,
                                         .functions = &function,
                                         .n_functions = 1,
                                         .segments = &m->segment,
                                         .n_segments = 1,
                                         .parts = &m->part,
                                         .n_parts = 1,
                                         .items = m->items,
                                         .n_items = 2,
                                         .instructions = m->instructions,
                                         .n_instructions = n,
                                         .operands = m->operands,
                                         .n_operands = n,
                                         .regions = &m->region,
                                         .n_regions = 1};
}

static inline struct costs costs_with(double load)
{
    struct costs c = {.core = xstrdup("Core")};
    costs_add(&c, "add", (struct cycles){0.5, 0.5, 0.5}, (struct cycles){1, 1, 1});
    costs_add(&c, "load", (struct cycles){1, 1, 1}, (struct cycles){load, load, load});
    return c;
}

static inline double cycles_of(const struct made *m, const struct costs *c)
{
    struct estimate *est;
    struct error e = ERROR_INIT;
    struct estimate_request q = {.profile = &m->profile, .costs = c};
    if (estimate_run(&est, &estimator_schedule, &q, &e))
        fail_msg("%s", e.message);
    double cycles = est->total.typical;
    estimate_free(est);
    return cycles;
}

#endif
