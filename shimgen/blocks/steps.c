#include "shimgen/blocks/steps.h"

#include <stdlib.h>
#include <string.h>

#include "irprof/irprof.h"

/* A region of one kind of step, "NAME#12", of the steps "NAME#"? */
static bool is_kind_of(const char *name, const char *steps)
{
    size_t n = strlen(steps);
    return strncmp(name, steps, n) == 0 && name[n];
}

/* The region of all steps: the first whose name ends in '#'. */
static bool find_steps(const struct irprof_profile *p, size_t *region)
{
    for (size_t i = 0; i + 1 < p->n_regions; i++) {
        size_t n = strlen(p->regions[i].name);
        if (n > 1 && p->regions[i].name[n - 1] == '#' && p->regions[i].entries) {
            *region = i;
            return true;
        }
    }
    return false;
}

struct summer {
    struct blocks *b;
    struct blocks_row *rows;
    const struct assignment *parts;
    double *sums; /* of each block, and behind them of all */
    size_t n;
};

static void add_kind(struct blocks_step *step, double cycles, uint64_t times, uint64_t steps, bool apart, bool first)
{
    double each = cycles / (double)times;
    step->mean += cycles / (double)steps;
    if (apart && (first || each < step->best))
        step->best = each;
    if (apart && (first || each > step->worst))
        step->worst = each;
}

/* All steps of one kind, on one core. apart: they are gone through in the same way. */
static enum status measure_kind(const struct summer *s, size_t region, size_t core, bool apart, bool first,
                                struct error *e)
{
    const struct irprof_profile *p = s->b->request->profile;
    uint64_t times = p->regions[region].entries;
    struct estimate *est = 0;
    enum status status = blocks_estimate(&est, s->b->request, region, core, e);
    if (status)
        return status;
    memset(s->sums, 0, (s->n + 1) * sizeof *s->sums);
    for (size_t k = 0; k < p->n_parts; k++)
        s->sums[s->parts->block[k]] += est->parts[k].typical;
    s->sums[s->n] = est->total.typical;
    for (size_t i = 0; i <= s->n; i++)
        add_kind(i < s->n ? &s->rows[i].steps[core] : &s->b->steps[core], s->sums[i], times, s->b->n_steps, apart,
                 first);
    estimate_free(est);
    return OK;
}

static enum status measure_core(const struct summer *s, const char *steps, size_t core, struct error *e)
{
    const struct irprof_profile *p = s->b->request->profile;
    enum status status = OK;
    bool first = true;
    s->b->n_kinds = 0;
    for (size_t i = 0; i + 1 < p->n_regions && !status; i++) {
        const struct irprof_region *r = &p->regions[i];
        if (!is_kind_of(r->name, steps) || r->flaws || !r->entries)
            continue;
        bool apart = strcmp(r->name + strlen(steps), "more") != 0;
        s->b->n_kinds += apart;
        s->b->step_kinds_complete &= apart;
        status = measure_kind(s, i, core, apart, first, e);
        first &= !apart;
    }
    return status;
}

enum status steps_measure(struct blocks *b, struct blocks_row *rows, const struct assignment *parts, struct error *e)
{
    const struct irprof_profile *p = b->request->profile;
    size_t all, n = b->tree.blocks.n, cores = b->request->n_cores;
    if (!find_steps(p, &all))
        return OK;
    struct summer s = {b, rows, parts, xcalloc(n + 1, sizeof *s.sums), n};
    b->step = p->regions[all].name;
    b->step_kinds_complete = true;
    b->steps = xcalloc(cores, sizeof *b->steps);
    for (size_t i = 0; i + 1 < p->n_regions; i++)
        if (is_kind_of(p->regions[i].name, b->step) && !p->regions[i].flaws)
            b->n_steps += p->regions[i].entries;
    for (size_t i = 0; i < n; i++)
        rows[i].steps = xcalloc(cores, sizeof *rows[i].steps);
    enum status status = OK;
    for (size_t core = 0; core < cores && !status; core++)
        status = measure_core(&s, b->step, core, e);
    free(s.sums);
    return status;
}
