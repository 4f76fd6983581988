/* compiled_paths.c - joins the nodes of all functions of a program in one graph, through calls and returns. */
#include "shimgen/estimate/compiled/compiled_paths.h"

#include <stdlib.h>

static void add_edge(struct program_flow *g, size_t from, size_t to, double flow, double mispredicted, double doubtful)
{
    if (flow <= 0)
        return;
    vec_push(&g->edges, (struct flow_step){from, to, flow, mispredicted, doubtful});
    if (from != NODE_NONE && flow > g->hot[to]) {
        g->hot[to] = flow;
        g->hottest[to] = from;
    }
}

/* How often a function is left at a node. */
static double leaves(const struct flow *w, const struct node *n, size_t node)
{
    double times = node_leaves(n) ? w->nodes[node] : 0;
    for (size_t i = n->conditional ? w->first[node] : 0; i; i = w->moves.at[i - 1].next)
        times -= w->moves.at[i - 1].flow;
    return times;
}

/* The node at which a function is left most often. */
static size_t route_out(const struct program_flow *g, size_t function, unsigned depth)
{
    const struct machine_function *f = &g->machine->functions[function];
    size_t best = NODE_NONE;
    double most = 0;
    for (size_t i = 0; i < f->n; i++) {
        double times = leaves(&g->flows[function], &f->nodes[i], i);
        if (times > most) {
            most = times;
            best = i;
        }
    }
    if (best == NODE_NONE || f->nodes[best].end == NODE_LEAVES || depth > 4)
        return best == NODE_NONE ? NODE_NONE : g->base[function] + best;
    size_t callee = machine_function_at(g->machine, f->nodes[best].callee);
    return callee == NODE_NONE ? NODE_NONE : route_out(g, callee, depth + 1);
}

static void add_moves(struct program_flow *g, size_t function)
{
    const struct machine_function *f = &g->machine->functions[function];
    const struct flow *w = &g->flows[function];
    for (size_t i = 0; i < w->moves.n; i++) {
        const struct flow_move *m = &w->moves.at[i];
        size_t from = g->base[function] + m->from;
        if (f->nodes[m->from].end == NODE_CALLS) {
            size_t callee = machine_function_at(g->machine, f->nodes[m->from].callee);
            size_t out = callee == NODE_NONE ? NODE_NONE : route_out(g, callee, 0);
            from = out == NODE_NONE ? from : out;
        }
        add_edge(g, from, g->base[function] + m->to, m->flow, m->mispredicted, m->doubtful);
    }
}

/* Calls of functions by name, and through registers. */
struct calls {
    double *named;    /* [machine->n] calls of each function by name */
    double *others;   /* [machine->n] entries that are not explained by those */
    double all;       /* sum of `others` */
    double targets;   /* effective number of such functions: 1 / sum of squared shares */
    double registers; /* calls through registers */
    size_t n;         /* number of nodes with such calls */
};

static double times(const struct program_flow *g, size_t node)
{
    size_t function = g->function[node];
    return g->flows[function].nodes[node - g->base[function]];
}

static bool calls_by_register(const struct node *n)
{
    return node_calls(n) && !n->callee;
}

static void count_calls(const struct program_flow *g, struct calls *c)
{
    *c = (struct calls){.named = xcalloc(g->machine->n, sizeof(double)),
                        .others = xcalloc(g->machine->n, sizeof(double))};
    for (size_t i = 0; i < g->n; i++) {
        const struct node *n = g->nodes[i];
        size_t to = node_calls(n) ? machine_function_at(g->machine, n->callee) : NODE_NONE;
        if (to != NODE_NONE)
            c->named[to] += times(g, i);
        else if (calls_by_register(n) && times(g, i) > 0) {
            c->registers += times(g, i);
            c->n++;
        }
    }
    double squares = 0;
    for (size_t i = 0; i < g->machine->n; i++) {
        double rest = g->machine->functions[i].n ? g->flows[i].nodes[0] - c->named[i] : 0;
        c->others[i] = rest > 0 ? rest : 0;
        c->all += c->others[i];
        squares += c->others[i] * c->others[i];
    }
    c->targets = squares > 0 ? c->all * c->all / squares : 0;
}

/* A call through a register enters the functions whose entries are not explained otherwise, in proportion. It was
 * predicted to go where it went last: with many targets the target changes all the time, with few it was decided
 * once. */
static void add_register_calls(struct program_flow *g, const struct calls *c, size_t node)
{
    enum { MANY = 4 };
    double share = times(g, node) / c->registers;
    for (size_t i = 0; i < g->machine->n; i++) {
        double flow = c->others[i] * share, changes = c->targets >= MANY ? 1 - c->others[i] / c->all : 0;
        add_edge(g, node, g->base[i], flow, flow * changes, flow);
    }
}

