/* compiled_guess.c - a static profile of machine code that has no counts. */
#include "shimgen/estimate/compiled/compiled_guess.h"

#include <stdlib.h>
#include <string.h>

/* How often a branch goes the way that a heuristic is for: Wu and Larus, table 1, of Ball and Larus' measurements. */
static const double stays_in_loop = 0.80, goes_round = 0.88, avoids_call = 0.78, avoids_return = 0.72,
                    enters_loop = 0.75;
/* Compilers put what they hold for the usual way straight ahead. */
static const double goes_straight = 0.70;
/* However much speaks for it: a loop is gone round eight times at most, on the average. */
static const double most_stay = 1 - 1.0 / 8;

struct edge {
    size_t from, to;
    double share; /* of the executions of `from` */
    bool back;    /* to the head of a loop that `from` is in */
};
struct guess {
    const struct machine_function *f;
    const struct guess_returns *callees;
    VEC(struct edge) edges; /* by `from` */
    size_t *first;          /* [f->n + 1] its edges */
    size_t *first_to, *to;  /* [f->n + 1] in `to`, where the numbers of the edges that lead to it stand */
    size_t *order, n;       /* nodes that are reached: what comes before stands before, but for loops */
    size_t *place;          /* [f->n] in `order`; NODE_NONE: not reached */
    size_t *above;          /* [f->n] the node that all ways to it pass last (dominator) */
    bool *ends;             /* [f->n] the function's end can be reached from it */
    size_t *loop, *outer;   /* [f->n] head of the innermost loop around it; of a head: of the next one; or NODE_NONE */
    double *rounds, *count; /* [f->n] of the loop with this head; executions */
};

/* ---- the graph ---- */

static bool goes_on(const struct guess *g, const struct node *n)
{
    return n->end != NODE_CALLS || !n->callee || !g->callees || !g->callees->returns ||
           g->callees->returns(g->callees->context, n->callee);
}

static void find_edges(struct guess *g)
{
    const struct machine_function *f = g->f;
    size_t *at = xcalloc(f->n_tables + 2, sizeof *at);
    g->first = xcalloc(f->n + 1, sizeof *g->first);
    for (size_t i = 0; i < f->n; i++) {
        size_t n = goes_on(g, &f->nodes[i]) ? node_successors(f, i, at) : 0;
        for (size_t k = 0; k < n; k++)
            vec_push(&g->edges, (struct edge){i, at[k], 1.0 / (double)n, false});
        g->first[i + 1] = g->edges.n;
    }
    free(at);
}

static void find_entries(struct guess *g)
{
    size_t n = g->f->n;
    g->first_to = xcalloc(n + 2, sizeof *g->first_to);
    g->to = xcalloc(g->edges.n + 1, sizeof *g->to);
    for (size_t i = 0; i < g->edges.n; i++)
        g->first_to[g->edges.at[i].to + 2]++;
    for (size_t i = 2; i < n + 2; i++)
        g->first_to[i] += g->first_to[i - 1];
    for (size_t i = 0; i < g->edges.n; i++)
        g->to[g->first_to[g->edges.at[i].to + 1]++] = i;
}

/* Depth first, without recursion: `next` is the edge to go on with at each node. */
static void find_order(struct guess *g)
{
    const struct machine_function *f = g->f;
    size_t *next = xcalloc(f->n + 1, sizeof *next), *stack = xcalloc(f->n + 1, sizeof *stack), depth = 0, left = f->n;
    bool *seen = xcalloc(f->n + 1, sizeof *seen);
    g->order = xcalloc(f->n + 1, sizeof *g->order);
    g->place = xcalloc(f->n + 1, sizeof *g->place);
    if (f->n) {
        stack[depth++] = 0;
        seen[0] = true;
    }
    while (depth) {
        size_t node = stack[depth - 1], edge = g->first[node] + next[node]++;
        if (edge == g->first[node + 1]) {
            g->order[--left] = node;
            depth--;
        } else if (!seen[g->edges.at[edge].to]) {
            seen[g->edges.at[edge].to] = true;
            stack[depth++] = g->edges.at[edge].to;
        }
    }
    g->n = f->n - left;
    memmove(g->order, g->order + left, g->n * sizeof *g->order);
    for (size_t i = 0; i < f->n; i++)
        g->place[i] = NODE_NONE;
    for (size_t i = 0; i < g->n; i++)
        g->place[g->order[i]] = i;
    free(next);
    free(stack);
    free(seen);
}

static size_t common(const struct guess *g, size_t a, size_t b)
{
    while (a != b) {
        while (g->place[a] > g->place[b])
            a = g->above[a];
        while (g->place[b] > g->place[a])
            b = g->above[b];
    }
    return a;
}

