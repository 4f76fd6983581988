/* program_traffic.c - bytes that a run has handed from unit to unit of a step function. */
#include "shimgen/map/program/program_traffic.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static double *bytes_of(struct traffic *t, size_t from, size_t to, bool later)
{
    return &t->bytes[(from * t->n + to) * 2 + later];
}

/* The unit of a place. A line that belongs to no unit has its caller's. */
static size_t unit_of_place(const struct irprof_traffic *p, uint32_t place, const struct traffic_units *units)
{
    for (; place != IRPROF_NONE; place = p->places[place].parent) {
        const struct irprof_place *at = &p->places[place];
        size_t unit = at->line ? units->of(units->data, at->file, at->line) : units->n;
        if (unit < units->n)
            return unit;
    }
    return units->n;
}

enum { NOT_READ, READ, READ_LATER };

/* Adds the bytes to each unit that has read them, once; in the same step, if it has read them then. */
static void take_row(struct traffic *t, const struct irprof_traffic *p, const struct irprof_traffic_row *row,
                     const size_t *unit, char *read)
{
    size_t from = unit[row->writer];
    if (from == t->n)
        return;
    for (uint32_t k = 0; k < row->n_readers; k++) {
        const struct irprof_reader *r = &p->readers[row->first_reader + k];
        char *how = &read[unit[r->place]];
        *how = (char)(*how == READ || !r->later ? READ : READ_LATER);
    }
    for (uint32_t k = 0; k < row->n_readers; k++) {
        size_t to = unit[p->readers[row->first_reader + k].place];
        if (to != t->n && to != from && read[to])
            *bytes_of(t, from, to, read[to] == READ_LATER) += (double)row->bytes / (double)t->steps;
        read[to] = NOT_READ;
    }
}

static uint64_t steps_of(const struct irprof_profile *p, const char *step)
{
    for (size_t i = 0; i < p->n_regions; i++)
        if (p->regions[i].step == IRPROF_STEP_ALL && p->regions[i].n_function == strlen(step) &&
            strncmp(p->regions[i].name, step, p->regions[i].n_function) == 0)
            return p->regions[i].entries;
    return 0;
}

static enum status check(const struct irprof_profile *p, const char *step, uint64_t steps, struct error *e)
{
    struct loc at = AT_FILE(p->path);
    if (!p->traffic)
        return error_set(e, ERR_INPUT, at,
                         "has no bytes that blocks hand on: 'shimgen profile --traffic --steps %s' records them", step);
    if (p->traffic->flaws & IRPROF_TRAFFIC_THREADS)
        return error_set(e, ERR_INPUT, at,
                         "several threads took part in what blocks hand on: run the model's steps in one thread");
    if (p->traffic->flaws & IRPROF_TRAFFIC_FULL)
        return error_set(e, ERR_INPUT, at, "blocks hand on more than can be recorded: run fewer steps");
    if (!steps)
        return error_set(e, ERR_INPUT, at, "has no steps of '%s' (--steps)", step);
    return OK;
}

enum status traffic_make(struct traffic *out, const struct irprof_profile *p, const char *step,
                         const struct traffic_units *units, struct error *e)
{
    *out = (struct traffic){.n = units->n, .steps = steps_of(p, step)};
    enum status s = check(p, step, out->steps, e);
    if (s)
        return s;
    size_t *unit = xcalloc(p->traffic->n_places + 1, sizeof *unit);
    char *read = xcalloc(units->n + 1, 1);
    out->bytes = xcalloc(units->n * units->n * 2 + 1, sizeof *out->bytes);
    for (size_t i = 0; i < p->traffic->n_places; i++)
        unit[i] = unit_of_place(p->traffic, (uint32_t)i, units);
    for (size_t i = 0; i < p->traffic->n_rows; i++)
        take_row(out, p->traffic, &p->traffic->rows[i], unit, read);
    free(unit);
    free(read);
    return OK;
}

void traffic_release(struct traffic *t)
{
    free(t->bytes);
    *t = (struct traffic){0};
}

/* Bytes of data that were read only in a later step, although that could have been this one: an edge within the step
 * carries them too. */
static double left_for(struct traffic *t, const struct map_edge *x)
{
    double *later = bytes_of(t, x->from, x->to, true), bytes = x->delay ? 0 : *later;
    *later -= bytes;
    return bytes;
}

static void note_rest(const struct traffic *t, struct map_graph *g)
{
    for (size_t i = 0; i < t->n * t->n; i++) {
        double bytes = t->bytes[2 * i] + t->bytes[2 * i + 1];
        if (bytes > 0)
            vec_push(&g->notes,
                     xasprintf("a run hands %g bytes of a step from '%s' to '%s', and the sources do not show "
                               "how: they are left out",
                               bytes, g->blocks.at[i / t->n].name, g->blocks.at[i % t->n].name));
    }
}

void traffic_apply(struct traffic *t, struct map_graph *g, const bool *by_value)
{
    double *found = xcalloc(g->edges.n + 1, sizeof *found);
    for (size_t i = 0; i < g->edges.n; i++) {
        const struct map_edge *x = &g->edges.at[i];
        double *exact = bytes_of(t, x->from, x->to, x->delay > 0);
        found[i] = *exact;
        *exact = 0;
    }
    for (size_t i = 0; i < g->edges.n; i++) {
        struct map_edge *x = &g->edges.at[i];
        found[i] += left_for(t, x);
        x->bytes = by_value[i] && !(found[i] > 0) ? x->bytes : found[i];
    }
    free(found);
    note_rest(t, g);
}

enum status traffic_same_sources(const struct irprof_profile *p, const struct irprof_profile *traffic, struct error *e)
{
    for (size_t i = 0; i < p->n_files; i++)
        for (size_t k = 0; k < traffic->n_files; k++) {
            const char *a = p->checksums[i], *b = traffic->checksums[k];
            if (strcmp(p->files[i], traffic->files[k]) == 0 && a && b && strcmp(a, b) != 0)
                return error_set(e, ERR_INPUT, AT_FILE(traffic->path),
                                 "was made from another state of %s than %s: run 'shimgen profile' again", p->files[i],
                                 p->path);
        }
    return OK;
}
