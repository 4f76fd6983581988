/* compiled_guess.c - a static profile for machine code without counts. */
#include "shimgen/estimate/compiled/compiled_guess.h"

#include <stdlib.h>

/* Probability that a branch goes the way that a heuristic predicts: Wu and Larus, table 1, from Ball and Larus'
 * measurements. */
static const double stays_in_loop = 0.80, loops_back = 0.88, avoids_call = 0.78, avoids_return = 0.72,
                    enters_loop = 0.75;
/* Compilers place the more likely path straight after the branch. */
static const double goes_straight = 0.70;
/* Upper limit: a loop iterates at most eight times on average. */
static const double most_stay = 1 - 1.0 / 8;

struct guess {
    const struct machine_function *f;
    struct graph graph; /* of the nodes, without those after calls that never return */
    double *share;      /* [edges] share of the executions of the node that the edge leaves */
    bool *ends;         /* [f->n] can the function's end be reached from it? */
    double *iterations; /* [f->n] of the loop with this header */
    double *count;      /* [f->n] executions */
};

/* ---- the graph ---- */

static bool goes_on(const struct node *n, const struct guess_returns *callees)
{
    return n->end != NODE_CALLS || !n->callee || !callees || !callees->returns ||
           callees->returns(callees->context, n->callee);
}

static void find_edges(struct guess *g, const struct guess_returns *callees)
{
    const struct graph *all = &g->f->graph;
    g->graph.n = all->n;
    for (size_t i = 0; i < all->n; i++)
        for (size_t k = 0; k < graph_n_next(all, i) && goes_on(&g->f->nodes[i], callees); k++)
            graph_add(&g->graph, i, graph_next(all, i, k));
    graph_analyse(&g->graph);
    g->share = xcalloc(g->graph.edges.n, sizeof *g->share);
    for (size_t i = 0; i < g->graph.edges.n; i++)
        g->share[i] = 1.0 / (double)graph_n_next(&g->graph, g->graph.edges.at[i].from);
}

/* Is the edge a back edge: does it lead to the header of a loop that contains it? */
static bool is_back(const struct guess *g, const struct graph_edge *e)
{
    return graph_dominates(&g->graph, e->to, e->from);
}

/* Is a node in a loop, or in one nested in it? GRAPH_NONE contains everything. */
static bool in_loop(const struct guess *g, size_t node, size_t loop)
{
    return loop == GRAPH_NONE || graph_loop_has(&g->graph, loop, node);
}

/* Finds the nodes from which the function can be left. */
static void find_ends(struct guess *g)
{
    const struct graph *graph = &g->graph;
    g->ends = xcalloc(g->f->n, sizeof *g->ends);
    for (size_t i = 0; i < g->f->n; i++)
        g->ends[i] = node_leaves(&g->f->nodes[i]);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = graph->n_order; i-- > 0;)
            for (size_t k = 0; k < graph_n_next(graph, graph->order[i]); k++)
                if (!g->ends[graph->order[i]] && g->ends[graph_next(graph, graph->order[i], k)])
                    changed = g->ends[graph->order[i]] = true;
    }
}

/* ---- branches ---- */

/* Combines evidence by Dempster and Shafer's rule, if one of two paths has a property and the other has not. *share is
 * that of the first path. */
static void combine(double *share, bool first, bool second, double likely)
{
    if (first == second)
        return;
    double p = first ? likely : 1 - likely;
    *share = *share * p / (*share * p + (1 - *share) * (1 - p));
}

/* Does edge a iterate where b does not, or stay in a loop that b leaves? */
static bool stays_longer(const struct guess *g, const struct graph_edge *a, const struct graph_edge *b)
{
    size_t loop = g->graph.loop[a->from];
    return (is_back(g, a) && !is_back(g, b)) || (in_loop(g, a->to, loop) && !in_loop(g, b->to, loop));
}