static void add_entries(struct program_flow *g)
{
    enum { PAIRS = 1 << 16 };
    struct calls c;
    count_calls(g, &c);
    bool spread = c.registers > 0 && c.n * g->machine->n < PAIRS;
    for (size_t i = 0; i < g->n; i++) {
        const struct node *n = g->nodes[i];
        size_t to = node_calls(n) ? machine_function_at(g->machine, n->callee) : NODE_NONE;
        double entered = to != NODE_NONE ? g->flows[to].nodes[0] : 0;
        if (to != NODE_NONE && c.named[to] > 0)
            add_edge(g, i, g->base[to], times(g, i) * (c.named[to] > entered ? entered / c.named[to] : 1), 0, 0);
        else if (spread && calls_by_register(n))
            add_register_calls(g, &c, i);
    }
    for (size_t i = 0; i < g->machine->n && !spread; i++)
        if (g->machine->functions[i].n)
            add_edge(g, NODE_NONE, g->base[i], c.others[i], 0, 0);
    free(c.named);
    free(c.others);
}

void program_flow_make(struct program_flow *g, const struct machine *machine, const struct flow *flows)
{
    *g = (struct program_flow){.machine = machine, .flows = flows, .base = xcalloc(machine->n + 1, sizeof *g->base)};
    for (size_t i = 0; i < machine->n; i++)
        g->base[i + 1] = g->base[i] + machine->functions[i].n;
    g->n = g->base[machine->n];
    g->nodes = xcalloc(g->n, sizeof *g->nodes);
    g->function = xcalloc(g->n, sizeof *g->function);
    g->hottest = xcalloc(g->n, sizeof *g->hottest);
    g->hot = xcalloc(g->n, sizeof *g->hot);
    g->out = xcalloc(g->n + 1, sizeof *g->out);
    for (size_t i = 0; i < machine->n; i++)
        for (size_t k = 0; k < machine->functions[i].n; k++) {
            g->nodes[g->base[i] + k] = &machine->functions[i].nodes[k];
            g->function[g->base[i] + k] = i;
        }
    for (size_t i = 0; i < g->n; i++)
        g->hottest[i] = NODE_NONE;
    for (size_t i = 0; i < machine->n; i++)
        add_moves(g, i);
    add_entries(g);
    g->next = xcalloc(g->edges.n, sizeof *g->next);
    for (size_t i = 0; i < g->edges.n; i++) {
        size_t from = g->edges.at[i].from == NODE_NONE ? g->n : g->edges.at[i].from;
        g->next[i] = g->out[from];
        g->out[from] = i + 1;
    }
}

void program_flow_release(struct program_flow *g)
{
    free(g->base);
    free(g->nodes);
    free(g->function);
    free(g->hottest);
    free(g->hot);
    free(g->next);
    free(g->out);
    vec_release(&g->edges);
}

/* ---- costs ---- */

void step_costs_init(struct step_costs *c, size_t n)
{
    *c = (struct step_costs){xcalloc(n, sizeof(double)),  xcalloc(n, sizeof(double)), xcalloc(n, sizeof(double)),
                             xcalloc(n, sizeof(double)),  xcalloc(n, sizeof(double)), xcalloc(n, sizeof(double)),
                             xcalloc(n, sizeof *c->spent)};
}

void step_costs_release(struct step_costs *c)
{
    free(c->cycles);
    free(c->mispredicted);
    free(c->doubtful);
    free(c->near);
    free(c->far);
    free(c->waits);
    free(c->spent);
}

static bool is_on_stack(const struct coster *c, const struct iss_op *op)
{
    unsigned n = 0;
    bool stack = false;
    for (unsigned i = 0; i < op->n_sources; i++)
        if (op->source[i].need == ISS_NEED_ADDRESS) {
            stack = op->source[i].reg == c->stack;
            n++;
        }
    return n == 1 && stack;
}

void cost_access(struct coster *c, const struct step_costs *to, size_t at, const struct iss_step *step, double flow)
{
    int64_t stride;
    if (!step->op.memory || is_on_stack(c, &step->op))
        return;
    if (!iss_schedule_stride(c->now, step, &stride)) {
        to->far[at] += flow;
        return;
    }
    stride = stride < 0 ? -stride : stride;
    double share = (double)stride / (double)c->line;
    if (share <= 1)
        to->near[at] += flow * share;
    else
        to->far[at] += flow;
}

void cost_missing(struct coster *c, const struct node *node, uint64_t next, unsigned *n)
{
    for (size_t i = 0; i < node->n; i++) {
        const struct iss_step *step = &node->steps[i];
        int64_t stride;
        bool load = step->op.memory == ISS_READ_MEMORY && !is_on_stack(c, &step->op);
        if (load && (!iss_schedule_stride(c->missing, step, &stride) || stride > c->line || stride < -c->line)) {
            iss_schedule_delay(c->missing, c->latency);
            ++*n;
        }
        iss_schedule_run(c->missing, step, 1, i + 1 < node->n ? node->steps[i + 1].address : next);
    }
}
