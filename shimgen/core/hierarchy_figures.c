/* hierarchy_figures.c - figures of the memory hierarchy: split accesses from trials, levels from memory probes, sizes
 * from the skeleton. */
#include "shimgen/core/hierarchy_figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "shim-xml/shimxml.h"
#include "shimgen/units/outputs.h"
#include "shimgen/probes/memory_probes.h"

static struct hierarchy_figure *put(struct hierarchy_figures *h, const char *section, const char *key, char *value,
                                    char *evidence)
{
    struct hierarchy_figure one = {.section = section, .key = key, .value = value, .evidence = evidence};
    vec_push(&h->list, one);
    return &h->list.at[h->list.n - 1];
}

/* Adds a figure in whole cycles if it is distinct from its neighbours. */
static void put_cycles(struct hierarchy_figures *h, const char *section, const char *key, double cycles, char *evidence)
{
    long whole = lround(cycles > 0 ? cycles : 0);
    struct hierarchy_figure *f = put(h, section, key, xasprintf("%ld", whole), evidence);
    double off = fmax(fabs(cycles - (double)whole), 0.02 * cycles);
    f->measured = true;
    f->low = floor((double)whole - (off > 0.3 ? off : 0));
    f->high = ceil((double)whole + (off > 0.3 ? off : 0));
    f->low = f->low < 0 ? 0 : f->low;
}

/* ---- accesses across a boundary ---- */

static double unit(const struct core_fit *f, const char *name)
{
    return core_trials_cycles(&f->run->trials, "%s", name);
}

/* The first boundary that is expensive to cross is that of a granule. */
static void find_granule(struct hierarchy_figures *h, const struct core_fit *f, double aligned)
{
    static const int sizes[] = {8, 16, 32, 64};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char name[32];
        snprintf(name, sizeof name, "split/load %d", sizes[i]);
        double took = unit(f, name);
        if (!isfinite(took))
            return;
        if (took - aligned < 0.5)
            continue;
        put_cycles(h, "data", "granule", sizes[i],
                   xasprintf("a chain of loads across %d bytes takes %.2f, aligned %.2f", sizes[i], took, aligned));
        return;
    }
}

static void find_splits(struct hierarchy_figures *h, const struct core_fit *f)
{
    double aligned = unit(f, "load/chain"), split = unit(f, "split/load 64"), stream = unit(f, "split/stream 64") / 2,
           plain = unit(f, "load/stream"), store = unit(f, "split/store") / 2, plain_store = unit(f, "store/stream"),
           small = unit(f, "split/small"), plain_small = unit(f, "load_small/chain");
    if (!isfinite(aligned) || !isfinite(split))
        return;
    find_granule(h, f, aligned);
    put_cycles(h, "data", "load_split", split - aligned,
               xasprintf("a chain of loads across lines %.2f, aligned %.2f", split, aligned));
    if (isfinite(stream) && isfinite(plain))
        put_cycles(h, "data", "load_split_busy", stream - plain,
                   xasprintf("a stream of loads across lines %.2f, aligned %.2f", stream, plain));
    if (isfinite(store) && isfinite(plain_store))
        put_cycles(h, "data", "store_split_busy", store - plain_store,
                   xasprintf("a stream of stores across lines %.2f, aligned %.2f", store, plain_store));
    double most = fmax(split, isfinite(small) ? small : 0);
    bool bound = isfinite(small) && small - plain_small < split - aligned - 0.5;
    put_cycles(h, "data", "load_split_most", most,
               xasprintf("the longest latency to an address that was seen of a split load%s",
                         bound ? "" : ": it may reach further"));
    if (!bound)
        h->list.at[h->list.n - 1].high = 1000;
    double waits = unit(f, "store/forward split");
    if (isfinite(waits) && isfinite(stream))
        put_cycles(h, "data", "forward_split", waits - 1 - (double)f->model->data.forward - (stream - plain),
                   xasprintf("two stores and a load across their boundary %.2f", waits));
}

/* ---- levels ---- */

struct levels {
    double l1, l2, l3, memory, l2_pitch, memory_pitch;
};

static double *place_of(struct levels *to, const char *place, const char *quantity)
{
    bool latency = strcmp(quantity, "latency") == 0;
    if (strcmp(place, "L1") == 0)
        return latency ? &to->l1 : NULL;
    if (strcmp(place, "L2") == 0)
        return latency ? &to->l2 : &to->l2_pitch;
    if (strcmp(place, "L3") == 0)
        return latency ? &to->l3 : NULL;
    return strcmp(place, "memory") == 0 ? (latency ? &to->memory : &to->memory_pitch) : NULL;
}

/* Reads memory.csv: loads of 8 bytes, near. */
static enum status read_levels(struct levels *to, const char *path, struct error *e)
{
    struct str text = STR_INIT;
    *to = (struct levels){NAN, NAN, NAN, NAN, NAN, NAN};
    enum status s = file_read(&text, path, 1 << 20, e);
    char **lines = words_of(str_text(&text), "\n");
    for (size_t i = 0; !s && lines[i]; i++) {
        char **cell = words_of(lines[i], ",");
        size_t n = 0;
        while (cell[n])
            n++;
        double *at = n >= 9 && strcmp(cell[2], "near") == 0 && strcmp(cell[3], "R") == 0 && strcmp(cell[4], "8") == 0
                         ? place_of(to, cell[1], cell[5])
                         : NULL;
        if (at && !parse_double(cell[8], at))
            *at = NAN;
        words_free(cell);
    }
    words_free(lines);
    str_release(&text);
    return s;
}