static double first_share(const struct guess *g, const struct graph_edge *a, const struct graph_edge *b)
{
    const struct node *x = &g->f->nodes[a->to], *y = &g->f->nodes[b->to];
    size_t loop = g->graph.loop[a->from];
    double share = 0.5;
    if (g->ends[a->to] != g->ends[b->to])
        return g->ends[a->to];
    combine(&share, is_back(g, a), is_back(g, b), loops_back);
    if (!is_back(g, a) && !is_back(g, b)) {
        combine(&share, in_loop(g, a->to, loop), in_loop(g, b->to, loop), stays_in_loop);
        combine(&share, graph_is_header(&g->graph, a->to), graph_is_header(&g->graph, b->to), enters_loop);
        combine(&share, a->to == a->from + 1, b->to == b->from + 1, goes_straight);
    }
    combine(&share, x->end != NODE_CALLS, y->end != NODE_CALLS, avoids_call);
    combine(&share, x->end != NODE_LEAVES, y->end != NODE_LEAVES, avoids_return);
    if (stays_longer(g, a, b))
        share = share < most_stay ? share : most_stay;
    if (stays_longer(g, b, a))
        share = share > 1 - most_stay ? share : 1 - most_stay;
    return share;
}

static void find_branches(struct guess *g)
{
    for (size_t i = 0; i < g->graph.n_order; i++) {
        size_t node = g->graph.order[i], k = g->graph.first[node];
        if (graph_n_next(&g->graph, node) == 1 && node_leaves(&g->f->nodes[node]))
            g->share[k] = avoids_return;
        if (graph_n_next(&g->graph, node) != 2 || g->f->nodes[node].end != NODE_BRANCHES)
            continue;
        g->share[k] = first_share(g, &g->graph.edges.at[k], &g->graph.edges.at[k + 1]);
        g->share[k + 1] = 1 - g->share[k];
    }
}

/* ---- frequencies ---- */

/* Computes how often the nodes from `head` on (in reverse postorder) are executed per entry of `head`. Returns how
 * often `head` is entered again. */
static double go_from(struct guess *g, size_t head)
{
    const struct graph *graph = &g->graph;
    double again = 0;
    for (size_t i = graph->place[head]; i < graph->n_order; i++)
        g->count[graph->order[i]] = 0;
    g->count[head] = 1;
    for (size_t i = graph->place[head]; i < graph->n_order; i++) {
        size_t node = graph->order[i];
        g->count[node] *= node != head ? g->iterations[node] : 1;
        for (size_t k = graph->first[node]; k < graph->first[node + 1]; k++) {
            size_t to = graph->edges.at[k].to;
            if (to == head)
                again += g->count[node] * g->share[k];
            else if (graph->place[to] > i)
                g->count[to] += g->count[node] * g->share[k];
        }
    }
    return again;
}

static void find_counts(struct guess *g)
{
    const struct graph *graph = &g->graph;
    g->iterations = xcalloc(g->f->n, sizeof *g->iterations);
    g->count = xcalloc(g->f->n, sizeof *g->count);
    for (size_t i = 0; i < g->f->n; i++)
        g->iterations[i] = 1;
    for (size_t i = graph->n_order; i-- > 0;) {
        size_t head = graph->order[i];
        if (!graph_is_header(graph, head) && i)
            continue;
        double again = go_from(g, head);
        g->iterations[head] = graph_is_header(graph, head) ? 1 / (1 - (again < most_stay ? again : most_stay)) : 1;
        if (!i)
            for (size_t k = 0; k < graph->n_order; k++)
                g->count[graph->order[k]] *= g->iterations[head];
    }
}

/* ---- everything together ---- */

static void guess_init(struct guess *g, const struct machine_function *f, const struct guess_returns *callees)
{
    *g = (struct guess){.f = f};
    find_edges(g, callees);
    find_ends(g);
}

static void guess_release(struct guess *g)
{
    graph_release(&g->graph);
    free(g->share);
    free(g->ends);
    free(g->iterations);
    free(g->count);
}

void flow_guess(struct flow *out, const struct machine_function *f, const struct guess_returns *callees)
{
    struct guess g;
    flow_init(out, f);
    if (!f->n)
        return;
    guess_init(&g, f, callees);
    find_branches(&g);
    find_counts(&g);
    for (size_t i = 0; i < g.graph.n_order; i++) {
        size_t node = g.graph.order[i];
        double count = g.count[node] < GUESS_MOST ? g.count[node] : GUESS_MOST;
        out->nodes[node] = count;
        for (size_t k = g.graph.first[node]; k < g.graph.first[node + 1]; k++)
            flow_move(out, node, g.graph.edges.at[k].to)->flow += count * g.share[k];
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
