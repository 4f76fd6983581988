/* profile.c - builds an irprof_profile from a profile file. */
#include "irprof/profile/profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "irprof/profile/format.h"
#include "irprof/profile/traffic_section.h"

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
    for (size_t i = 0; i < b->instructions.n; i++)
        b->instructions.at[i].key = (uint32_t)rank[b->instructions.at[i].key];
    free(rank);
}

static void adopt_events(struct irprof_profile *p, struct profile_builder *b)
{
    size_t *rank;
    p->n_events = b->events.n;
    p->events = sort_names(&b->events, &rank);
    for (size_t i = 0; i < b->event_sites.n; i++)
        b->event_sites.at[i].event = (uint32_t)rank[b->event_sites.at[i].event];
    free(rank);
}

#define RERANK(things, rank)                                                                                           \
    for (size_t i = 0; i < (things).n; i++)                                                                            \
        if ((things).at[i].file != IRPROF_NONE)                                                                        \
            (things).at[i].file = (uint32_t)(rank)[(things).at[i].file];

static void adopt_files(struct irprof_profile *p, struct profile_builder *b)
{
    size_t *rank;
    p->n_files = b->files.n;
    p->files = sort_names(&b->files, &rank);
    p->checksums = xcalloc(p->n_files, sizeof *p->checksums);
    for (size_t i = 0; i < b->checksums.n; i++) {
        p->checksums[rank[i]] = b->checksums.at[i];
        b->checksums.at[i] = 0;
    }
    RERANK(b->parts, rank)
    RERANK(b->functions, rank)
    RERANK(b->edges, rank)
    RERANK(b->loops, rank)
    RERANK(b->calls, rank)
    free(rank);
}

/* As they are: nobody sees their order. */
static void adopt_callees(struct irprof_profile *p, struct profile_builder *b)
{
    p->callees = b->callees.keys;
    p->n_callees = b->callees.n;
    b->callees.keys = 0;
    b->callees.n = 0;
}

#define ADOPT(p, b, what) ((p)->what = (b)->what.at, (p)->n_##what = (b)->what.n, (b)->what.at = 0, (b)->what.n = 0)

static void builder_release(struct profile_builder *b)
{
    for (size_t i = 0; i < b->values.n; i++) {
        vec_release(&b->values.at[i].derived);
        vec_release(&b->values.at[i].terms);
    }
    vec_release(&b->values);
    vec_release(&b->called);
    vec_release(&b->counted.segments);
    vec_release(&b->counted.edges);
    vec_release(&b->counted.event_sites);
    vec_release(&b->counted.loops);
    for (size_t i = 0; i < b->checksums.n; i++)
        free(b->checksums.at[i]);
    vec_release(&b->checksums);
    map_release(&b->keys);
    map_release(&b->files);
    map_release(&b->events);
    map_release(&b->callees);
}

static const char *why_once(uint32_t why)
{
    static const char *const words[] = FORMAT_ONCE_WORDS;
    return why ? words[why] : 0;
}

static enum status build(struct irprof_profile *p, struct container *c, struct error *e)
{
    struct profile_builder b = {.path = p->path};
    enum status s = OK;
    p->program = xstrdup(c->program);
    p->end = (enum irprof_end)c->end;
    p->end_signal = c->end_signal;
    p->once = why_once(c->once);
    p->runs = c->runs;
    p->traffic = c->traffic;
    c->traffic = 0;
    for (size_t i = 0; i < c->n_modules && !s; i++)
        s = description_parse(&b, &c->modules[i], e);
    adopt_keys(p, &b);
    adopt_files(p, &b);
    adopt_events(p, &b);
    adopt_callees(p, &b);
    ADOPT(p, &b, modules);
    ADOPT(p, &b, functions);
    ADOPT(p, &b, segments);
    ADOPT(p, &b, parts);
    ADOPT(p, &b, items);
    ADOPT(p, &b, instructions);
    ADOPT(p, &b, operands);
    ADOPT(p, &b, accesses);
    ADOPT(p, &b, bases);
    ADOPT(p, &b, event_sites);
    ADOPT(p, &b, edges);
    ADOPT(p, &b, loops);
    ADOPT(p, &b, calls);
    if (!s)
        s = values_fill_regions(p, &b, c, e);
    if (!s)
        s = plausible_check(p, &b, c, e);
    if (!s)
        callees_resolve(p, &b);
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

static void free_names(char **names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(names[i]);
    free(names);
}

static void free_regions(struct irprof_profile *p)
{
    for (size_t i = 0; i < p->n_regions; i++) {
        free(p->regions[i].name);
        free(p->regions[i].executions);
        free(p->regions[i].taken);
        free(p->regions[i].event_counts);
        free(p->regions[i].iterations);
        free(p->regions[i].repeats);
    }
    free(p->regions);
}

void irprof_free(struct irprof_profile *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->n_modules; i++) {
        free(p->modules[i].name);
        free(p->modules[i].target);
        free(p->modules[i].settings);
    }
    for (size_t i = 0; i < p->n_functions; i++) {
        free(p->functions[i].name);
        free(p->functions[i].not_counted);
    }
    free_names(p->keys, p->n_keys);
    free_names(p->checksums, p->n_files);
    free_names(p->files, p->n_files);
    free_names(p->events, p->n_events);
    free_names(p->callees, p->n_callees);
    free_regions(p);
    traffic_free(p->traffic);
    free(p->modules);
    free(p->functions);
    free(p->segments);
    free(p->parts);
    free(p->items);
    free(p->instructions);
    free(p->operands);
    free(p->accesses);
    free(p->bases);
    free(p->event_sites);
    free(p->edges);
    free(p->loops);
    free(p->calls);
    free(p->program);
    free(p->path);
    free(p);
}
