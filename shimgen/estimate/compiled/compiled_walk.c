/*
 * compiled_walk.c - the costs on a core that issues out of order. There the cost of a node is not what it takes after
 * another one: a few of its instructions fill a part of a cycle, and some hundred instructions before it are still
 * underway. So windows of the executed order are scheduled, each some hundred instructions that only lead to it and then
 * as many that count as fit twice into the largest cores.
 *
 * Nobody recorded the order; what is known is how often each edge between nodes was taken. A walk through the graph
 * takes, at each node, the edge whose count is farthest below its share, and comes back from a function to where it was called:
 * a loop of ten iterations an entry has ten in the walk. An edge's cost is the mean over the windows that it was met in,
 * times how often it was taken. Edges are looked at from the most executed down, each until it has been met often enough;
 * later windows, which begin at rarer edges, no longer count for it.
 */
#include "shimgen/estimate/compiled/compiled_walk.h"

#include <stdlib.h>
#include <string.h>

enum { BEFORE_STEPS = 640, BEFORE_NODES = 320, WINDOW_STEPS = 1280, CALLS = 32 };
/* How often an edge must be met, by its share of all instructions; and number of windows that begin with its
 * misprediction. */
enum { OFTEN = 32, SELDOM = 4, FAILURES = 3 };
static const double much = 1e-3, little = 1e-5;

struct seen {
    struct step_costs sum; /* over the steps of the node that the edge leads to; cycles NULL: not met yet */
    double visits, wanted;
    bool closed;
    double failures, failed; /* mispredictions, and the cycles that they added */
    double gone;             /* how often the walk has taken it, counted or not */
};
struct walk {
    struct coster *c;
    const struct program_flow *g;
    struct seen *seen;   /* [edges] */
    double *all, *left;  /* [nodes + 1] executions of all edges that leave a node; how often the walk has left it */
    size_t *into;        /* [nodes] 1 + the edge that leads to it most often */
    size_t calls[CALLS]; /* where calls in progress return to */
    size_t n_calls;
    size_t window[WINDOW_STEPS]; /* edges that count in the window */
    size_t n_window;
};

static const struct flow_step *edge_of(const struct walk *w, size_t edge)
{
    return &w->g->edges.at[edge];
}

static bool may_fail(const struct flow_step *e)
{
    return e->mispredicted > 0 || e->doubtful > 0;
}

/* ---- the walk ---- */

static void call(struct walk *w, size_t back)
{
    if (w->n_calls == CALLS)
        memmove(w->calls, w->calls + 1, --w->n_calls * sizeof *w->calls);
    w->calls[w->n_calls++] = back;
}

/* Moves from one node to the next, which may be a call or a return. */
static void follow(struct walk *w, size_t from, size_t to)
{
    bool entry = to == w->g->base[w->g->function[to]];
    if (w->g->nodes[from]->end == NODE_CALLS && entry && from + 1 < w->g->n)
        call(w, from + 1);
    else if (node_leaves(w->g->nodes[from]) && w->n_calls && w->calls[w->n_calls - 1] == to)
        w->n_calls--;
}

/* The edge that is farthest below its share; SIZE_MAX: the program ends. */
static size_t next_of(struct walk *w, size_t node)
{
    size_t best = SIZE_MAX;
    double most = 0;
    if (w->g->nodes[node]->end == NODE_LEAVES && w->n_calls) {
        size_t edge = w->into[w->calls[w->n_calls - 1]];
        if (edge) {
            w->seen[edge - 1].gone++;
            w->n_calls--;
            return edge - 1;
        }
    }
    for (size_t i = w->g->out[node]; i; i = w->g->next[i - 1]) {
        double lag = edge_of(w, i - 1)->flow / w->all[node] * (w->left[node] + 1) - w->seen[i - 1].gone;
        if (best == SIZE_MAX || lag > most) {
            best = i - 1;
            most = lag;
        }
    }
    if (best == SIZE_MAX)
        return SIZE_MAX;
    w->left[node]++;
    w->seen[best].gone++;
    follow(w, node, edge_of(w, best)->to);
    return best;
}

/* ---- one window ---- */

struct window {
    bool fails; /* it begins with a misprediction */
    bool misses;
    unsigned late; /* loads that missed */
};

