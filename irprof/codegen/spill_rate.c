/*
 * A machine block stands for a block of the IR when it is the first that bears its name: its HEAD. The code generator
 * makes others: on an edge that needs room for a register's copy, for the comparisons of a switch, for the two sides of
 * a select. Control passes such blocks only on its way from one head to another, that is along an edge of the IR: a
 * block without a name is executed as often as the edges that lead through it are taken.
 */
#include "irprof/codegen/spill_rate.h"

#include <stdlib.h>
#include <string.h>

typedef VEC(size_t) numbers;

struct spill_flow {
    const struct mir_function *f;
    const struct plan_function *plan;
    size_t n_ir;
    size_t *heads;     /* [n_ir] machine block of each block of the IR, or MIR_NONE */
    numbers *out, *in; /* [n_ir] edges of the plan that leave a block, that enter it */
    bool *head;        /* [blocks] is it one? */
    numbers seen;      /* what the last walk has reached */
    bool *reached;     /* [blocks] the same */
};

static size_t count_ir_blocks(const struct spill_flow *w)
{
    size_t n = 0;
    for (size_t i = 0; i < w->f->blocks.n; i++)
        if (w->f->blocks.at[i].ir_block != MIR_NONE && w->f->blocks.at[i].ir_block >= n)
            n = w->f->blocks.at[i].ir_block + 1;
    for (size_t i = 0; i < w->plan->edges.n; i++) {
        const struct plan_edge *edge = &w->plan->edges.at[i];
        n = edge->from >= n ? edge->from + 1 : n;
        n = edge->to >= n ? edge->to + 1 : n;
    }
    return n;
}

struct spill_flow *spill_flow_new(const struct mir_function *f, const struct plan_function *plan)
{
    struct spill_flow *w = xcalloc(1, sizeof *w);
    size_t n = f->blocks.n;
    w->f = f;
    w->plan = plan;
    w->n_ir = count_ir_blocks(w);
    w->heads = xcalloc(w->n_ir, sizeof *w->heads);
    w->out = xcalloc(w->n_ir, sizeof *w->out);
    w->in = xcalloc(w->n_ir, sizeof *w->in);
    w->head = xcalloc(n, sizeof *w->head);
    w->reached = xcalloc(n, sizeof *w->reached);
    for (size_t i = 0; i < w->n_ir; i++)
        w->heads[i] = MIR_NONE;
    for (size_t i = 0; i < n; i++) {
        const struct mir_block *b = &f->blocks.at[i];
        if (b->ir_block != MIR_NONE && w->heads[b->ir_block] == MIR_NONE) {
            w->heads[b->ir_block] = i;
            w->head[i] = true;
        }
    }
    for (size_t i = 0; i < plan->edges.n; i++) {
        vec_push(&w->out[plan->edges.at[i].from], i);
        vec_push(&w->in[plan->edges.at[i].to], i);
    }
    return w;
}

void spill_flow_free(struct spill_flow *w)
{
    if (!w)
        return;
    for (size_t i = 0; i < w->n_ir; i++) {
        vec_release(&w->out[i]);
        vec_release(&w->in[i]);
    }
    vec_release(&w->seen);
    free(w->heads);
    free(w->out);
    free(w->in);
    free(w->head);
    free(w->reached);
    free(w);
}

/* Finds what can be reached from `start`, forwards or backwards, through blocks that are no heads: heads are reached
 * and not passed. `avoid` is not entered. */
static void walk(struct spill_flow *w, size_t start, size_t avoid, bool forwards)
{
    for (size_t i = 0; i < w->seen.n; i++)
        w->reached[w->seen.at[i]] = false;
    w->seen.n = 0;
    size_t at = start;
    for (size_t next = 0;; at = w->seen.at[next++]) {
        const struct graph *g = &w->f->graph;
        size_t n = at != start && w->head[at] ? 0 : forwards ? graph_n_next(g, at) : graph_n_before(g, at);
        for (size_t i = 0; i < n; i++) {
            size_t to = forwards ? graph_next(g, at, i) : graph_before(g, at, i);
            if (to == avoid || w->reached[to])
                continue;
            w->reached[to] = true;
            vec_push(&w->seen, to);
        }
        if (next == w->seen.n)
            return;
    }
}

/* A head that some of its predecessors no longer lead to, because they have a copy of the block of their own. */
static void rate_of_head(struct spill_flow *w, size_t block, struct spill_rate *rate)
{
    rate->block = w->f->blocks.at[block].ir_block;
    const numbers *in = &w->in[rate->block];
    walk(w, block, MIR_NONE, false);
    for (size_t i = 0; i < in->n && block != 0; i++) {
        size_t from = w->heads[w->plan->edges.at[in->at[i]].from];
        if (from == MIR_NONE || w->reached[from])
            vec_push(&rate->edges, in->at[i]);
    }
    if (rate->edges.n == in->n)
        vec_release(&rate->edges);
}

/* Where an edge of the IR arrives in the machine code: blocks that have no head and only lead on are passed. */
static size_t arrival(const struct spill_flow *w, size_t edge)
{
    size_t to = w->plan->edges.at[edge].to;
    for (size_t steps = 0; w->heads[to] == MIR_NONE; steps++) {
        if (w->out[to].n != 1 || steps > w->n_ir)
            return MIR_NONE;
        to = w->plan->edges.at[w->out[to].at[0]].to;
    }
    return w->heads[to];
}

/* Do all ways from the head `from` lead through `block`? */
static bool always_through(struct spill_flow *w, size_t from, size_t block)
{
    walk(w, from, block, true);
    for (size_t i = 0; i < w->seen.n; i++) {
        size_t at = w->seen.at[i];
        if (w->head[at] || !graph_n_next(&w->f->graph, at))
            return false;
    }
    return true;
}

/* A block that is no head: the edges of the IR whose way leads through it. */
static void rate_between(struct spill_flow *w, size_t block, struct spill_rate *rate)
{
    numbers before = {0};
    bool *after = xcalloc(w->f->blocks.n, sizeof *after);
    walk(w, block, MIR_NONE, false);
    for (size_t i = 0; i < w->seen.n; i++)
        if (w->head[w->seen.at[i]])
            vec_push(&before, w->seen.at[i]);
    walk(w, block, MIR_NONE, true);
    memcpy(after, w->reached, w->f->blocks.n * sizeof *after);
    for (size_t i = 0; i < before.n; i++) {
        size_t ir = w->f->blocks.at[before.at[i]].ir_block;
        bool always = always_through(w, before.at[i], block);
        if (i == 0)
            rate->block = ir;
        if (always && before.n == 1)
            break;
        for (size_t k = 0; k < w->out[ir].n; k++) {
            size_t to = arrival(w, w->out[ir].at[k]);
            if (always || (to != MIR_NONE && after[to]))
                vec_push(&rate->edges, w->out[ir].at[k]);
        }
    }
    vec_release(&before);
    free(after);
}

void spill_flow_rate(struct spill_flow *w, size_t block, struct spill_rate *rate)
{
    *rate = (struct spill_rate){.block = MIR_NONE};
    if (w->head[block])
        rate_of_head(w, block, rate);
    else
        rate_between(w, block, rate);
}
