/* print_callgrind.c - cycles by function and line in callgrind's format. Lines are the profile's, whatever the rows
 * are. */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "irprof/report/callgrind.h"
#include "shimgen/blocks/print_blocks.h"
#include "shimgen/blocks/block_steps.h"

/* Costs must be whole numbers. Each part gets the difference of successive sums, rounded down. So the parts add up to
 * the rounded total, and none is off by a cycle. */
struct rounder {
    double sum;
    uint64_t given;
};

static uint64_t whole(struct rounder *r, double cycles)
{
    r->sum += cycles;
    uint64_t all = r->sum > 0 ? (uint64_t)floor(r->sum) : 0, more = all > r->given ? all - r->given : 0;
    r->given += more;
    return more;
}

/* Number of costs per core: cycles, and those by best and worst values if asked for. */
static size_t of_a_core(const struct blocks_print *p)
{
    return p->ranges ? 3 : 1;
}

static void fill_core(uint64_t *parts, size_t n_costs, size_t each, size_t core, const struct estimate *est)
{
    struct rounder typical = {0}, best = {0}, worst = {0};
    for (size_t k = 0; k < est->profile->n_parts; k++) {
        uint64_t *cost = parts + k * n_costs + 1 + each * core;
        cost[0] = whole(&typical, est->parts[k].typical);
        if (each == 1)
            continue;
        cost[1] = whole(&best, est->parts[k].best);
        cost[2] = whole(&worst, est->parts[k].worst);
    }
}

static void fill_instructions(uint64_t *parts, size_t n_costs, const struct blocks_request *q)
{
    const struct irprof_profile *p = q->profile;
    for (size_t i = 0; i < p->n_segments; i++)
        for (size_t k = p->segments[i].first_part; k < p->segments[i].first_part + p->segments[i].n_parts; k++)
            for (size_t j = p->parts[k].first_item; j < p->parts[k].first_item + p->parts[k].n_items; j++)
                parts[k * n_costs] += p->regions[q->region].executions[i] * p->items[j].times;
}

static void name_costs(char **names, char **titles, const struct blocks_request *q, size_t each)
{
    static const char *const kinds[] = {"typical values", "best values", "worst values"}, *const letters[] = {
                                                                                              "Cy", "CyBest",
                                                                                              "CyWorst"};
    names[0] = xstrdup("Ir");
    titles[0] = xstrdup("IR instructions");
    for (size_t i = 0; i < each * q->n_cores; i++) {
        size_t core = i / each, kind = i % each;
        names[1 + i] = core ? xasprintf("%s%zu", letters[kind], core + 1) : xstrdup(letters[kind]);
        titles[1 + i] = xasprintf("Cycles on %s, by %s", q->cores[core].core, kinds[kind]);
    }
}

enum status blocks_callgrind(const struct blocks_print *p, FILE *f, struct error *e)
{
    static const char *const about[] = {
        "Costs: cycles estimated from a SHIM file, rounded; LLVM IR instructions, exact", 0};
    const struct blocks_request *q = p->blocks->request;
    size_t each = of_a_core(p), n = 1 + each * q->n_cores;
    uint64_t *parts = xcalloc(q->profile->n_parts, n * sizeof *parts);
    char **names = xcalloc(n, sizeof *names), **titles = xcalloc(n, sizeof *titles);
    enum status s = OK;
    name_costs(names, titles, q, each);
    fill_instructions(parts, n, q);
    for (size_t core = 0; core < q->n_cores && !s; core++) {
        struct estimate *est = 0;
        s = blocks_estimate(&est, q, q->region, core, e);
        if (!s)
            fill_core(parts, n, each, core, est);
        estimate_free(est);
    }
    if (!s)
        irprof_callgrind(&(struct callgrind){.creator = "shimgen",
                                             .program = q->profile->program,
                                             .about = about,
                                             .profile = q->profile,
                                             .mangled = p->mangled,
                                             .region = q->region,
                                             .n_costs = n,
                                             .names = (const char *const *)names,
                                             .titles = (const char *const *)titles,
                                             .parts = parts},
                         f);
    for (size_t i = 0; i < n; i++) {
        free(names[i]);
        free(titles[i]);
    }
    free(names);
    free(titles);
    free(parts);
    return s;
}
