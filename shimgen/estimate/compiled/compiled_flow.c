/* compiled_flow.c - execution counts of machine code, from the counts of IR blocks and edges. */
#include "shimgen/estimate/compiled/compiled_flow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shimgen/estimate/compiled/compiled_route.h"

struct state {
    size_t node;
    uint32_t block;
    double share, inflow; /* as shares of the block's executions */
};
struct transition {
    size_t from, to; /* states; to NODE_NONE: the function is left */
    size_t edge;     /* edge of the IR; n_edges: none */
    size_t first, n; /* the nodes on the path, in `path`, with its end; n 0: only the state changes */
    bool lost;
};
struct walker {
    const struct machine_function *f;
    const struct flow_ir *ir;
    struct routes *routes;
    struct code_map map;
    double *taken;    /* [n_blocks] executions of all edges that leave a block */
    double *wrong;    /* [n_edges] those that were mispredicted */
    double *late;     /* [f->n] mispredictions on edges that lead to the node without passing a branch */
    size_t *n_states; /* [n_blocks] */
    VEC(struct state) states;
    code_numbers *at_node; /* [f->n] states at the node */
    VEC(struct transition) transitions;
    code_numbers path;
    struct flow *out;
};

/* ---- states and paths ---- */

static size_t state_of(struct walker *w, size_t node, uint32_t block)
{
    for (size_t i = 0; i < w->at_node[node].n; i++)
        if (w->states.at[w->at_node[node].at[i]].block == block)
            return w->at_node[node].at[i];
    w->n_states[block]++;
    vec_push(&w->at_node[node], w->states.n);
    vec_push(&w->states, (struct state){node, block, 0, 0});
    return w->states.n - 1;
}

static void add_transition(struct walker *w, size_t from, size_t edge, uint32_t to)
{
    struct route route;
    struct state s = w->states.at[from];
    struct transition t = {.from = from, .edge = edge, .first = w->path.n, .to = NODE_NONE};
    route_find(w->routes, s.node, s.block, to, &route);
    for (size_t i = route.n; i-- > 0;)
        vec_push(&w->path, route.nodes[i]);
    t.n = route.n;
    t.lost = route.kind == ROUTE_LOST;
    if (to != ROUTE_OUT)
        t.to = state_of(w, route.n ? route.nodes[0] : s.node, to);
    vec_push(&w->transitions, t);
}

static void find_states(struct walker *w)
{
    const struct flow_ir *ir = w->ir;
    if (!w->f->n || !ir->n_blocks)
        return;
    state_of(w, 0, 0);
    size_t most = 64 * (w->f->n + ir->n_blocks);
    for (size_t i = 0; i < w->states.n && i < most; i++) {
        uint32_t b = w->states.at[i].block;
        for (size_t k = w->map.ir.first[b]; k < w->map.ir.first[b + 1]; k++)
            add_transition(w, i, k, ir->edges[k].to);
        if (!graph_n_next(&w->map.ir, b))
            add_transition(w, i, ir->n_edges, ROUTE_OUT);
    }
}

/* ---- shares: in which of its states a block is executed ---- */

static double left_from(const struct walker *w, uint32_t block)
{
    const struct irprof_label_function *l = w->ir->labels;
    double last = 0;
    for (size_t i = 0; i < l->n_segments; i++)
        if (l->segments[i].block == block)
            last = w->ir->executions[i];
    return last;
}

static double flow_of(const struct walker *w, const struct transition *t)
{
    const struct state *s = &w->states.at[t->from];
    return s->share * (t->edge < w->ir->n_edges ? w->ir->edges[t->edge].taken : w->taken[s->block]);
}

static void share_once(struct walker *w, double entered)
{
    double *sum = xcalloc(w->ir->n_blocks, sizeof *sum);
    for (size_t i = 0; i < w->states.n; i++)
        w->states.at[i].inflow = i == 0 ? entered : 0;
    for (size_t i = 0; i < w->transitions.n; i++)
        if (w->transitions.at[i].to != NODE_NONE)
            w->states.at[w->transitions.at[i].to].inflow += flow_of(w, &w->transitions.at[i]);
    for (size_t i = 0; i < w->states.n; i++)
        sum[w->states.at[i].block] += w->states.at[i].inflow;
    for (size_t i = 0; i < w->states.n; i++) {
        struct state *s = &w->states.at[i];
        s->share = sum[s->block] > 0 ? s->inflow / sum[s->block] : 1.0 / (double)w->n_states[s->block];
    }
    free(sum);
}