/* Dominators: K. D. Cooper, T. J. Harvey, K. Kennedy, "A simple, fast dominance algorithm", 2001. */
static void find_above(struct guess *g)
{
    g->above = xcalloc(g->f->n + 1, sizeof *g->above);
    for (size_t i = 0; i < g->f->n; i++)
        g->above[i] = NODE_NONE;
    g->above[0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < g->n; i++)
            for (size_t k = g->first[g->order[i]]; k < g->first[g->order[i] + 1]; k++) {
                size_t from = g->order[i], to = g->edges.at[k].to;
                size_t above = to && g->above[to] != NODE_NONE ? common(g, g->above[to], from) : to ? from : 0;
                changed |= above != g->above[to];
                g->above[to] = above;
            }
    }
}

static bool is_above(const struct guess *g, size_t a, size_t node)
{
    while (g->place[node] > g->place[a])
        node = g->above[node];
    return node == a;
}

/* Is a node in the loop with this head, or in one inside it? NODE_NONE: everything is. */
static bool in_loop(const struct guess *g, size_t node, size_t head)
{
    size_t at = g->loop[node];
    while (at != head && at != NODE_NONE)
        at = g->outer[at];
    return at == head;
}

static void add_to_loop(struct guess *g, size_t node, size_t head)
{
    size_t at = g->loop[node];
    if (at == NODE_NONE) {
        g->loop[node] = head;
        return;
    }
    while (at != head && g->outer[at] != NODE_NONE)
        at = g->outer[at];
    if (at != head)
        g->outer[at] = head;
}

/* What lies on ways from the head back to it. Inner loops have been found before. */
static void find_loop(struct guess *g, size_t head)
{
    VEC(size_t) inside = {0};
    bool *seen = xcalloc(g->f->n, sizeof *seen);
    for (size_t k = g->first_to[head]; k < g->first_to[head + 1]; k++)
        if (g->edges.at[g->to[k]].back)
            vec_push(&inside, g->edges.at[g->to[k]].from);
    seen[head] = true;
    if (inside.n)
        add_to_loop(g, head, head);
    for (size_t i = 0; i < inside.n; i++) {
        size_t node = inside.at[i];
        if (seen[node])
            continue;
        seen[node] = true;
        add_to_loop(g, node, head);
        for (size_t k = g->first_to[node]; k < g->first_to[node + 1]; k++)
            if (g->place[g->edges.at[g->to[k]].from] != NODE_NONE)
                vec_push(&inside, g->edges.at[g->to[k]].from);
    }
    free(seen);
    vec_release(&inside);
}

static void find_loops(struct guess *g)
{
    g->loop = xcalloc(g->f->n, sizeof *g->loop);
    g->outer = xcalloc(g->f->n, sizeof *g->outer);
    for (size_t i = 0; i < g->f->n; i++)
        g->loop[i] = g->outer[i] = NODE_NONE;
    for (size_t i = 0; i < g->edges.n; i++) {
        struct edge *e = &g->edges.at[i];
        e->back = g->place[e->from] != NODE_NONE && g->place[e->to] <= g->place[e->from] && is_above(g, e->to, e->from);
    }
    for (size_t i = g->n; i-- > 0;)
        find_loop(g, g->order[i]);
}

/* From which nodes the function can be left. */
static void find_ends(struct guess *g)
{
    g->ends = xcalloc(g->f->n, sizeof *g->ends);
    for (size_t i = 0; i < g->f->n; i++)
        g->ends[i] = g->f->nodes[i].end == NODE_LEAVES || g->f->nodes[i].end == NODE_TAIL;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = g->n; i-- > 0;)
            for (size_t k = g->first[g->order[i]]; k < g->first[g->order[i] + 1]; k++)
                if (!g->ends[g->order[i]] && g->ends[g->edges.at[k].to])
                    changed = g->ends[g->order[i]] = true;
    }
}

/* ---- branches ---- */

/* One of two ways has what the other has not: *share of the first of them, by Dempster and Shafer's rule. */
static void combine(double *share, bool first, bool second, double likely)
{
    if (first == second)
        return;
    double p = first ? likely : 1 - likely;
    *share = *share * p / (*share * p + (1 - *share) * (1 - p));
}

/* Does a go round where b does not, or stay in the loop that b leaves? */
static bool stays_longer(const struct guess *g, size_t loop, const struct edge *a, const struct edge *b)
{
    return (a->back && !b->back) || (in_loop(g, a->to, loop) && !in_loop(g, b->to, loop));
}

