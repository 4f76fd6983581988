/* compiled_counts.c - transfers execution counts from the profile to the functions of the machine code. */
#include "shimgen/estimate/compiled/compiled.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static void find_segments(struct compiled *w)
{
    const struct irprof_profile *p = w->profile;
    w->first_segment = xcalloc(p->n_functions + 1, sizeof *w->first_segment);
    size_t next = 0;
    for (size_t f = 0; f < p->n_functions; f++) {
        while (next < p->n_segments && p->segments[next].function < f)
            next++;
        w->first_segment[f] = next;
    }
    w->first_segment[p->n_functions] = p->n_segments;
    w->event = irprof_event(p, IRPROF_MISPREDICTED);
}

static uint32_t find_function(const struct irprof_profile *p, const char *module, const char *name)
{
    for (size_t i = 0; i < p->n_functions; i++)
        if (strcmp(p->functions[i].name, name) == 0 && strcmp(p->modules[p->functions[i].module].name, module) == 0)
            return (uint32_t)i;
    return IRPROF_NONE;
}

/* Is the function of the bitcode the one that was counted? */
static bool is_same(const struct compiled *w, uint32_t function, const struct irprof_label_function *l)
{
    if (w->first_segment[function + 1] - w->first_segment[function] != l->n_segments)
        return false;
    for (size_t i = 0; i < l->n_segments; i++) {
        const struct irprof_segment *s = &w->profile->segments[w->first_segment[function] + i];
        if (s->block != l->segments[i].block || s->number != l->segments[i].number ||
            s->n_parts != l->segments[i].n_parts)
            return false;
    }
    return true;
}

static enum status other_build(const struct compiled *w, const char *function, struct error *e)
{
    return error_set(e, ERR_INPUT, AT_FILE(w->profile->path),
                     "is of another build than the bitcode: '%s' is not the counted code; give the IR that the counted "
                     "program was made from",
                     function);
}

/* Checks that the bitcode contains every function that was counted and executed, and that it is the same as in the
 * profile. */
enum status compiled_check(struct compiled *w, struct error *e)
{
    find_segments(w);
    const struct irprof_profile *p = w->profile;
    bool *there = xcalloc(p->n_functions, sizeof *there);
    enum status s = OK;
    for (size_t m = 0; !s && m < w->program.n; m++) {
        const struct irprof_labels *l = &w->program.labels[m];
        for (size_t i = 0; !s && i < l->n; i++) {
            uint32_t f = find_function(p, l->module, l->functions[i].name);
            if (f == IRPROF_NONE || !is_same(w, f, &l->functions[i]))
                s = other_build(w, l->functions[i].name, e);
            else
                there[f] = true;
        }
    }
    for (size_t i = 0; !s && i < p->n_segments; i++)
        if (w->region->executions[i] && !there[p->segments[i].function])
            s = error_set(e, ERR_INPUT, AT_FILE(p->path),
                          "'%s' was executed but is in none of the bitcode files: give the files of all modules (%s)",
                          p->functions[p->segments[i].function].name,
                          p->modules[p->functions[p->segments[i].function].module].name);
    free(there);
    return s;
}

/* ---- counts ---- */

/* Mispredictions at the end of the segment's block; the segment is its last one. They are recorded for branches, and
 * for switches with dense cases. Those of calls through pointers, which end other segments, are not charged. */
static double mispredicted_in(const struct compiled *w, const struct irprof_segment *s, bool *recorded)
{
    double sum = 0;
    for (uint32_t i = 0; i < s->n_parts; i++) {
        const struct irprof_part *part = &w->profile->parts[s->first_part + i];
        for (uint32_t k = part->first_event_site; k < part->first_event_site + part->n_event_sites; k++)
            if (w->profile->event_sites[k].event == w->event) {
                sum += (double)w->region->event_counts[k];
                *recorded = true;
            }
    }
    return sum;
}

static void take_edges(struct compiled *w, struct counted *c, const bool *recorded)
{
    const struct irprof_profile *p = w->profile;
    size_t n = 0;
    for (size_t i = 0; i < p->n_edges; i++)
        n += p->edges[i].function == c->function;
    c->edges = xcalloc(n, sizeof *c->edges);
    n = 0;
    for (size_t i = 0; i < p->n_edges; i++) {
        const struct irprof_edge *e = &p->edges[i];
        if (e->function != c->function)
            continue;
        if ((e->kind == IRPROF_EDGE_CASE || e->kind == IRPROF_EDGE_DEFAULT) && !recorded[e->from])
            c->mispredicted[e->from] = -1;
        if (n && c->edges[n - 1].from == e->from && c->edges[n - 1].to == e->to)
            c->edges[n - 1].taken += (double)w->region->taken[i];
        else
            c->edges[n++] = (struct flow_edge){e->from, e->to, (double)w->region->taken[i]};
    }
    c->ir.edges = c->edges;
    c->ir.n_edges = n;
}

static void take_counts(struct compiled *w, struct counted *c)
{
    const struct irprof_label_function *l = c->labels;
    c->executions = xcalloc(l->n_segments, sizeof *c->executions);
    c->mispredicted = xcalloc(l->n_blocks, sizeof *c->mispredicted);
    bool *recorded = xcalloc(l->n_blocks, sizeof *recorded);
    c->ir = (struct flow_ir){.n_blocks = l->n_blocks, .labels = l, .executions = c->executions};
    c->ir.mispredicted = c->mispredicted;
    for (size_t i = 0; i < l->n_segments; i++) {
        c->executions[i] = (double)w->region->executions[c->first + i];
        uint32_t block = l->segments[i].block;
        if (i + 1 == l->n_segments || l->segments[i + 1].block != block)
            c->mispredicted[block] += mispredicted_in(w, &w->profile->segments[c->first + i], &recorded[block]);
    }
    for (size_t i = 0; i < l->n_blocks && w->event == w->profile->n_events; i++)
        c->mispredicted[i] = -1;
    take_edges(w, c, recorded);
    free(recorded);
}

void compiled_count(struct compiled *w)
{
    w->counted = xcalloc(w->machine.n, sizeof *w->counted);
    w->flows = xcalloc(w->machine.n, sizeof *w->flows);
    for (size_t i = 0; i < w->machine.n; i++) {
        const struct machine_function *f = &w->machine.functions[i];
        const struct irprof_labels *l = &w->program.labels[f->module];
        struct counted *c = &w->counted[i];
        c->labels = &l->functions[f->function];
        c->function = find_function(w->profile, l->module, c->labels->name);
        c->first = w->first_segment[c->function];
        take_counts(w, c);
        flow_make(&w->flows[i], f, &c->ir);
    }
}

void compiled_counts_release(struct compiled *w)
{
    for (size_t i = 0; w->counted && i < w->machine.n; i++) {
        free(w->counted[i].executions);
        free(w->counted[i].mispredicted);
        free(w->counted[i].edges);
        flow_release(&w->flows[i]);
    }
    free(w->counted);
    free(w->flows);
    free(w->first_segment);
}