static void find_shares(struct walker *w, double entered)
{
    enum { ITERATIONS = 50 };
    bool several = false;
    for (size_t i = 0; i < w->states.n; i++) {
        size_t n = w->n_states[w->states.at[i].block];
        several |= n > 1;
        w->states.at[i].share = 1.0 / (double)n;
    }
    for (int i = 0; several && i < ITERATIONS; i++)
        share_once(w, entered);
}

/* ---- flows ---- */

void flow_init(struct flow *out, const struct machine_function *f)
{
    *out = (struct flow){.nodes = xcalloc(f->n + 1, sizeof *out->nodes)};
    out->first = xcalloc(f->n + 1, sizeof *out->first);
}

struct flow_move *flow_move(struct flow *out, size_t from, size_t to)
{
    for (size_t i = out->first[from]; i; i = out->moves.at[i - 1].next)
        if (out->moves.at[i - 1].to == to)
            return &out->moves.at[i - 1];
    vec_push(&out->moves, (struct flow_move){.from = from, .to = to, .next = out->first[from]});
    out->first[from] = out->moves.n;
    return &out->moves.at[out->moves.n - 1];
}

static void go(struct flow *out, size_t from, size_t to, double flow, double mispredicted, double doubtful)
{
    struct flow_move *m = flow_move(out, from, to);
    m->flow += flow;
    m->mispredicted += mispredicted;
    m->doubtful += doubtful;
    out->nodes[to] += flow;
}

/* The only node that follows; NODE_NONE: there are several, or none. */
static size_t only_successor(const struct machine_function *f, size_t node)
{
    const struct node *n = &f->nodes[node];
    bool other = n->end == NODE_SWITCHES || node_leaves(n);
    return !other && graph_n_next(&f->graph, node) == 1 ? graph_next(&f->graph, node, 0) : NODE_NONE;
}

/* A branch that the IR does not have, made from a select in `block`. Its directions are not known, so each counts as
 * equally likely. Returns the other side, if that comes back to where this side leads (`next`). */
static size_t other_side(const struct machine_function *f, size_t from, size_t next, uint32_t block)
{
    if (f->nodes[from].end != NODE_BRANCHES || graph_n_next(&f->graph, from) != 2)
        return NODE_NONE;
    size_t a = graph_next(&f->graph, from, 0), b = graph_next(&f->graph, from, 1), other = a == next ? b : a;
    if (a == b)
        return NODE_NONE;
    const struct node *n = &f->nodes[other];
    bool own = !n->labelled || n->number == ELF_NO_BLOCK || n->number == block;
    return own && only_successor(f, other) == next ? other : NODE_NONE;
}

/* ---- edges on which mispredictions are ---- */

/* The weight of an edge among those that can take more mispredictions. For a branch it is a half; for a switch p (1 -
 * p), as if targets came in random order. `alone`: no other edge is taken or can take more. */
static double weight_of(const struct walker *w, size_t edge, bool alone)
{
    double own = w->ir->edges[edge].taken, all = w->taken[w->ir->edges[edge].from];
    return w->wrong[edge] >= own ? 0 : alone ? own : own * (all - own);
}

static double sum_weights(const struct walker *w, size_t first, size_t end, bool alone)
{
    double sum = 0;
    for (size_t k = first; k < end; k++)
        sum += weight_of(w, k, alone);
    return sum;
}

/* One iteration: distributes what is left of a block's mispredictions over edges that have fewer mispredictions than
 * executions. Returns what is still left, since some edges could not take their share. */
static double share_wrong(struct walker *w, size_t first, size_t end, double left)
{
    double sum = sum_weights(w, first, end, false), rest = 0;
    bool alone = !(sum > 0);
    if (alone)
        sum = sum_weights(w, first, end, true);
    if (!(sum > 0))
        return 0;
    for (size_t k = first; k < end; k++) {
        double more = left * weight_of(w, k, alone) / sum, room = w->ir->edges[k].taken - w->wrong[k];
        w->wrong[k] += fmin(more, room);
        rest += fmax(more - room, 0);
    }
    return rest;
}

