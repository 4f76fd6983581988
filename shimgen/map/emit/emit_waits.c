/* emit_waits.c - finds which blocks wait for which on other cores, without waits that follow from others. */
#include <stdlib.h>
#include <string.h>

#include "shimgen/map/emit/emit.h"

/* Blocks are numbered on their core, from 1. A block knows, for each core, up to which number everything is done. */
struct knowing {
    const struct map_problem *p;
    const struct map_plan *plan;
    size_t *number;      /* of each block */
    size_t *known;       /* [block * n_cores + core]: what a block knows when it is done */
    const size_t **last; /* of each core: what its latest block knows; NULL: no block yet */
};

static size_t *row(const struct knowing *k, size_t block)
{
    return k->known + block * k->p->n_cores;
}

/* For each other core, the arc of the latest block that this one needs; MAP_NONE: none. */
static void find_needs(const struct knowing *k, size_t block, size_t *needs)
{
    const struct map_problem *p = k->p;
    for (size_t c = 0; c < p->n_cores; c++)
        needs[c] = MAP_NONE;
    for (size_t i = p->in.first[block]; i < p->in.first[block + 1]; i++) {
        size_t arc = p->in.at[i], from = p->arcs[arc].from, core = k->plan->core[from];
        if (core != k->plan->core[block] &&
            (needs[core] == MAP_NONE || k->number[from] > k->number[p->arcs[needs[core]].from]))
            needs[core] = arc;
    }
}

/* Does the core know it already, or from one of the other waits? */
static bool follows(const struct knowing *k, size_t block, const size_t *needs, size_t core)
{
    size_t own = k->plan->core[block], number = k->number[k->p->arcs[needs[core]].from];
    bool known = k->last[own] && k->last[own][core] >= number;
    for (size_t c = 0; c < k->p->n_cores && !known; c++)
        known = c != core && needs[c] != MAP_NONE && row(k, k->p->arcs[needs[c]].from)[core] >= number;
    return known;
}

static void learn(size_t *to, const size_t *from, size_t n)
{
    for (size_t c = 0; from && c < n; c++)
        to[c] = from[c] > to[c] ? from[c] : to[c];
}

static void take_block(struct emit_waits *out, struct knowing *k, size_t block, size_t *needs)
{
    size_t n = k->p->n_cores, own = k->plan->core[block];
    find_needs(k, block, needs);
    learn(row(k, block), k->last[own], n);
    for (size_t c = 0; c < n; c++) {
        if (needs[c] == MAP_NONE)
            continue;
        size_t from = k->p->arcs[needs[c]].from;
        if (!follows(k, block, needs, c))
            vec_push(&out->at, (struct emit_wait){block, from, needs[c]});
        learn(row(k, block), row(k, from), n);
    }
    row(k, block)[own] = k->number[block];
    k->last[own] = row(k, block);
}

void emit_waits_find(struct emit_waits *out, const struct map_problem *p, const struct map_plan *plan)
{
    struct knowing k = {p, plan, xcalloc(p->n + 1, sizeof *k.number), xcalloc(p->n * p->n_cores + 1, sizeof *k.known),
                        xcalloc(p->n_cores + 1, sizeof *k.last)};
    size_t *count = xcalloc(p->n_cores + 1, sizeof *count), *needs = xcalloc(p->n_cores + 1, sizeof *needs);
    for (size_t i = 0; i < p->n; i++)
        k.number[plan->sequence[i]] = ++count[plan->core[plan->sequence[i]]];
    for (size_t i = 0; i < p->n; i++)
        take_block(out, &k, plan->sequence[i], needs);
    free(count);
    free(needs);
    free(k.number);
    free(k.known);
    free(k.last);
}
