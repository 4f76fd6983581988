/*
 * compiled_route.c - finds the path through machine code that an edge of the IR takes. A path costs what makes it
 * unlikely: passing code of another block than the one that the IR is in. The cheapest path is taken; of equal ones the
 * one with fewest nodes. Passing code that the code generator made, or the rest of a block after a call, costs nothing.
 */
#include "shimgen/estimate/compiled/compiled_route.h"

#include <stdlib.h>
#include <string.h>

enum {
    PASS_COPY = 2,  /* a part of another block that is not its begin: the rest of a block, or merged code */
    PASS_HEAD = 8,  /* the begin of another block */
    OWN_HEAD = 2,   /* the begin of the present block again */
    COPY_ENTRY = 1, /* an unnamed copy of the block's code, or of a return */
    OTHER_ENTRY = 2,
    /* the node contains code of the block, or both leave the function: Thumb's return is part of restoring registers */
    STAY_COPIED = 3,
    STAY_EMPTY = 4,   /* the block has no code */
    STAY_ANYHOW = 20, /* more than passing two blocks */
    MOST_EXPENSIVE = 40
};

struct reached {
    unsigned cost, length;
    size_t before; /* the previous node on the path */
    bool done;
};
struct routes {
    const struct machine_function *f;
    const struct irprof_label_function *labels;
    const struct code_map *map;
    bool *has_code;          /* [map->ir.n] does any node contain an instruction of the block? */
    struct reached *reached; /* [f->n] */
    VEC(size_t) touched;     /* nodes whose `reached` has been changed */
    VEC(size_t) queue[MOST_EXPENSIVE + 1];
    VEC(size_t) path;
};

static uint32_t block_of(const struct routes *w, uint32_t number)
{
    return number && number < w->labels->n_spots ? w->labels->spots[number].block : IRPROF_NONE;
}

struct routes *routes_new(const struct machine_function *f, const struct irprof_label_function *labels,
                          const struct code_map *map)
{
    struct routes *w = xcalloc(1, sizeof *w);
    *w = (struct routes){.f = f, .labels = labels, .map = map};
    w->has_code = xcalloc(map->ir.n, sizeof *w->has_code);
    w->reached = xcalloc(f->n, sizeof *w->reached);
    for (size_t i = 0; i < f->n; i++) {
        const struct node *n = &f->nodes[i];
        w->reached[i].cost = MOST_EXPENSIVE + 1;
        for (size_t k = 0; k < n->n; k++)
            if (block_of(w, n->of[k]) < map->ir.n)
                w->has_code[block_of(w, n->of[k])] = true;
    }
    return w;
}

void routes_free(struct routes *w)
{
    for (size_t i = 0; i <= MOST_EXPENSIVE; i++)
        vec_release(&w->queue[i]);
    vec_release(&w->path);
    vec_release(&w->touched);
    free(w->has_code);
    free(w->reached);
    free(w);
}

/* ---- the search: Dijkstra's algorithm, with a queue for each cost ---- */

static unsigned price(const struct routes *w, size_t node, uint32_t block)
{
    size_t b = w->map->block[node];
    if (b == CODE_NONE)
        return 0;
    if (code_is_head(w->map, node))
        return b == block ? OWN_HEAD : PASS_HEAD;
    return b == block ? 0 : PASS_COPY;
}

static void reach(struct routes *w, size_t node, size_t from, unsigned cost, unsigned length)
{
    struct reached *r = &w->reached[node];
    if (cost > MOST_EXPENSIVE || r->done || r->cost < cost || (r->cost == cost && r->length <= length))
        return;
    if (r->cost > MOST_EXPENSIVE)
        vec_push(&w->touched, node);
    *r = (struct reached){.cost = cost, .length = length, .before = from};
    vec_push(&w->queue[cost], node);
}

static void reset_paths(struct routes *w)
{
    for (size_t i = 0; i < w->touched.n; i++)
        w->reached[w->touched.at[i]] = (struct reached){.cost = MOST_EXPENSIVE + 1};
    w->touched.n = 0;
    for (size_t i = 0; i <= MOST_EXPENSIVE; i++)
        w->queue[i].n = 0;
}

/* Does the node contain code of the block, or a node after a call in it? */
static bool holds(const struct routes *w, size_t node, uint32_t block)
{
    for (size_t i = node; i < w->f->n; i++) {
        const struct node *n = &w->f->nodes[i];
        if (i > node && n->labelled)
            break;
        for (size_t k = 0; k < n->n; k++)
            if (block_of(w, n->of[k]) == block)
                return true;
        if (n->end != NODE_CALLS)
            break;
    }
    return false;
}

