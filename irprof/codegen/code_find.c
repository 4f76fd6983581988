/* code_find.c - which nodes of the machine code belong to a block of the IR, and to which block a node leads. */
#include "irprof/codegen/code_find.h"

#include <stdlib.h>

static size_t max_of(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t count_blocks(const struct plan_function *f, const struct mir_function *m)
{
    size_t n = 0;
    for (size_t i = 0; i < f->edges.n; i++)
        n = max_of(n, 1 + max_of(f->edges.at[i].from, f->edges.at[i].to));
    for (size_t i = 0; i < m->blocks.n; i++)
        if (m->blocks.at[i].ir_block != MIR_NONE)
            n = max_of(n, 1 + m->blocks.at[i].ir_block);
    return n;
}

/* Edges are sorted by `from`. */
static void find_only(struct code_finder *w, const struct plan_function *f)
{
    w->only = xcalloc(w->n_blocks, sizeof *w->only);
    for (size_t i = 0; i < w->n_blocks; i++)
        w->only[i] = MIR_NONE;
    for (size_t i = 0; i < f->edges.n; i++) {
        const struct plan_edge *e = &f->edges.at[i];
        if ((i == 0 || e[-1].from != e->from) && (i + 1 == f->edges.n || e[1].from != e->from))
            w->only[e->from] = e->to;
    }
}

static size_t own_block(const struct code_finder *w, size_t node)
{
    return w->m->blocks.at[node].ir_block;
}

static size_t taken_to(const struct code_finder *w, size_t node)
{
    size_t taken, passed;
    return code_branch(w, node, &taken, &passed) ? code_leads(w, taken) : MIR_NONE;
}

static struct code_list list(const struct code_finder *w, size_t (*block_of)(const struct code_finder *w, size_t node))
{
    size_t n = w->m->blocks.n, *of = xcalloc(n, sizeof *of);
    struct code_list l = {.first = xcalloc(w->n_blocks + 2, sizeof *l.first), .node = xcalloc(n, sizeof *l.node)};
    for (size_t i = 0; i < n; i++) {
        of[i] = block_of(w, i);
        if (of[i] != MIR_NONE)
            l.first[of[i] + 2]++;
    }
    for (size_t b = 2; b <= w->n_blocks + 1; b++)
        l.first[b] += l.first[b - 1];
    for (size_t i = 0; i < n; i++)
        if (of[i] != MIR_NONE)
            l.node[l.first[of[i] + 1]++] = i;
    free(of);
    return l;
}

void code_finder_begin(struct code_finder *w, const struct plan_function *f, const struct mir_function *m)
{
    *w = (struct code_finder){.m = m, .n_blocks = count_blocks(f, m)};
    find_only(w, f);
    w->own = list(w, own_block);
    w->into = list(w, taken_to);
}

void code_finder_end(struct code_finder *w)
{
    free(w->only);
    free(w->own.first);
    free(w->own.node);
    free(w->into.first);
    free(w->into.node);
}

size_t code_block(const struct code_finder *w, size_t block)
{
    for (size_t i = 0; i < w->n_blocks && !code_n_own(w, block) && w->only[block] != MIR_NONE; i++)
        block = w->only[block];
    return block;
}

size_t code_leads(const struct code_finder *w, size_t node)
{
    const struct graph *g = &w->m->graph;
    for (size_t i = 0; i < g->n && own_block(w, node) == MIR_NONE && graph_n_next(g, node) == 1; i++)
        node = graph_next(g, node, 0);
    return own_block(w, node);
}

bool code_branch(const struct code_finder *w, size_t node, size_t *taken, size_t *passed)
{
    const struct graph *g = &w->m->graph;
    *taken = w->m->blocks.at[node].taken;
    if (graph_n_next(g, node) != 2 || *taken == MIR_NONE)
        return false;
    size_t one = graph_next(g, node, 0), other = graph_next(g, node, 1);
    *passed = *taken == one ? other : one;
    return *taken == one || *taken == other;
}
