/*
 * counter_values.c - counts from counters: computes the values that follow from a region's counters, and what each
 * segment, edge, loop and event has of them.
 */
#include <stdlib.h>
#include <string.h>

#include "irprof/profile/format.h"
#include "irprof/profile/profile.h"

/* Memory for regions is limited, whatever the file says: to this many bytes, and to so many times the file's size. A
 * region is in the file with all its counters, and each counter determines the counts of a few things. */
static const uint64_t regions_least = (uint64_t)64 << 20;
static const uint64_t regions_per_byte = 64;

/* Computes derived values; values[0 ... n_counters) are the counters. r->clamped counts those below zero, r->missing is
 * the largest amount below zero. Returns false if they are too large to add. */
static bool derive(uint64_t *values, const struct profile_values *v, struct irprof_region *r)
{
    for (size_t i = 0; i < v->derived.n; i++) {
        const struct profile_derived *d = &v->derived.at[i];
        uint64_t plus = 0, minus = 0;
        for (size_t k = 0; k < d->n_terms; k++) {
            const struct profile_term *t = &v->terms.at[d->first_term + k];
            uint64_t *side = t->negative ? &minus : &plus;
            if (__builtin_add_overflow(*side, values[t->value], side))
                return false;
        }
        r->clamped += minus > plus;
        r->missing = minus > plus && minus - plus > r->missing ? minus - plus : r->missing;
        values[v->n_counters + i] = minus > plus ? 0 : plus - minus;
    }
    return true;
}

/* Where the current module's things begin in the profile's arrays. */
struct position {
    size_t segment, edge, loop;
};

static bool fill_event_counts(struct irprof_region *r, const struct irprof_profile *p, const struct profile_builder *b,
                              const uint64_t *values, size_t segment)
{
    const struct irprof_segment *s = &p->segments[segment];
    for (size_t k = s->first_part; k < s->first_part + s->n_parts; k++) {
        const struct irprof_part *part = &p->parts[k];
        for (size_t i = part->first_event_site; i < part->first_event_site + part->n_event_sites; i++) {
            const struct profile_event_site *h = &b->counted.event_sites.at[i];
            uint64_t value = h->own ? values[h->value] : r->executions[segment];
            if (__builtin_mul_overflow(value, (uint64_t)h->times, &r->event_counts[i]))
                return false;
        }
    }
    return true;
}

/* Fills the part of the region that belongs to module m. Returns false if the numbers are too large. */
static bool fill_module(struct irprof_region *r, const struct irprof_profile *p, const struct profile_builder *b,
                        uint32_t m, const uint64_t *values, struct position *at)
{
    bool fits = true;
    for (; at->segment < p->n_segments && p->functions[p->segments[at->segment].function].module == m; at->segment++) {
        r->executions[at->segment] = values[b->counted.segments.at[at->segment]];
        fits &= fill_event_counts(r, p, b, values, at->segment);
    }
    for (; at->edge < p->n_edges && p->functions[p->edges[at->edge].function].module == m; at->edge++)
        r->taken[at->edge] = values[b->counted.edges.at[at->edge]];
    for (; at->loop < p->n_loops && p->functions[p->loops[at->loop].function].module == m; at->loop++) {
        const struct profile_loop *loop = &b->counted.loops.at[at->loop];
        r->iterations[at->loop] = values[loop->iterations];
        r->repeats[at->loop] = values[loop->repeats];
        if (r->repeats[at->loop] > r->iterations[at->loop]) {
            r->repeats[at->loop] = r->iterations[at->loop];
            r->clamped++;
        }
    }
    return fits;
}

/* Adds n numbers. Returns false if the sum does not fit in 63 bits, which is what JSON readers accept. */
static bool sum_fits(const uint64_t *numbers, size_t n)
{
    uint64_t total = 0;
    for (size_t i = 0; i < n; i++)
        if (__builtin_add_overflow(total, numbers[i], &total) || total > INT64_MAX)
            return false;
    return true;
}

static bool instructions_fit(const struct irprof_profile *p, const uint64_t *executions)
{
    uint64_t total = 0;
    for (size_t i = 0; i < p->n_segments; i++) {
        const struct irprof_segment *s = &p->segments[i];
        for (size_t k = 0; k < s->n_parts; k++) {
            const struct irprof_part *part = &p->parts[s->first_part + k];
            for (size_t j = 0; j < part->n_items; j++) {
                uint64_t n;
                if (__builtin_mul_overflow(executions[i], (uint64_t)p->items[part->first_item + j].times, &n) ||
                    __builtin_add_overflow(total, n, &total) || total > INT64_MAX)
                    return false;
            }
        }
    }
    return true;
}

static bool calls_fit(const struct irprof_profile *p, const uint64_t *executions)
{
    uint64_t total = 0;
    for (size_t i = 0; i < p->n_calls; i++)
        if (__builtin_add_overflow(total, executions[p->calls[i].segment], &total) || total > INT64_MAX)
            return false;
    return true;
}