/* The extra cost of ending the path to `to` here; MOST_EXPENSIVE + 1: impossible. */
static unsigned arrives(const struct routes *w, size_t node, uint32_t to)
{
    const struct node *n = &w->f->nodes[node];
    if (to == ROUTE_OUT)
        return node_leaves(n) ? 0 : MOST_EXPENSIVE + 1;
    if (w->map->block[node] == to)
        return w->map->head[to] == node ? 0 : OTHER_ENTRY;
    bool copy = n->labelled && n->number == ELF_NO_BLOCK && n->end == NODE_BRANCHES && holds(w, node, to);
    bool copied_return = w->map->block[node] == CODE_NONE && node_leaves(n) && !graph_n_next(&w->map->ir, to);
    return copy || copied_return ? COPY_ENTRY : MOST_EXPENSIVE + 1;
}

struct search {
    uint32_t block, to;
    bool round;       /* from a block to itself: by a backward branch, not by continuing in it */
    unsigned best;    /* the cost of the best path so far, or a limit */
    size_t end, last; /* the end of that path; `round`: the node that closes it, which comes after `end` */
};

/* Adds all successors of `at`. before: NODE_NONE where the search begins. */
static void expand(struct routes *w, struct search *s, size_t at, size_t before, unsigned cost, unsigned length)
{
    for (size_t k = 0; k < graph_n_next(&w->f->graph, at); k++) {
        size_t to = graph_next(&w->f->graph, at, k);
        unsigned more = arrives(w, to, s->to);
        if (s->round && to <= at && more <= MOST_EXPENSIVE && cost < s->best) {
            s->best = cost;
            s->end = before;
            s->last = to;
        }
        reach(w, to, before, cost + (more <= MOST_EXPENSIVE ? 0 : price(w, to, s->block)), length + 1);
    }
}

/* Finds the cheapest path that costs less than `s->best`. */
static bool search(struct routes *w, struct search *s, size_t start)
{
    unsigned most = s->best;
    s->end = s->last = NODE_NONE;
    expand(w, s, start, NODE_NONE, 0, 0);
    for (unsigned cost = 0; cost < s->best && cost <= MOST_EXPENSIVE; cost++) {
        for (size_t i = 0; i < w->queue[cost].n; i++) {
            size_t at = w->queue[cost].at[i];
            if (w->reached[at].done || w->reached[at].cost != cost)
                continue;
            w->reached[at].done = true;
            unsigned more = s->round ? MOST_EXPENSIVE + 1 : arrives(w, at, s->to);
            if (more <= MOST_EXPENSIVE && cost + more < s->best) {
                s->best = cost + more;
                s->end = at;
                if (!more)
                    return true;
            }
            if (s->round || w->map->block[at] != s->to)
                expand(w, s, at, at, cost, w->reached[at].length);
        }
    }
    return s->best < most;
}

/* ---- edges without a path ---- */

static unsigned stay(const struct routes *w, size_t node, uint32_t to)
{
    if (to == ROUTE_OUT)
        return MOST_EXPENSIVE;
    bool returns = node_leaves(&w->f->nodes[node]) && !graph_n_next(&w->map->ir, to);
    if (returns || (w->map->block[node] != to && holds(w, node, to)))
        return STAY_COPIED;
    return w->has_code[to] ? STAY_ANYHOW : STAY_EMPTY;
}

void route_find(struct routes *w, size_t node, uint32_t block, uint32_t to, struct route *out)
{
    w->path.n = 0;
    *out = (struct route){.kind = ROUTE_STAYS};
    if (to == ROUTE_OUT && node_leaves(&w->f->nodes[node]))
        return;
    unsigned most = stay(w, node, to);
    struct search round = {.block = block, .to = to, .round = to == block, .best = most};
    bool found = search(w, &round, node);
    if (!found && round.round) {
        reset_paths(w);
        round.round = false;
        round.best = most;
        found = search(w, &round, node);
    }
    if (!found) {
        out->kind = to == ROUTE_OUT || most == STAY_ANYHOW ? ROUTE_LOST : ROUTE_STAYS;
        reset_paths(w);
        return;
    }
    if (round.last != NODE_NONE)
        vec_push(&w->path, round.last);
    for (size_t at = round.end; at != NODE_NONE; at = w->reached[at].before)
        vec_push(&w->path, at);
    *out = (struct route){ROUTE_LEADS, w->path.at, w->path.n};
    reset_paths(w);
}
