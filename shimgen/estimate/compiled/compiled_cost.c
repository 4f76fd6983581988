/* compiled_cost.c - schedules the nodes of a program's machine code, and adds up their cycles. */
#include "shimgen/estimate/compiled/compiled_cost.h"

#include <stdlib.h>
#include <string.h>

#include "base/target.h"
#include "shimgen/estimate/compiled/compiled_walk.h"

/* Limits on the code that is run before a node, so that the pipeline is in the state it has within a program. */
enum { BEFORE_STEPS = 160, BEFORE_NODES = 40 };

static void run_node(struct iss_schedule *s, const struct node *n, uint64_t next)
{
    iss_schedule_run(s, n->steps, n->n, next);
}

/* Runs the nodes that are most often executed before `node`. */
static void run_before(struct coster *c, size_t node)
{
    size_t list[BEFORE_NODES + 1], n = 0, steps = 0;
    for (size_t at = c->g->hottest[node]; at != NODE_NONE && n < BEFORE_NODES && steps < BEFORE_STEPS;
         at = c->g->hottest[at]) {
        list[n++] = at;
        steps += c->g->nodes[at]->n;
    }
    iss_schedule_restart(c->before);
    for (size_t i = n; i-- > 0;)
        run_node(c->before, c->g->nodes[list[i]], c->g->nodes[i ? list[i - 1] : node]->address);
}

/* Finds how much of the latency is waited for if all loads of a node miss, and those of the node before it. */
static void add_waits(struct coster *c, const struct flow_step *e, int64_t plain)
{
    const struct node *n = c->g->nodes[e->to];
    size_t function = c->g->function[e->to];
    double *waits = c->costs[function].waits + (n->steps - c->g->machine->functions[function].code->steps);
    unsigned before = 0, late = 0;
    if (e->from != NODE_NONE)
        cost_missing(c, c->g->nodes[e->from], n->address, &before);
    int64_t start = iss_schedule_cycle(c->missing);
    cost_missing(c, n, 0, &late);
    double share =
        late ? (double)(iss_schedule_cycle(c->missing) - start - plain) / ((double)late * (double)c->latency) : 0;
    for (size_t i = 0; i < n->n && late; i++)
        if (n->steps[i].op.memory == ISS_READ_MEMORY)
            waits[i] += e->flow * (share < 0 ? 0 : share > 1 ? 1 : share);
}

static bool may_fail(const struct flow_step *e)
{
    return e->mispredicted > 0 || e->doubtful > 0;
}

/* The node that follows most often, or NODE_NONE. */
static size_t hottest_after(const struct program_flow *g, size_t node)
{
    const struct flow_step *best = 0;
    for (size_t i = g->out[node]; i; i = g->next[i - 1])
        best = best && best->flow >= g->edges.at[i - 1].flow ? best : &g->edges.at[i - 1];
    return best ? best->to : NODE_NONE;
}

/* The cost of mispredicting the branch of e->from, in its node and in later ones: a misprediction also empties the
 * queue of fetched instructions, which hides the bubbles of taken branches. */
static double misprediction(struct coster *c, const struct flow_step *e)
{
    enum { AFTER_STEPS = 48, AFTER_NODES = 24 };
    const struct program_flow *g = c->g;
    iss_schedule_copy(c->right, c->before);
    iss_schedule_copy(c->wrong, c->before);
    iss_schedule_mispredict(c->wrong);
    size_t node = e->from, next = e->to, steps = 0;
    for (size_t i = 0; i < AFTER_NODES && steps < AFTER_STEPS && node != NODE_NONE; i++) {
        uint64_t address = next == NODE_NONE ? 0 : g->nodes[next]->address;
        run_node(c->right, g->nodes[node], address);
        run_node(c->wrong, g->nodes[node], address);
        steps += i ? g->nodes[node]->n : 0;
        node = next;
        next = node == NODE_NONE ? NODE_NONE : hottest_after(g, node);
    }
    return (double)(iss_schedule_cycle(c->wrong) - iss_schedule_cycle(c->right));
}

/* Adds one node, instruction by instruction, after the code that c->now has already run. */
static int64_t add_node(struct coster *c, const struct flow_step *e)
{
    const struct node *n = c->g->nodes[e->to];
    size_t function = c->g->function[e->to];
    const struct step_costs *to = &c->costs[function];
    size_t first = (size_t)(n->steps - c->g->machine->functions[function].code->steps);
    int64_t last = iss_schedule_cycle(c->now), start = last;
    for (size_t i = 0; i < n->n; i++) {
        uint64_t next = i + 1 < n->n ? n->steps[i + 1].address : 0;
        int64_t waits[ISS_WAITS] = {0};
        iss_schedule_explain(c->now, waits);
        iss_schedule_run(c->now, &n->steps[i], 1, next);
        iss_schedule_explain(c->now, 0);
        int64_t at = iss_schedule_cycle(c->now);
        to->cycles[first + i] += e->flow * (double)(at - last);
        for (int k = 0; k < ISS_WAITS; k++)
            to->spent[first + i][k] += e->flow * (double)waits[k];
        last = at;
        cost_access(c, to, first + i, &n->steps[i], e->flow);
    }
    if (may_fail(e) && n->n && e->from != NODE_NONE) {
        double each = misprediction(c, e);
        to->mispredicted[first] += e->mispredicted * each;
        to->doubtful[first] += e->doubtful * each;
    }
    return last - start;
}

static void add_edges_from(struct coster *c, size_t from)
{
    const struct program_flow *g = c->g;
    if (!g->out[from == NODE_NONE ? g->n : from])
        return;
    if (from != NODE_NONE)
        run_before(c, from);
    else
        iss_schedule_restart(c->before);
    for (size_t i = g->out[from == NODE_NONE ? g->n : from]; i; i = g->next[i - 1]) {
        const struct flow_step *e = &g->edges.at[i - 1];
        iss_schedule_copy(c->now, c->before);
        if (from != NODE_NONE)
            run_node(c->now, g->nodes[from], g->nodes[e->to]->address);
        iss_schedule_copy(c->missing, c->before);
        add_waits(c, e, add_node(c, e));
    }
}

static void cost_in_order(struct coster *c)
{
    for (size_t i = 0; i < c->g->n; i++)
        add_edges_from(c, i);
    add_edges_from(c, NODE_NONE);
}

void cost_program(struct step_costs *costs, const struct machine *machine, const struct flow *flows,
                  const struct iss_model *model, enum iss_quotient quotient)
{
    struct program_flow g;
    program_flow_make(&g, machine, flows);
    struct coster c = {.g = &g, .costs = costs, .line = model->l1d.geometry.line};
    void (*const cost)(struct coster *) = model->window.reorder ? cost_walk : cost_in_order;
    c.stack = target_find(model->architecture)->stack_pointer;
    c.before = iss_schedule_new(model);
    c.now = iss_schedule_new(model);
    c.right = iss_schedule_new(model);
    c.wrong = iss_schedule_new(model);
    c.missing = iss_schedule_new(model);
    iss_schedule_quotients(c.before, quotient); /* the others are copied from it */
    c.latency = model->l2.latency + model->memory_latency;
    for (size_t i = 0; i < machine->n; i++) {
        size_t n = machine->functions[i].code ? machine->functions[i].code->n : 0;
        step_costs_init(&costs[i], n);
    }
    cost(&c);
    iss_schedule_free(c.before);
    iss_schedule_free(c.now);
    iss_schedule_free(c.right);
    iss_schedule_free(c.wrong);
    iss_schedule_free(c.missing);
    program_flow_release(&g);
}