/* The rarer side of a branch cannot be mispredicted more often than it is taken. The other side gets the rest. */
static void find_wrong(struct walker *w)
{
    w->wrong = xcalloc(w->ir->n_edges, sizeof *w->wrong);
    for (size_t first = 0, end; first < w->ir->n_edges; first = end) {
        uint32_t block = w->ir->edges[first].from;
        for (end = first; end < w->ir->n_edges && w->ir->edges[end].from == block; end++)
            ;
        double left = fmax(w->ir->mispredicted[block], 0);
        for (size_t turn = first; turn < end && left > 0; turn++)
            left = share_wrong(w, first, end, left);
    }
}

static void follow(struct walker *w, const struct transition *t)
{
    double flow = flow_of(w, t);
    const struct state *s = &w->states.at[t->from];
    const struct flow_ir *ir = w->ir;
    w->out->all += flow;
    w->out->lost += t->lost ? flow : 0;
    size_t at = s->node;
    double wrong = 0; /* mispredictions of the next branch on the path */
    if (t->edge < ir->n_edges && ir->edges[t->edge].taken > 0)
        wrong = w->wrong[t->edge] * flow / ir->edges[t->edge].taken;
    for (size_t i = 0; i < t->n && flow > 0; i++) {
        size_t to = w->path.at[t->first + i], other = other_side(w->f, at, to, s->block);
        bool branch = w->f->nodes[at].end == NODE_BRANCHES || w->f->nodes[at].end == NODE_SWITCHES;
        if (other != NODE_NONE) {
            /* the share of the rarer path is not known; over all possible values its mean is a quarter */
            go(w->out, at, other, flow / 2, flow / 8, flow / 2);
            go(w->out, other, to, flow / 2, 0, 0);
            go(w->out, at, to, flow / 2, flow / 8, flow / 2);
        } else {
            go(w->out, at, to, flow, branch ? wrong : 0, branch ? wrong : 0);
            wrong = branch ? 0 : wrong;
        }
        at = to;
    }
    w->late[at] += wrong;
}

/* If the machine code has a branch of the IR later than its edges begin, its mispredictions are at the next block's
 * branch. */
static void place_late(struct walker *w, size_t node, double wrong)
{
    struct flow *out = w->out;
    for (size_t steps = 0; steps < w->f->n; steps++) {
        double all = 0, sum = 0;
        struct flow_move *most = 0;
        for (size_t k = out->first[node]; k; k = out->moves.at[k - 1].next)
            all += out->moves.at[k - 1].flow;
        for (size_t k = out->first[node]; k; k = out->moves.at[k - 1].next) {
            struct flow_move *m = &out->moves.at[k - 1];
            sum += m->flow * (all - m->flow);
            most = most && most->flow >= m->flow ? most : m;
        }
        if (!most)
            return;
        if (sum > 0) {
            for (size_t k = out->first[node]; k; k = out->moves.at[k - 1].next) {
                struct flow_move *m = &out->moves.at[k - 1];
                double more = wrong * m->flow * (all - m->flow) / sum;
                m->mispredicted += more;
                m->doubtful += more;
            }
            return;
        }
        node = most->to;
    }
}

/* ---- branches for which no predictor was simulated ---- */

static bool is_simulated(const struct walker *w, const struct node *n)
{
    return n->number < w->ir->n_blocks && w->ir->mispredicted[n->number] >= 0;
}

/* For a branch, the rarer side counts as mispredicted. A jump through a table is predicted to go where it went last, so
 * each change of target is a misprediction. */
static void guess_mispredictions(struct walker *w)
{
    struct flow *out = w->out;
    for (size_t i = 0; i < w->f->n; i++) {
        const struct node *n = &w->f->nodes[i];
        double all = 0, most = 0;
        if ((n->end != NODE_BRANCHES && n->end != NODE_SWITCHES) || is_simulated(w, n))
            continue;
        for (size_t k = out->first[i]; k; k = out->moves.at[k - 1].next) {
            all += out->moves.at[k - 1].flow;
            most = out->moves.at[k - 1].flow > most ? out->moves.at[k - 1].flow : most;
        }
        for (size_t k = out->first[i]; k && all > 0; k = out->moves.at[k - 1].next) {
            struct flow_move *m = &out->moves.at[k - 1];
            double rarer = m->flow < most ? m->flow : 2 * most <= all ? m->flow / 2 : 0;
            m->mispredicted = n->end == NODE_SWITCHES ? m->flow * (1 - m->flow / all) : rarer;
            m->doubtful = m->flow;
        }
    }
}