static double first_share(const struct guess *g, size_t node, const struct edge *a, const struct edge *b)
{
    const struct node *x = &g->f->nodes[a->to], *y = &g->f->nodes[b->to];
    size_t loop = g->loop[node];
    double share = 0.5;
    if (g->ends[a->to] != g->ends[b->to])
        return g->ends[a->to];
    combine(&share, a->back, b->back, goes_round);
    if (!a->back && !b->back) {
        combine(&share, in_loop(g, a->to, loop), in_loop(g, b->to, loop), stays_in_loop);
        combine(&share, g->loop[a->to] == a->to, g->loop[b->to] == b->to, enters_loop);
        combine(&share, a->to == node + 1, b->to == node + 1, goes_straight);
    }
    combine(&share, x->end != NODE_CALLS, y->end != NODE_CALLS, avoids_call);
    combine(&share, x->end != NODE_LEAVES, y->end != NODE_LEAVES, avoids_return);
    if (stays_longer(g, loop, a, b))
        share = share < most_stay ? share : most_stay;
    if (stays_longer(g, loop, b, a))
        share = share > 1 - most_stay ? share : 1 - most_stay;
    return share;
}

static void find_branches(struct guess *g)
{
    for (size_t i = 0; i < g->n; i++) {
        size_t node = g->order[i], k = g->first[node];
        if (g->first[node + 1] - k != 2 || g->f->nodes[node].end != NODE_BRANCHES)
            continue;
        struct edge *a = &g->edges.at[k], *b = a + 1;
        a->share = first_share(g, node, a, b);
        b->share = 1 - a->share;
    }
}

/* ---- frequencies ---- */

/* How often everything behind `head` is executed when that is entered once; *again: how often it is entered again. */
static double go_from(struct guess *g, size_t head)
{
    double again = 0;
    for (size_t i = g->place[head]; i < g->n; i++)
        g->count[g->order[i]] = 0;
    g->count[head] = 1;
    for (size_t i = g->place[head]; i < g->n; i++) {
        size_t node = g->order[i];
        g->count[node] *= node != head ? g->rounds[node] : 1;
        for (size_t k = g->first[node]; k < g->first[node + 1]; k++) {
            struct edge *e = &g->edges.at[k];
            if (e->to == head)
                again += g->count[node] * e->share;
            else if (g->place[e->to] > i)
                g->count[e->to] += g->count[node] * e->share;
        }
    }
    return again;
}

static void find_counts(struct guess *g)
{
    g->rounds = xcalloc(g->f->n, sizeof *g->rounds);
    g->count = xcalloc(g->f->n, sizeof *g->count);
    for (size_t i = 0; i < g->f->n; i++)
        g->rounds[i] = 1;
    for (size_t i = g->n; i-- > 0;) {
        size_t head = g->order[i];
        if (g->loop[head] != head && i)
            continue;
        double again = go_from(g, head);
        g->rounds[head] = g->loop[head] == head ? 1 / (1 - (again < most_stay ? again : most_stay)) : 1;
        if (!i)
            for (size_t k = 0; k < g->n; k++)
                g->count[g->order[k]] *= g->rounds[head];
    }
}

/* ---- the whole ---- */

static void guess_init(struct guess *g, const struct machine_function *f, const struct guess_returns *callees)
{
    *g = (struct guess){.f = f, .callees = callees};
    find_edges(g);
    find_order(g);
    find_ends(g);
}

static void guess_release(struct guess *g)
{
    vec_release(&g->edges);
    free(g->first);
    free(g->order);
    free(g->place);
    free(g->first_to);
    free(g->to);
    free(g->above);
    free(g->ends);
    free(g->loop);
    free(g->outer);
    free(g->rounds);
    free(g->count);
}

void flow_guess(struct flow *out, const struct machine_function *f, const struct guess_returns *callees)
{
    struct guess g;
    flow_init(out, f);
    if (!f->n)
        return;
    guess_init(&g, f, callees);
    find_entries(&g);
    find_above(&g);
    find_loops(&g);
    find_branches(&g);
    find_counts(&g);
    for (size_t i = 0; i < g.n; i++) {
        size_t node = g.order[i];
        double count = g.count[node] < GUESS_MOST ? g.count[node] : GUESS_MOST;
        out->nodes[node] = count;
        for (size_t k = g.first[node]; k < g.first[node + 1]; k++)
            flow_move(out, node, g.edges.at[k].to)->flow += count * g.edges.at[k].share;
    }
    guess_release(&g);
}

bool guess_comes_back(const struct machine_function *f, const struct guess_returns *callees)
{
    struct guess g;
    if (!f->n)
        return true;
    guess_init(&g, f, callees);
    bool back = g.ends[0];
    guess_release(&g);
    return back;
}
