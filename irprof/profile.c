#include "irprof/profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"

/* Memory for the executions of all segments in all regions is at most this [bytes]. */
static const uint64_t executions_limit = (uint64_t)FILE_LIMIT;

/* ---- keys in the order of their names, so that results do not depend on the modules' order ---- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Takes the names out of the map, sorted; rank[i] is the new number of name i. */
static char **sort_names(struct map *names, size_t **rank)
{
    char **sorted = xcalloc(names->n, sizeof *sorted);
    for (size_t i = 0; i < names->n; i++)
        sorted[i] = xstrdup(names->keys[i]);
    qsort(sorted, names->n, sizeof *sorted, compare_names);
    *rank = xcalloc(names->n, sizeof **rank);
    for (size_t i = 0; i < names->n; i++) {
        size_t old = 0;
        map_get(names, sorted[i], &old);
        (*rank)[old] = i;
    }
    return sorted;
}

static void adopt_keys(struct irprof_profile *p, struct profile_builder *b)
{
    size_t *rank;
    p->n_keys = b->keys.n;
    p->keys = sort_names(&b->keys, &rank);
    for (size_t i = 0; i < b->items.n; i++)
        b->items.at[i].key = (uint32_t)rank[b->items.at[i].key];
    free(rank);
}

static void adopt_files(struct irprof_profile *p, struct profile_builder *b)
{
    size_t *rank;
    p->n_files = b->files.n;
    p->files = sort_names(&b->files, &rank);
    for (size_t i = 0; i < b->parts.n; i++)
        if (b->parts.at[i].file != IRPROF_NONE)
            b->parts.at[i].file = (uint32_t)rank[b->parts.at[i].file];
    for (size_t i = 0; i < b->functions.n; i++)
        if (b->functions.at[i].file != IRPROF_NONE)
            b->functions.at[i].file = (uint32_t)rank[b->functions.at[i].file];
    free(rank);
}

#define ADOPT(p, b, what) ((p)->what = (b)->what.at, (p)->n_##what = (b)->what.n, (b)->what.at = 0, (b)->what.n = 0)

static void builder_release(struct profile_builder *b)
{
    for (size_t i = 0; i < b->module_values.n; i++) {
        vec_release(&b->module_values.at[i].derived);
        vec_release(&b->module_values.at[i].terms);
    }
    vec_release(&b->module_values);
    vec_release(&b->values);
    map_release(&b->keys);
    map_release(&b->files);
}

/* ---- how often each segment was executed ---- */

/* values[0 ... n_counters) are the counters; computes the derived ones. False: the counts contradict each other. */
static bool derive(uint64_t *values, const struct profile_values *v)
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
        if (minus > plus)
            return false;
        values[v->n_counters + i] = plus - minus;
    }
    return true;
}

/* Do all instructions together fit in 63 bits (what JSON readers take)? Then every sum of some of them does. */
static bool total_fits(const struct irprof_profile *p, const uint64_t *executions)
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

static enum status fill_region(struct irprof_profile *p, const struct profile_builder *b, const struct container *c,
                               const uint64_t *counts, struct irprof_region *r, struct error *e)
{
    r->executions = xcalloc(p->n_segments, sizeof *r->executions);
    size_t at = 0;
    for (size_t m = 0; m < c->n_modules; m++) {
        const struct profile_values *v = &b->module_values.at[m];
        uint64_t *values = xcalloc(v->n_counters + v->derived.n, sizeof *values);
        if (v->n_counters)
            memcpy(values, counts + c->modules[m].first_counter, v->n_counters * sizeof *values);
        bool right = derive(values, v);
        for (; at < p->n_segments && p->functions[p->segments[at].function].module == m; at++)
            r->executions[at] = values[b->values.at[at]];
        free(values);
        /* A flawed region may hold anything; it is refused when it is asked for. */
        if (!right && !r->flaws)
            return error_set(e, ERR_INPUT, AT_FILE(p->path),
                             "a damaged profile: the counts of region '%s' contradict "
                             "each other; run the program again",
                             r->name);
    }
    if (!r->flaws && !total_fits(p, r->executions))
        return error_set(e, ERR_INPUT, AT_FILE(p->path), "the counts of region '%s' are too large to add up", r->name);
    return OK;
}