/* Does the sum of all counts fit? Then the sum of any of them does. */
static bool sums_fit(const struct irprof_profile *p, const struct irprof_region *r)
{
    return instructions_fit(p, r->executions) && calls_fit(p, r->executions) &&
           sum_fits(r->executions, p->n_segments) && sum_fits(r->taken, p->n_edges) &&
           sum_fits(r->event_counts, p->n_event_sites) && sum_fits(r->iterations, p->n_loops);
}

/* Returns false if they are too large to add up. */
static bool fill_counts(const struct irprof_profile *p, const struct profile_builder *b, const struct container *c,
                        const uint64_t *counts, struct irprof_region *r)
{
    bool fits = true;
    struct position at = {0};
    r->executions = xcalloc(p->n_segments, sizeof *r->executions);
    r->taken = xcalloc(p->n_edges, sizeof *r->taken);
    r->event_counts = xcalloc(p->n_event_sites, sizeof *r->event_counts);
    r->iterations = xcalloc(p->n_loops, sizeof *r->iterations);
    r->repeats = xcalloc(p->n_loops, sizeof *r->repeats);
    for (size_t m = 0; m < c->n_modules; m++) {
        const struct profile_values *v = &b->values.at[m];
        uint64_t *values = xcalloc(v->n_counters + v->derived.n, sizeof *values);
        if (v->n_counters)
            memcpy(values, counts + c->modules[m].first_counter, v->n_counters * sizeof *values);
        fits &= derive(values, v, r);
        fits &= fill_module(r, p, b, (uint32_t)m, values, &at);
        free(values);
    }
    return fits && sums_fit(p, r);
}

static enum status fill_region(struct irprof_profile *p, const struct profile_builder *b, const struct container *c,
                               const uint64_t *counts, struct irprof_region *r, struct error *e)
{
    bool fits = fill_counts(p, b, c, counts, r);
    /* a flawed region may contain anything; it is refused when it is used */
    if (!r->flaws && !fits)
        return error_set(e, ERR_INPUT, AT_FILE(p->path), "the counts of region '%s' are too large to add up", r->name);
    return OK;
}

void values_fill_window(const struct irprof_profile *p, const struct profile_builder *b, const struct container *c,
                        const uint64_t *counts, struct irprof_region *out)
{
    *out = (struct irprof_region){.name = xstrdup("window"), .entries = 1};
    (void)fill_counts(p, b, c, counts, out); /* those of the whole run fit */
}

/* The memory that n regions take; saturates. */
static uint64_t regions_size(const struct irprof_profile *p, uint64_t n)
{
    uint64_t each = (uint64_t)p->n_segments + p->n_edges + p->n_event_sites + 2 * (uint64_t)p->n_loops, size;
    return __builtin_mul_overflow(n, each * sizeof(uint64_t), &size) ? UINT64_MAX : size;
}

/* The only parser of names of steps. */
static void find_step(struct irprof_region *r)
{
    const char *mark = strrchr(r->name, FORMAT_STEPS);
    if (!mark || mark == r->name)
        return;
    r->step = !mark[1]                                    ? IRPROF_STEP_ALL
              : strcmp(mark + 1, FORMAT_STEPS_MORE) == 0  ? IRPROF_STEP_MORE
              : !mark[1 + strspn(mark + 1, "0123456789")] ? IRPROF_STEP_PATH
                                                          : IRPROF_STEP_NOT;
    r->n_function = r->step == IRPROF_STEP_NOT ? 0 : (size_t)(mark - r->name);
}

bool irprof_same_steps(const struct irprof_region *a, const struct irprof_region *b)
{
    return a->step && b->step && a->n_function == b->n_function && memcmp(a->name, b->name, a->n_function) == 0;
}

enum status values_fill_regions(struct irprof_profile *p, const struct profile_builder *b, const struct container *c,
                                struct error *e)
{
    uint64_t limit = regions_least + regions_per_byte * (uint64_t)c->bytes.len;
    if (regions_size(p, (uint64_t)c->n_regions + 1) > limit)
        return error_set(e, ERR_INPUT, AT_FILE(p->path), "%zu regions of %zu segments are too many", c->n_regions,
                         p->n_segments);
    p->regions = xcalloc(c->n_regions + 1, sizeof *p->regions);
    enum status s = OK;
    for (size_t i = 0; i < c->n_regions && !s; i++) {
        const struct container_region *from = &c->regions[i];
        struct irprof_region *r = &p->regions[p->n_regions++];
        *r = (struct irprof_region){.name = xstrdup(from->name), .entries = from->entries, .flaws = from->flaws};
        find_step(r);
        s = fill_region(p, b, c, from->counts, r, e);
    }
    if (s)
        return s;
    struct irprof_region *all = &p->regions[p->n_regions++];
    const char *name = c->n_regions ? IRPROF_REGION_TOTAL : IRPROF_REGION_MAIN;
    *all = (struct irprof_region){.name = xstrdup(name), .entries = c->runs};
    return fill_region(p, b, c, c->counts, all, e);
}
