/* profile.c - builds an irprof_profile from a profile file. */
#include "irprof/profile/profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "irprof/profile/format.h"
#include "irprof/profile/footprint_section.h"
#include "irprof/profile/traffic_section.h"
#include "irprof/profile/windows_section.h"

/* ---- keys are sorted by name, so that results do not depend on the order of modules ---- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Takes the names out of the map and sorts them. rank[i] is the new number of name i. */
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

/* Not sorted: nobody sees the order of callees. */
static void adopt_callees(struct irprof_profile *p, struct profile_builder *b)
{
    p->callees = b->callees.keys;
    p->n_callees = b->callees.n;
    b->callees.keys = 0;
    b->callees.n = 0;
}

#define ADOPT(p, b, what) ((p)->what = (b)->what.at, (p)->n_##what = (b)->what.n, (b)->what.at = 0, (b)->what.n = 0)

static void counted_release(struct profile_builder *b)
{
    for (size_t i = 0; i < b->values.n; i++) {
        vec_release(&b->values.at[i].derived);
        vec_release(&b->values.at[i].terms);
    }
    vec_release(&b->values);
    vec_release(&b->counted.segments);
    vec_release(&b->counted.edges);
    vec_release(&b->counted.event_sites);
    vec_release(&b->counted.loops);
}

static void builder_release(struct profile_builder *b)
{
    counted_release(b);
    vec_release(&b->called);
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

/* ---- windows: the meaning of counters is needed as long as the profile exists ---- */

struct irprof_window_source {
    struct profile_builder builder; /* `values` and `counted` */
    struct container container;     /* where modules' counters begin, and `windows` */
};

static struct irprof_windows *windows_keep(struct profile_builder *b, struct container *c)
{
    struct irprof_windows *w = xcalloc(1, sizeof *w);
    *w = (struct irprof_windows){c->windows->flaws, c->windows->accesses, c->windows->n, xcalloc(1, sizeof *w->source)};
    struct irprof_window_source *s = w->source;
    s->builder = (struct profile_builder){.values = b->values, .counted = b->counted};
    memset(&b->values, 0, sizeof b->values);
    memset(&b->counted, 0, sizeof b->counted);
    s->container = (struct container){
        .modules = c->modules, .n_modules = c->n_modules, .n_counters = c->n_counters, .windows = c->windows};
    c->modules = 0;
    c->n_modules = 0;
    c->windows = 0;
    return w;
}

static void free_windows(struct irprof_windows *w)
{
    if (!w)
        return;
    counted_release(&w->source->builder);
    container_release(&w->source->container);
    free(w->source);
    free(w);
}

void irprof_window(const struct irprof_profile *p, size_t first, size_t n, struct irprof_region *out)
{
    const struct irprof_window_source *s = p->windows->source;
    uint64_t *counts = xcalloc(s->container.n_counters, sizeof *counts);
    windows_sum(counts, s->container.windows, first, n);
    values_fill_window(p, &s->builder, &s->container, counts, out);
    free(counts);
}

/* ---- callees ---- */

/* Which functions were entered in the whole run. */
static void mark_entered(bool *entered, const struct irprof_profile *p)
{
    const uint64_t *executions = p->regions[p->n_regions - 1].executions;
    for (size_t i = 0; i < p->n_segments; i++)
        entered[p->segments[i].function] |= executions[i] > 0;
}

/* Functions that other modules can call, by name. If several have one name (weak ones, of which the linker keeps one),
 * the first that was entered. */
static void list_visible(struct map *visible, const struct irprof_profile *p, const bool *entered)
{
    for (size_t i = 0; i < p->n_functions; i++) {
        size_t other;
        if (p->functions[i].local)
            continue;
        if (!map_get(visible, p->functions[i].name, &other) || (!entered[other] && entered[i]))
            map_put(visible, p->functions[i].name, i);
    }
}

/* Fills in the callees of p->calls. The regions have been read. */
static void callees_resolve(struct irprof_profile *p, const struct profile_builder *b)
{
    struct map visible = {0};
    bool *entered = xcalloc(p->n_functions, sizeof *entered);
    mark_entered(entered, p);
    list_visible(&visible, p, entered);
    for (size_t i = 0; i < p->n_calls; i++) {
        struct irprof_call *call = &p->calls[i];
        const struct profile_callee *called = &b->called.at[i];
        size_t other;
        call->callee = called->function;
        if (called->function != IRPROF_NONE)
            call->name = p->functions[called->function].name;
        else if (called->name != IRPROF_NONE)
            call->name = p->callees[called->name];
        bool sure =
            !call->name || (call->callee != IRPROF_NONE && (p->functions[call->callee].local || entered[call->callee]));
        if (!sure && map_get(&visible, call->name, &other))
            call->callee = (uint32_t)other;
    }
    map_release(&visible);
    free(entered);
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
    if (!s && c->footprint)
        s = footprint_adopt(p, c->footprint, e);
    if (!s && c->windows)
        p->windows = windows_keep(&b, c);
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

void irprof_region_release(struct irprof_region *r)
{
    free(r->name);
    free(r->executions);
    free(r->taken);
    free(r->event_counts);
    free(r->iterations);
    free(r->repeats);
    *r = (struct irprof_region){0};
}

static void free_regions(struct irprof_profile *p)
{
    for (size_t i = 0; i < p->n_regions; i++)
        irprof_region_release(&p->regions[i]);
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
    free_windows(p->windows);
    if (p->footprint)
        free(p->footprint->rows);
    free(p->footprint);
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