static void run_all(struct walk *w, const struct window *x, const struct node *n, uint64_t next)
{
    unsigned ignored = 0;
    iss_schedule_run(w->c->now, n->steps, n->n, next);
    if (x->fails)
        iss_schedule_run(w->c->wrong, n->steps, n->n, next);
    if (x->misses)
        cost_missing(w->c, n, next, &ignored);
}

/* Schedules what leads to the edge: its most frequent predecessors, then the node that it leaves. */
static void lead_to(struct walk *w, const struct window *x, const struct flow_step *e)
{
    size_t list[BEFORE_NODES], n = 0, steps = 0;
    w->n_calls = 0;
    iss_schedule_restart(w->c->now);
    iss_schedule_restart(w->c->wrong);
    iss_schedule_restart(w->c->missing);
    for (size_t at = e->from; at != NODE_NONE && n < BEFORE_NODES && steps < BEFORE_STEPS; at = w->g->hottest[at]) {
        list[n++] = at;
        steps += w->g->nodes[at]->n;
    }
    for (size_t i = n; i-- > 0;) {
        size_t next = i ? list[i - 1] : e->to;
        if (!i && x->fails)
            iss_schedule_mispredict(w->c->wrong);
        run_all(w, x, w->g->nodes[list[i]], w->g->nodes[next]->address);
        follow(w, list[i], next);
    }
}

/* Schedules the node that an edge leads to, and counts its cycles. */
static void count(struct walk *w, size_t edge, uint64_t next)
{
    const struct node *n = w->g->nodes[edge_of(w, edge)->to];
    struct seen *s = &w->seen[edge];
    struct step_costs *to = &s->sum;
    if (!to->cycles)
        step_costs_init(to, n->n);
    for (size_t i = 0; i < n->n; i++) {
        int64_t waits[ISS_WAITS] = {0}, before = iss_schedule_cycle(w->c->now);
        iss_schedule_explain(w->c->now, waits);
        iss_schedule_run(w->c->now, &n->steps[i], 1, i + 1 < n->n ? n->steps[i + 1].address : next);
        iss_schedule_explain(w->c->now, 0);
        to->cycles[i] += (double)(iss_schedule_cycle(w->c->now) - before);
        for (int k = 0; k < ISS_WAITS; k++)
            to->spent[i][k] += (double)waits[k];
        cost_access(w->c, to, i, &n->steps[i], 1);
    }
    s->visits++;
    w->window[w->n_window++] = edge;
}

static void pass(struct walk *w, struct window *x, size_t edge, uint64_t next)
{
    const struct node *n = w->g->nodes[edge_of(w, edge)->to];
    if (w->seen[edge].closed)
        iss_schedule_run(w->c->now, n->steps, n->n, next);
    else
        count(w, edge, next);
    if (x->fails)
        iss_schedule_run(w->c->wrong, n->steps, n->n, next);
    if (x->misses)
        cost_missing(w->c, n, next, &x->late);
}

/* Sets the share of its latency that each missing load waits. */
static void share_misses(struct walk *w, const struct window *x)
{
    int64_t more = iss_schedule_cycle(w->c->missing) - iss_schedule_cycle(w->c->now);
    double share = x->late && more > 0 ? (double)more / ((double)x->late * (double)w->c->latency) : 0;
    for (size_t i = 0; i < w->n_window; i++) {
        const struct node *n = w->g->nodes[edge_of(w, w->window[i])->to];
        for (size_t k = 0; k < n->n; k++)
            if (n->steps[k].op.memory == ISS_READ_MEMORY)
                w->seen[w->window[i]].sum.waits[k] += share < 1 ? share : 1;
    }
}

