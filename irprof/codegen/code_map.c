/*
 * code_map.c - maps nodes of the machine code to blocks and edges of the IR. A node stands for a block of the IR if it
 * is the first that bears its name: it is that block's HEAD. The code generator makes other nodes too: on an edge that
 * needs room to copy a register, for the comparisons of a switch, for the two sides of a select. Control passes such a
 * node only on its path from one head to another, that is, along an edge of the IR. So a node that is no head is
 * executed as often as the edges that lead through it are taken.
 */
#include "irprof/codegen/code_map.h"

#include <stdlib.h>

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

/* Where an edge to a block arrives in the machine code: blocks that have no head and only lead on are passed. */
static size_t arrival(const struct code_map *m, size_t block)
{
    for (size_t steps = 0; m->head[block] == CODE_NONE; steps++) {
        if (graph_n_next(&m->ir, block) != 1 || steps > m->ir.n)
            return CODE_NONE;
        block = graph_next(&m->ir, block, 0);
    }
    return m->head[block];
}

static void list_arrivals(struct code_map *m)
{
    size_t n = m->ir.edges.n, *at = xcalloc(n, sizeof *at);
    m->first_arrival = xcalloc(m->code->n + 2, sizeof *m->first_arrival);
    m->arrivals = xcalloc(n, sizeof *m->arrivals);
    for (size_t k = 0; k < n; k++) {
        at[k] = arrival(m, m->ir.edges.at[k].to);
        if (at[k] != CODE_NONE)
            m->first_arrival[at[k] + 2]++;
    }
    for (size_t i = 2; i <= m->code->n + 1; i++)
        m->first_arrival[i] += m->first_arrival[i - 1];
    for (size_t k = 0; k < n; k++)
        if (at[k] != CODE_NONE)
            m->arrivals[m->first_arrival[at[k] + 1]++] = k;
    free(at);
}

void code_map_link(struct code_map *m)
{
    graph_link(&m->ir);
    m->head = nothing(m->ir.n);
    for (size_t i = m->code->n; i-- > 0;)
        if (m->block[i] != CODE_NONE)
            m->head[m->block[i]] = i;
    list_arrivals(m);
}

void code_map_release(struct code_map *m)
{
    graph_release(&m->ir);
    vec_release(&m->seen);
    free(m->block);
    free(m->head);
    free(m->first_arrival);
    free(m->arrivals);
    free(m->reached);
}

/* ---- rates ---- */

static void reset(struct code_map *m)
{
    for (size_t i = 0; i < m->seen.n; i++)
        m->reached[m->seen.at[i]] = false;
    m->seen.n = 0;
}

static void reach(struct code_map *m, size_t node)
{
    m->reached[node] = true;
    vec_push(&m->seen, node);
}

/* Finds what can be reached from `start`, forwards or backwards, through nodes that are no heads. The search ends at
 * heads. */
static void walk(struct code_map *m, size_t start, bool forwards)
{
    reset(m);
    size_t at = start;
    for (size_t next = 0;; at = m->seen.at[next++]) {
        const struct graph *g = m->code;
        size_t n = at != start && code_is_head(m, at) ? 0 : forwards ? graph_n_next(g, at) : graph_n_before(g, at);
        for (size_t i = 0; i < n; i++) {
            size_t to = forwards ? graph_next(g, at, i) : graph_before(g, at, i);
            if (!m->reached[to])
                reach(m, to);
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
    walk(m, node, false);
    for (size_t i = 0; i < n && node != 0; i++) {
        size_t from = m->head[graph_before(&m->ir, rate->block, i)];
        if (from == CODE_NONE || m->reached[from])
            vec_push(&rate->edges, m->ir.in[m->ir.first_in[rate->block] + i]);
    }
    if (rate->edges.n == n)
        vec_release(&rate->edges);
}

/* Do all paths from the head `from` pass `node`? In a tree of comparisons the first path that is followed to its
 * end says no. */
static bool always_through(struct code_map *m, size_t from, size_t node)
{
    code_numbers open = {0};
    bool always = true;
    reset(m);
    vec_push(&open, from);
    while (open.n && always) {
        size_t at = open.at[--open.n];
        for (size_t i = 0; i < graph_n_next(m->code, at) && always; i++) {
            size_t to = graph_next(m->code, at, i);
            if (to == node || m->reached[to])
                continue;
            always = !code_is_head(m, to) && graph_n_next(m->code, to);
            reach(m, to);
            vec_push(&open, to);
        }
    }
    vec_release(&open);
    return always;
}

/* The heads among the nodes that the last walk has reached, in its order. */
static code_numbers heads_reached(const struct code_map *m)
{
    code_numbers heads = {0};
    for (size_t i = 0; i < m->seen.n; i++)
        if (code_is_head(m, m->seen.at[i]))
            vec_push(&heads, m->seen.at[i]);
    return heads;
}

static int by_number(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return x < y ? -1 : x > y;
}

/* Adds the edges of the IR from block `from` that arrive at one of the nodes, in their order. */
static void add_arriving(const struct code_map *m, size_t from, const code_numbers *nodes, code_numbers *edges)
{
    size_t before = edges->n, first = m->ir.first[from], end = m->ir.first[from + 1];
    for (size_t i = 0; i < nodes->n; i++) {
        size_t low = m->first_arrival[nodes->at[i]], high = m->first_arrival[nodes->at[i] + 1], last = high;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (m->arrivals[middle] < first)
                low = middle + 1;
            else
                high = middle;
        }
        for (; low < last && m->arrivals[low] < end; low++)
            vec_push(edges, m->arrivals[low]);
    }
    if (edges->n > before)
        qsort(edges->at + before, edges->n - before, sizeof *edges->at, by_number);
}

/* The rate of a node that is no head: that of the edges of the IR whose path passes it. */
static void rate_between(struct code_map *m, size_t node, struct code_rate *rate)
{
    walk(m, node, false);
    code_numbers before = heads_reached(m);
    walk(m, node, true);
    code_numbers after = heads_reached(m);
    for (size_t i = 0; i < before.n; i++) {
        size_t from = m->block[before.at[i]];
        bool always = always_through(m, before.at[i], node);
        if (i == 0)
            rate->block = from;
        if (always && before.n == 1)
            break;
        if (!always)
            add_arriving(m, from, &after, &rate->edges);
        for (size_t k = m->ir.first[from]; always && k < m->ir.first[from + 1]; k++)
            vec_push(&rate->edges, k);
    }
    vec_release(&before);
    vec_release(&after);
}

void code_rate(struct code_map *m, size_t node, struct code_rate *rate)
{
    *rate = (struct code_rate){.block = CODE_NONE};
    if (code_is_head(m, node))
        rate_of_head(m, node, rate);
    else
        rate_between(m, node, rate);
}