static void find_levels(struct hierarchy_figures *h, const struct levels *l, double clock_hz)
{
    if (isfinite(l->l1) && isfinite(l->l2))
        put_cycles(h, "l2", "latency", l->l2 - l->l1,
                   xasprintf("a chain through the level 2 cache %.2f, through level 1 %.2f", l->l2, l->l1));
    /* The file's memory is what lies beyond the level 2 cache. */
    double beyond = isfinite(l->l3) ? l->l3 : l->memory;
    if (!isfinite(l->l2) || !isfinite(beyond) || clock_hz <= 0)
        return;
    double cycles = beyond - l->l2, ns = cycles / clock_hz * 1e9;
    struct hierarchy_figure *f = put(h, "memory", "latency_ns", xasprintf("%.0f", ns),
                                     xasprintf("a chain through %s %.2f, through the level 2 cache %.2f",
                                               isfinite(l->l3) ? "the level 3 cache" : "memory", beyond, l->l2));
    f->measured = true;
    f->low = 0.95 * ns;
    f->high = 1.05 * ns;
}

/* ---- sizes ---- */

static const struct shimxml_cache *code_cache(const struct shimxml_system *s, size_t core)
{
    for (size_t i = 0; i < s->n_caches; i++)
        if (strcmp(s->caches[i].type, "INSTRUCTION") == 0 &&
            (s->caches[i].core == core || s->caches[i].core == SHIMXML_SHARED))
            return &s->caches[i];
    return NULL;
}

static void put_cache(struct hierarchy_figures *h, const char *section, const struct shimxml_cache *c)
{
    if (!c || c->bytes <= 0 || c->ways <= 0 || c->line <= 0)
        return;
    put(h, section, "size", xasprintf("%.0f", c->bytes), xstrdup("the board's description"));
    put(h, section, "ways", xasprintf("%ld", c->ways), xstrdup("the board's description"));
    put(h, section, "line", xasprintf("%ld", c->line), xstrdup("the board's description"));
}

static enum status find_sizes(struct hierarchy_figures *h, const struct board *b, double *clock_hz, struct error *e)
{
    struct shimxml_doc *d = NULL;
    struct shimxml_system *system = NULL;
    *clock_hz = b->clock_hz;
    if (!*b->skeleton)
        return OK;
    enum status s = shimxml_read(&d, b->skeleton, e);
    if (!s)
        s = shimxml_system(&system, d, e);
    size_t core = 0;
    while (!s && core < system->n_cores && strcmp(system->cores[core].type, "PU") != 0)
        core++;
    if (!s && core < system->n_cores) {
        const struct shimxml_cache *first = shimxml_next_cache(system, core, NULL);
        put_cache(h, "l1d", first);
        put_cache(h, "l2", first ? shimxml_next_cache(system, core, first) : NULL);
        put_cache(h, "l1i", code_cache(system, core));
        if (*clock_hz <= 0)
            *clock_hz = system->cores[core].clock_hz;
    }
    if (!s && *clock_hz > 0)
        put(h, "model", "clock_hz", xasprintf("%.0f", *clock_hz), xstrdup("the board's description"));
    shimxml_system_free(system);
    shimxml_free(d);
    return s;
}

enum status hierarchy_figures_find(struct hierarchy_figures *h, const struct board *b, const struct core_fit *f,
                                   const char *folder, struct error *e)
{
    *h = (struct hierarchy_figures){0};
    find_splits(h, f);
    return hierarchy_levels_find(h, b, NAN, folder, e);
}

static void ticks_to_cycles(struct levels *l, double load)
{
    double each = load / l->l1, *const all[] = {&l->l1, &l->l2, &l->l3, &l->memory, &l->l2_pitch, &l->memory_pitch};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] *= each;
}

enum status hierarchy_levels_find(struct hierarchy_figures *h, const struct board *b, double load, const char *folder,
                                  struct error *e)
{
    double clock_hz;
    struct outputs o;
    struct levels levels;
    enum status s = find_sizes(h, b, &clock_hz, e);
    outputs_init(&o, b->name, folder);
    if (!s)
        s = make_directories(o.work, e);
    if (!s)
        s = memory_measure(b, NULL, &o, false, NULL, e);
    if (!s)
        s = read_levels(&levels, o.memory, e);
    if (!s && isfinite(load))
        ticks_to_cycles(&levels, load);
    if (!s)
        find_levels(h, &levels, clock_hz);
    outputs_release(&o);
    return s;
}

void hierarchy_figures_release(struct hierarchy_figures *h)
{
    for (size_t i = 0; i < h->list.n; i++) {
        free(h->list.at[i].value);
        free(h->list.at[i].evidence);
    }
    vec_release(&h->list);
}

const struct hierarchy_figure *hierarchy_figures_of(const struct hierarchy_figures *h, const char *section,
                                                    const char *key)
{
    for (size_t i = 0; i < h->list.n; i++)
        if (strcmp(h->list.at[i].section, section) == 0 && strcmp(h->list.at[i].key, key) == 0)
            return &h->list.at[i];
    return NULL;
}