static void run_window(struct walk *w, size_t start)
{
    struct seen *first = &w->seen[start];
    struct window x = {.fails = may_fail(edge_of(w, start)) && first->failures<FAILURES, .misses = w->c->latency> 0};
    int64_t began = 0;
    w->n_window = 0;
    lead_to(w, &x, edge_of(w, start));
    began = iss_schedule_cycle(w->c->now);
    for (size_t edge = start, steps = 0; edge != SIZE_MAX && steps < WINDOW_STEPS;) {
        size_t node = edge_of(w, edge)->to, next = next_of(w, node);
        pass(w, &x, edge, next == SIZE_MAX ? 0 : w->g->nodes[edge_of(w, next)->to]->address);
        steps += w->g->nodes[node]->n + 1;
        edge = next;
    }
    if (x.fails && iss_schedule_cycle(w->c->now) > began) {
        int64_t more = iss_schedule_cycle(w->c->wrong) - iss_schedule_cycle(w->c->now);
        first->failed += more > 0 ? (double)more : 0;
    }
    first->failures += x.fails;
    if (x.misses)
        share_misses(w, &x);
    for (size_t i = 0; i < w->n_window; i++)
        w->seen[w->window[i]].closed = w->seen[w->window[i]].visits >= w->seen[w->window[i]].wanted;
}

/* ---- all windows ---- */

struct order {
    size_t edge;
    double instructions;
};

static int by_instructions(const void *a, const void *b)
{
    const struct order *x = a, *y = b;
    if (x->instructions != y->instructions)
        return x->instructions < y->instructions ? 1 : -1;
    return (x->edge > y->edge) - (x->edge < y->edge);
}

static void prepare(struct walk *w, struct order *order)
{
    const struct program_flow *g = w->g;
    double all = 0;
    for (size_t i = 0; i < g->edges.n; i++) {
        const struct flow_step *e = edge_of(w, i);
        order[i] = (struct order){i, e->flow * (double)(g->nodes[e->to]->n + 1)};
        all += order[i].instructions;
        w->all[e->from == NODE_NONE ? g->n : e->from] += e->flow;
        if (!w->into[e->to] || e->flow > edge_of(w, w->into[e->to] - 1)->flow)
            w->into[e->to] = i + 1;
    }
    for (size_t i = 0; i < g->edges.n; i++) {
        double share = all > 0 ? order[i].instructions / all : 0;
        w->seen[i].wanted = share > much ? OFTEN : share > little ? SELDOM : 1;
    }
    if (g->edges.n)
        qsort(order, g->edges.n, sizeof *order, by_instructions);
}

static void add_edge(struct walk *w, size_t edge)
{
    const struct flow_step *e = edge_of(w, edge);
    const struct seen *s = &w->seen[edge];
    const struct node *n = w->g->nodes[e->to];
    size_t function = w->g->function[e->to];
    struct step_costs *to = &w->c->costs[function];
    size_t first = (size_t)(n->steps - w->g->machine->functions[function].code->steps);
    double times = s->visits > 0 ? e->flow / s->visits : 0;
    for (size_t i = 0; i < n->n && times > 0; i++) {
        to->cycles[first + i] += times * s->sum.cycles[i];
        to->near[first + i] += times * s->sum.near[i];
        to->far[first + i] += times * s->sum.far[i];
        to->waits[first + i] += times * s->sum.waits[i];
        for (int k = 0; k < ISS_WAITS; k++)
            to->spent[first + i][k] += times * s->sum.spent[i][k];
    }
    if (s->failures > 0 && n->n) {
        to->mispredicted[first] += e->mispredicted * s->failed / s->failures;
        to->doubtful[first] += e->doubtful * s->failed / s->failures;
    }
}

void cost_walk(struct coster *c)
{
    const struct program_flow *g = c->g;
    struct walk *w = xcalloc(1, sizeof *w);
    struct order *order = xcalloc(g->edges.n, sizeof *order);
    *w = (struct walk){.c = c, .g = g};
    w->seen = xcalloc(g->edges.n, sizeof *w->seen);
    w->all = xcalloc(g->n + 1, sizeof *w->all);
    w->left = xcalloc(g->n + 1, sizeof *w->left);
    w->into = xcalloc(g->n + 1, sizeof *w->into);
    prepare(w, order);
    for (size_t i = 0; i < g->edges.n; i++) {
        struct seen *s = &w->seen[order[i].edge];
        while (!s->closed || (may_fail(edge_of(w, order[i].edge)) && s->failures < (s->wanted > 1 ? FAILURES : 1)))
            run_window(w, order[i].edge);
    }
    for (size_t i = 0; i < g->edges.n; i++) {
        add_edge(w, i);
        step_costs_release(&w->seen[i].sum);
    }
    free(w->seen);
    free(w->all);
    free(w->left);
    free(w->into);
    free(order);
    free(w);
}