static enum status fill_regions(struct irprof_profile *p, const struct profile_builder *b, const struct container *c,
                                struct error *e)
{
    uint64_t size;
    if (__builtin_mul_overflow((uint64_t)c->n_regions + 1, (uint64_t)p->n_segments * sizeof(uint64_t), &size) ||
        size > executions_limit)
        return error_set(e, ERR_INPUT, AT_FILE(p->path), "%zu regions of %zu segments are too many", c->n_regions,
                         p->n_segments);
    p->regions = xcalloc(c->n_regions + 1, sizeof *p->regions);
    enum status s = OK;
    for (size_t i = 0; i < c->n_regions && !s; i++) {
        const struct container_region *from = &c->regions[i];
        struct irprof_region *r = &p->regions[p->n_regions++];
        *r = (struct irprof_region){.name = xstrdup(from->name), .entries = from->entries, .flaws = from->flaws};
        s = fill_region(p, b, c, from->counts, r, e);
    }
    if (s)
        return s;
    struct irprof_region *all = &p->regions[p->n_regions++];
    const char *name = c->n_regions ? IRPROF_REGION_TOTAL : IRPROF_REGION_MAIN;
    *all = (struct irprof_region){.name = xstrdup(name), .entries = c->runs};
    return fill_region(p, b, c, c->counts, all, e);
}

static enum status build(struct irprof_profile *p, struct container *c, struct error *e)
{
    struct profile_builder b = {.path = p->path};
    enum status s = OK;
    p->program = xstrdup(c->program);
    p->end = (enum irprof_end)c->end;
    p->end_signal = c->end_signal;
    p->runs = c->runs;
    for (size_t i = 0; i < c->n_modules && !s; i++)
        s = description_parse(&b, &c->modules[i], e);
    adopt_keys(p, &b);
    adopt_files(p, &b);
    ADOPT(p, &b, modules);
    ADOPT(p, &b, functions);
    ADOPT(p, &b, segments);
    ADOPT(p, &b, parts);
    ADOPT(p, &b, items);
    if (!s)
        s = fill_regions(p, &b, c, e);
    builder_release(&b);
    return s;
}

static enum status make(struct irprof_profile **out, struct str *bytes, const char *name, struct error *e)
{
    struct irprof_profile *p = xcalloc(1, sizeof *p);
    struct container c;
    p->path = xstrdup(name);
    enum status s = container_parse(&c, bytes, p->path, e);
    if (!s) {
        s = build(p, &c, e);
        container_release(&c);
    }
    if (s)
        irprof_free(p);
    else
        *out = p;
    return s;
}

enum status irprof_parse(struct irprof_profile **out, const void *bytes, size_t n, const char *name, struct error *e)
{
    struct str copy = STR_INIT;
    str_addn(&copy, bytes, n);
    return make(out, &copy, name, e);
}

enum status irprof_read(struct irprof_profile **out, const char *path, struct error *e)
{
    struct str bytes = STR_INIT;
    enum status s = file_read(&bytes, path, FILE_LIMIT, e);
    if (s) {
        str_release(&bytes);
        return s;
    }
    return make(out, &bytes, path, e);
}

void irprof_free(struct irprof_profile *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->n_keys; i++)
        free(p->keys[i]);
    for (size_t i = 0; i < p->n_files; i++)
        free(p->files[i]);
    for (size_t i = 0; i < p->n_modules; i++) {
        free(p->modules[i].name);
        free(p->modules[i].target);
    }
    for (size_t i = 0; i < p->n_functions; i++) {
        free(p->functions[i].name);
        free(p->functions[i].not_counted);
    }
    for (size_t i = 0; i < p->n_regions; i++) {
        free(p->regions[i].name);
        free(p->regions[i].executions);
    }
    free(p->keys);
    free(p->files);
    free(p->modules);
    free(p->functions);
    free(p->segments);
    free(p->parts);
    free(p->items);
    free(p->regions);
    free(p->program);
    free(p->path);
    free(p);
}