/* ---- calls: the parts of a block before and after a call may be executed a different number of times ---- */

/* How often a node's code was executed, according to its segment. If a region begins or ends within the segment (a
 * step, which no call marks), the segment that the region contains counts. < 0: it belongs to another block, or to
 * none. */
static double executions_of(const struct walker *w, const struct node *n)
{
    const struct irprof_label_function *l = w->ir->labels;
    double most = -1;
    for (size_t i = 0; i < n->n; i++) {
        const struct irprof_spot *s = n->of[i] && n->of[i] < l->n_spots ? &l->spots[n->of[i]] : 0;
        if (!s || s->segment == IRPROF_NONE)
            continue;
        if (s->block != n->number)
            return -1;
        most = fmax(most, w->ir->executions[s->segment]);
    }
    return most;
}

static void correct_calls(struct walker *w)
{
    for (size_t i = 1; i < w->f->n; i++) {
        const struct node *at = &w->f->nodes[i];
        if (at->labelled || w->f->nodes[i - 1].end != NODE_CALLS || at->number >= w->ir->n_blocks ||
            w->n_states[at->number] != 1)
            continue;
        double executions = executions_of(w, at);
        if (executions < 0)
            continue;
        struct flow_move *m = flow_move(w->out, i - 1, i);
        w->out->nodes[i] += executions - m->flow;
        m->flow = executions;
    }
}

/* ---- everything together ---- */

static void map_code(struct walker *w)
{
    const struct flow_ir *ir = w->ir;
    code_map_init(&w->map, &w->f->graph, ir->n_blocks);
    for (size_t i = 0; i < w->f->n; i++)
        if (w->f->nodes[i].labelled && w->f->nodes[i].number < ir->n_blocks)
            code_map_name(&w->map, i, w->f->nodes[i].number);
    w->taken = xcalloc(ir->n_blocks, sizeof *w->taken);
    w->n_states = xcalloc(ir->n_blocks, sizeof *w->n_states);
    for (size_t i = 0; i < ir->n_edges; i++) {
        code_map_edge(&w->map, ir->edges[i].from, ir->edges[i].to);
        w->taken[ir->edges[i].from] += ir->edges[i].taken;
    }
    code_map_link(&w->map);
    for (uint32_t i = 0; i < ir->n_blocks; i++)
        if (!graph_n_next(&w->map.ir, i))
            w->taken[i] = left_from(w, i);
}

void flow_make(struct flow *out, const struct machine_function *f, const struct flow_ir *ir)
{
    flow_init(out, f);
    struct walker w = {.f = f, .ir = ir, .out = out, .at_node = xcalloc(f->n + 1, sizeof *w.at_node)};
    map_code(&w);
    w.routes = routes_new(f, ir->labels, &w.map);
    find_states(&w);
    double entered = ir->labels->n_segments ? ir->executions[0] : 0;
    if (f->n)
        entered = fmax(entered, executions_of(&w, &f->nodes[0]));
    find_shares(&w, entered);
    find_wrong(&w);
    w.late = xcalloc(f->n + 1, sizeof *w.late);
    if (f->n)
        out->nodes[0] = entered;
    for (size_t i = 0; i < w.transitions.n; i++)
        follow(&w, &w.transitions.at[i]);
    for (size_t i = 0; i < f->n; i++)
        if (w.late[i] > 0)
            place_late(&w, i, w.late[i]);
    correct_calls(&w);
    guess_mispredictions(&w);
    for (size_t i = 0; i < f->n; i++)
        vec_release(&w.at_node[i]);
    routes_free(w.routes);
    vec_release(&w.states);
    vec_release(&w.transitions);
    vec_release(&w.path);
    free(w.at_node);
    code_map_release(&w.map);
    free(w.taken);
    free(w.wrong);
    free(w.late);
    free(w.n_states);
}

void flow_release(struct flow *w)
{
    free(w->nodes);
    free(w->first);
    vec_release(&w->moves);
    *w = (struct flow){0};
}
