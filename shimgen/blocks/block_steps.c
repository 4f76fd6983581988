/* block_steps.c - estimates the cycles of blocks in each step of a model. */
#include "shimgen/blocks/block_steps.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "irprof/irprof.h"

/* Does the region contain single steps of those in `steps`? */
static bool is_kind_of(const struct irprof_region *r, const struct irprof_region *steps)
{
    return r->step != IRPROF_STEP_ALL && irprof_same_steps(r, steps);
}

/* Does the region contain steps? */
static bool has_steps(const struct irprof_region *r)
{
    return r->step == IRPROF_STEP_ALL && r->entries;
}

/* The names that a user may give, as "a, b". The caller frees. */
static char *names_of(const struct irprof_profile *p, const struct irprof_region *besides)
{
    struct str names = STR_INIT;
    for (size_t i = 0; i + 1 < p->n_regions; i++)
        if (has_steps(&p->regions[i]) && &p->regions[i] != besides)
            str_addf(&names, "%s%.*s", names.len ? ", " : "", (int)p->regions[i].n_function, p->regions[i].name);
    str_add(&names, "");
    return str_detach(&names);
}

/* The region with all steps of the function `wanted`; NULL: of the first one. *region is p->n_regions if there is
 * none. */
static enum status find_steps(size_t *region, const struct irprof_profile *p, const char *wanted, struct error *e)
{
    for (size_t i = 0; i + 1 < p->n_regions; i++) {
        const struct irprof_region *r = &p->regions[i];
        bool fits = !wanted || (strlen(wanted) == r->n_function && memcmp(r->name, wanted, r->n_function) == 0);
        if (has_steps(r) && fits) {
            *region = i;
            return OK;
        }
    }
    *region = p->n_regions;
    if (!wanted)
        return OK;
    char *names = names_of(p, 0);
    enum status s = error_set(e, ERR_INPUT, AT_FILE(p->path),
                              "has no steps of '%s' (it has those of: %s): 'shimgen profile --steps %s' counts them",
                              wanted, *names ? names : "no function", wanted);
    free(names);
    return s;
}

/* If there are several rates, one is shown. A note says so unless the user has chosen it. */
static void note_others(struct blocks *b)
{
    char *others = names_of(b->request->profile, b->step);
    if (*others && !b->request->step)
        vec_push(&b->notes, xasprintf("the steps shown are those of %.*s; for those of %s: --step",
                                      (int)b->step->n_function, b->step->name, others));
    free(others);
}

struct summer {
    struct blocks *b;
    struct blocks_row *rows;
    const struct assignment *parts;
    size_t all; /* the region with all steps */
    /* the mean comes from the region `all`, so it equals that region's estimate even if the estimates of the single
     * paths do not add up to it; if that region is flawed, the mean comes from the paths */
    bool whole;
    double *sums; /* owned; for each block, then for everything */
    size_t n;
};

static struct blocks_step *step_of(const struct summer *s, size_t i, size_t core)
{
    return i < s->n ? &s->rows[i].steps[core] : &s->b->steps[core];
}

/* Estimates a region on one core. The cycles go to s->sums. */
static enum status sum_region(const struct summer *s, size_t region, size_t core, struct error *e)
{
    struct estimate *est = 0;
    enum status status = blocks_estimate(&est, s->b->request, region, core, e);
    if (status)
        return status;
    memset(s->sums, 0, (s->n + 1) * sizeof *s->sums);
    for (size_t k = 0; k < s->b->request->profile->n_parts; k++)
        s->sums[s->parts->block[k]] += est->parts[k].typical;
    s->sums[s->n] = est->total.typical;
    estimate_free(est);
    return OK;
}

/* Adds the sums of a region whose steps are part of the mean. */
static void add_to_mean(const struct summer *s, size_t core)
{
    for (size_t i = 0; i <= s->n; i++)
        step_of(s, i, core)->mean += s->sums[i];
}

/* Adds the sums of a path that was taken so many times. */
static void add_way(const struct summer *s, size_t core, uint64_t times, bool first)
{
    for (size_t i = 0; i <= s->n; i++) {
        struct blocks_step *step = step_of(s, i, core);
        double each = s->sums[i] / (double)times;
        if (first || each < step->best)
            step->best = each;
        if (first || each > step->worst)
            step->worst = each;
    }
}

/* What is assumed for all steps together (mispredictions that the profile lacks) may be in no single path. The mean
 * must lie between best and worst nevertheless. */
static void finish_core(const struct summer *s, size_t core, bool any)
{
    for (size_t i = 0; i <= s->n; i++) {
        struct blocks_step *step = step_of(s, i, core);
        step->mean /= (double)s->b->n_steps;
        if (!any || step->mean < step->best)
            step->best = step->mean;
        if (!any || step->mean > step->worst)
            step->worst = step->mean;
    }
}

static enum status measure_core(const struct summer *s, size_t core, struct error *e)
{
    const struct irprof_profile *p = s->b->request->profile;
    enum status status = s->whole ? sum_region(s, s->all, core, e) : OK;
    bool any = false;
    if (s->whole && !status)
        add_to_mean(s, core);
    s->b->n_kinds = 0;
    for (size_t i = 0; i + 1 < p->n_regions && !status; i++) {
        const struct irprof_region *r = &p->regions[i];
        if (!is_kind_of(r, s->b->step) || r->flaws || !r->entries)
            continue;
        bool apart = r->step == IRPROF_STEP_PATH;
        s->b->n_kinds += apart;
        s->b->step_kinds_complete &= apart;
        status = sum_region(s, i, core, e);
        if (!status && !s->whole)
            add_to_mean(s, core);
        if (!status && apart)
            add_way(s, core, r->entries, !any);
        any |= apart;
    }
    if (!status)
        finish_core(s, core, any);
    return status;
}

static uint64_t count_steps(const struct summer *s)
{
    const struct irprof_profile *p = s->b->request->profile;
    uint64_t n = 0;
    if (s->whole)
        return p->regions[s->all].entries;
    for (size_t i = 0; i + 1 < p->n_regions; i++)
        if (is_kind_of(&p->regions[i], s->b->step) && !p->regions[i].flaws)
            n += p->regions[i].entries;
    return n;
}

enum status steps_measure(struct blocks *b, struct blocks_row *rows, const struct assignment *parts, struct error *e)
{
    const struct irprof_profile *p = b->request->profile;
    size_t all, n = b->tree.blocks.n, cores = b->request->n_cores;
    enum status status = find_steps(&all, p, b->request->step, e);
    if (status || all == p->n_regions)
        return status;
    struct summer s = {b, rows, parts, all, !p->regions[all].flaws, xcalloc(n + 1, sizeof *s.sums), n};
    b->step = &p->regions[all];
    b->step_kinds_complete = true;
    b->steps = xcalloc(cores, sizeof *b->steps);
    b->n_steps = count_steps(&s);
    for (size_t i = 0; i < n; i++)
        rows[i].steps = xcalloc(cores, sizeof *rows[i].steps);
    for (size_t core = 0; core < cores && !status; core++)
        status = measure_core(&s, core, e);
    note_others(b);
    free(s.sums);
    return status;
}
