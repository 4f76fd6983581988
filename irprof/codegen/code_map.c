/*
 * code_map.c - maps nodes of the machine code to blocks and edges of the IR. A node stands for a block of the IR if it
 * is the first that bears its name: it is that block's HEAD. The code generator makes other nodes too: on an edge that
 * needs room to copy a register, for the comparisons of a switch, for the two sides of a select. Control passes such a
 * node only on its path from one head to another, that is, along an edge of the IR. So a node that is no head is
 * executed as often as the edges that lead through it are taken.
 */
#include "irprof/codegen/code_map.h"

#include <stdlib.h>
#include <string.h>

/* ---- the map ---- */

static size_t *nothing(size_t n)
{
    size_t *list = xcalloc(n, sizeof *list);
    for (size_t i = 0; i < n; i++)
        list[i] = CODE_NONE;
    return list;
}

void code_map_init(struct code_map *m, const struct graph *code, size_t n_blocks)
{
    *m = (struct code_map){.code = code, .ir = {.n = n_blocks}, .block = nothing(code->n)};
    m->reached = xcalloc(code->n, sizeof *m->reached);
}

static void add_block(struct code_map *m, size_t block)
{
    m->ir.n = block >= m->ir.n ? block + 1 : m->ir.n;
}

void code_map_name(struct code_map *m, size_t node, size_t block)
{
    add_block(m, block);
    m->block[node] = block;
}

void code_map_edge(struct code_map *m, size_t from, size_t to)
{
    add_block(m, from);
    add_block(m, to);
    graph_add(&m->ir, from, to);
}

void code_map_link(struct code_map *m)
{
    graph_link(&m->ir);
    m->head = nothing(m->ir.n);
    for (size_t i = m->code->n; i-- > 0;)
        if (m->block[i] != CODE_NONE)
            m->head[m->block[i]] = i;
}

void code_map_release(struct code_map *m)
{
    graph_release(&m->ir);
    vec_release(&m->seen);
    free(m->block);
    free(m->head);
    free(m->reached);
}

/* ---- rates ---- */

/* Finds what can be reached from `start`, forwards or backwards, through nodes that are no heads. The search ends at
 * heads, and does not enter `avoid`. */
static void walk(struct code_map *m, size_t start, size_t avoid, bool forwards)
{
    for (size_t i = 0; i < m->seen.n; i++)
        m->reached[m->seen.at[i]] = false;
    m->seen.n = 0;
    size_t at = start;
    for (size_t next = 0;; at = m->seen.at[next++]) {
        const struct graph *g = m->code;
        size_t n = at != start && code_is_head(m, at) ? 0 : forwards ? graph_n_next(g, at) : graph_n_before(g, at);
        for (size_t i = 0; i < n; i++) {
            size_t to = forwards ? graph_next(g, at, i) : graph_before(g, at, i);
            if (to == avoid || m->reached[to])
                continue;
            m->reached[to] = true;
            vec_push(&m->seen, to);
        }
        if (next == m->seen.n)
            return;
    }
}

/* The rate of a head to which some predecessors do not lead any more, because they have a copy of the block. */
static void rate_of_head(struct code_map *m, size_t node, struct code_rate *rate)
{
    rate->block = m->block[node];
    size_t n = graph_n_before(&m->ir, rate->block);
    walk(m, node, CODE_NONE, false);
    for (size_t i = 0; i < n && node != 0; i++) {
        size_t from = m->head[graph_before(&m->ir, rate->block, i)];
        if (from == CODE_NONE || m->reached[from])
            vec_push(&rate->edges, m->ir.in[m->ir.first_in[rate->block] + i]);
    }
    if (rate->edges.n == n)
        vec_release(&rate->edges);
}

/* The node at which an edge to a block arrives. Blocks without a head that only jump are skipped. */
static size_t arrival(const struct code_map *m, size_t block)
{
    for (size_t steps = 0; m->head[block] == CODE_NONE; steps++) {
        if (graph_n_next(&m->ir, block) != 1 || steps > m->ir.n)
            return CODE_NONE;
        block = graph_next(&m->ir, block, 0);
    }
    return m->head[block];
}

/* Do all paths from the head `from` pass `node`? */
static bool always_through(struct code_map *m, size_t from, size_t node)
{
    walk(m, from, node, true);
    for (size_t i = 0; i < m->seen.n; i++)
        if (code_is_head(m, m->seen.at[i]) || !graph_n_next(m->code, m->seen.at[i]))
            return false;
    return true;
}

/* The rate of a node that is no head: that of the edges of the IR whose path passes it. */
static void rate_between(struct code_map *m, size_t node, struct code_rate *rate)
{
    code_numbers before = {0};
    bool *after = xcalloc(m->code->n, sizeof *after);
    walk(m, node, CODE_NONE, false);
    for (size_t i = 0; i < m->seen.n; i++)
        if (code_is_head(m, m->seen.at[i]))
            vec_push(&before, m->seen.at[i]);
    walk(m, node, CODE_NONE, true);
    memcpy(after, m->reached, m->code->n * sizeof *after);
    for (size_t i = 0; i < before.n; i++) {
        size_t from = m->block[before.at[i]];
        bool always = always_through(m, before.at[i], node);
        if (i == 0)
            rate->block = from;
        if (always && before.n == 1)
            break;
        for (size_t k = m->ir.first[from]; k < m->ir.first[from + 1]; k++) {
            size_t to = arrival(m, m->ir.edges.at[k].to);
            if (always || (to != CODE_NONE && after[to]))
                vec_push(&rate->edges, k);
        }
    }
    vec_release(&before);
    free(after);
}

void code_rate(struct code_map *m, size_t node, struct code_rate *rate)
{
    *rate = (struct code_rate){.block = CODE_NONE};
    if (code_is_head(m, node))
        rate_of_head(m, node, rate);
    else
        rate_between(m, node, rate);
}
