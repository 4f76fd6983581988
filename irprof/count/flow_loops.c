/*
 * Which loops are sure to end, and what it costs to count an edge.
 *
 * A loop ends if it counts (trips.c), or if the language says so: C11 6.8.5 p6 lets the
 * compiler assume that a loop whose controlling expression is no constant ends if it
 * does nothing that can be seen from outside; clang marks such loops
 * llvm.loop.mustprogress (C++: the function mustprogress).
 *
 * Costs are guesses of how often an edge is taken: a loop iterates ten times, both
 * ways of a branch are as likely unless the compiler knows better (branch weights) or
 * one of them ends the program.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "irprof/count/flow.h"
#include "irprof/module/llvm.h"

static const double iterations = 10;  /* of a loop of unknown trip count */
static const double unlikely = 1e-3;  /* probability of a branch to a block that ends the program */
static const double in_register = .2; /* cost of a counter in a register */

/* ---- loops ---- */

static bool must_progress(const struct cfg *g, const struct graph_loop *l, LLVMValueRef function)
{
    if (llvm_function_has(function, "mustprogress"))
        return true;
    for (size_t i = 0; i < l->latches.n; i++)
        if (!llvm_loop_must_progress(g->blocks[l->latches.at[i]].terminator))
            return false;
    return true;
}

/* Has the block no effect that others can see? Then the assumption of progress means that the loop ends. */
static bool quiet(LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        switch (LLVMGetInstructionOpcode(i)) {
        case LLVMLoad:
        case LLVMStore:
            if (LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
                return false;
            break;
        case LLVMFence:
        case LLVMAtomicRMW:
        case LLVMAtomicCmpXchg:
        case LLVMInvoke:
        case LLVMCallBr:
            return false;
        case LLVMCall:
            if (!llvm_call_is_quiet(i))
                return false;
            break;
        default:
            break;
        }
    }
    return true;
}

static bool sure_to_end(const struct cfg *g, size_t number, const struct trip *trip, LLVMValueRef function)
{
    const struct graph_loop *l = &g->graph.loops.at[number];
    for (size_t i = 0; i < l->nodes.n; i++)
        if (g->graph.irreducible[l->nodes.at[i]])
            return false;
    if (trip->ends)
        return true;
    if (!must_progress(g, l, function))
        return false;
    for (size_t i = 0; i < l->nodes.n; i++)
        if (!quiet(g->blocks[l->nodes.at[i]].block))
            return false;
    return true;
}

/* Has the loop one segment per block, and ordinary jumps only? */
static bool does_not_leak(const struct flow *flow, const struct graph_loop *l)
{
    for (size_t i = 0; i < l->nodes.n; i++) {
        size_t b = l->nodes.at[i];
        LLVMOpcode end = LLVMGetInstructionOpcode(flow->cfg.blocks[b].terminator);
        if (flow->first[b] != flow->last[b] || flow->exceptional[b] || (end != LLVMBr && end != LLVMSwitch))
            return false;
    }
    return true;
}

bool *flow_judge_loops(struct flow *flow, const struct plan_function *f)
{
    const struct cfg *g = &flow->cfg;
    bool *endless = xcalloc(g->graph.n, sizeof *endless);
    /* without optimisation no counter becomes a register */
    bool optimised = !llvm_function_has(f->function, "optnone");
    flow->loops = xcalloc(g->graph.loops.n, sizeof *flow->loops);
    for (size_t i = g->graph.loops.n; i-- > 0;) { /* inner loops first */
        struct flow_loop *l = &flow->loops[i];
        l->entering = CFG_NONE;
        l->trip = trip_find(g, i);
        l->finite = sure_to_end(g, i, &l->trip, f->function);
        l->promotable = l->finite && optimised && does_not_leak(flow, &g->graph.loops.at[i]);
    }
    for (size_t i = g->graph.loops.n; i-- > 0;)
        if (!flow->loops[i].finite)
            for (size_t p = g->graph.loops.at[i].parent; p != CFG_NONE; p = g->graph.loops.at[p].parent)
                flow->loops[p].promotable = false;
    for (size_t i = 0; i < g->graph.n; i++)
        endless[i] = g->graph.irreducible[i];
    for (size_t i = 0; i < g->graph.loops.n; i++)
        if (!flow->loops[i].finite)
            endless[g->graph.loops.at[i].header] = true;
    return endless;
}

/* ---- costs ---- */

static bool goes_on(const struct cfg *g, size_t block)
{
    return LLVMGetInstructionOpcode(g->blocks[block].terminator) != LLVMUnreachable;
}

static bool leaves_loop(const struct flow *flow, const struct flow_edge *e)
{
    return e->loop != flow->cfg.graph.loop[e->from_block];
}

/* The jumps out of each block and their likelihoods. Each terminator is visited once, since a switch may have tens of
 * thousands of cases. */
struct odds {
    double *likelihood; /* of each edge that is a jump; not normalised */
    double *sum;        /* of each block: the sum over its jumps */
    size_t *first;      /* of each block: its first jump, or CFG_NONE. Its other jumps follow */
};

static bool is_jump_from(const struct flow *flow, size_t edge, size_t block)
{
    return edge < flow->edges.n && flow->edges.at[edge].kind == FLOW_JUMP && flow->edges.at[edge].from_block == block;
}

static double likelihood_of(const struct flow *flow, const struct flow_edge *e, const double *weights)
{
    if (weights)
        return weights[e->successor] + unlikely;
    if (!goes_on(&flow->cfg, e->to_block))
        return unlikely;
    return leaves_loop(flow, e) ? 1 / (iterations - 1) : 1;
}

static struct odds odds_make(const struct flow *flow)
{
    size_t n = flow->cfg.graph.n;
    struct odds o = {xcalloc(flow->edges.n, sizeof *o.likelihood), xcalloc(n, sizeof *o.sum),
                     xcalloc(n, sizeof *o.first)};
    for (size_t b = 0; b < n; b++)
        o.first[b] = CFG_NONE;
    for (size_t i = flow->edges.n; i-- > 0;)
        if (flow->edges.at[i].kind == FLOW_JUMP)
            o.first[flow->edges.at[i].from_block] = i;
    for (size_t b = 0; b < n; b++) {
        double *weights = o.first[b] == CFG_NONE ? 0 : llvm_branch_weights(flow->cfg.blocks[b].terminator);
        for (size_t i = o.first[b]; is_jump_from(flow, i, b); i++)
            o.sum[b] += o.likelihood[i] = likelihood_of(flow, &flow->edges.at[i], weights);
        free(weights);
    }
    return o;
}

static void odds_release(struct odds *o)
{
    free(o->likelihood);
    free(o->sum);
    free(o->first);
}

static void set_loops(struct flow *flow)
{
    const struct cfg *g = &flow->cfg;
    for (size_t i = 0; i < flow->edges.n; i++) {
        struct flow_edge *e = &flow->edges.at[i];
        e->loop = CFG_NONE;
        if (e->kind == FLOW_JUMP || e->kind == FLOW_AFTER)
            e->loop = graph_common_loop(&g->graph, e->from_block, e->to_block);
        if (e->kind != FLOW_JUMP)
            continue;
        size_t into = g->graph.loop[e->to_block];
        if (into != CFG_NONE && g->graph.loops.at[into].header == e->to_block && e->loop != into) {
            struct flow_loop *l = &flow->loops[into];
            l->entering = l->entering == CFG_NONE && !flow->exceptional[e->to_block] ? i : CFG_NONE - 1;
        }
    }
    for (size_t i = 0; i < g->graph.loops.n; i++)
        if (flow->loops[i].entering == CFG_NONE - 1)
            flow->loops[i].entering = CFG_NONE;
}

/* Expected executions of each block per call: one forward pass, in which loops multiply. The caller frees. */
static double *block_frequencies(const struct flow *flow, const struct odds *o)
{
    const struct cfg *g = &flow->cfg;
    double *frequency = xcalloc(g->graph.n, sizeof *frequency);
    frequency[0] = 1;
    for (size_t i = 0; i < g->graph.n_order; i++) {
        size_t b = g->graph.order[i];
        if (graph_is_header(&g->graph, b))
            frequency[b] *= iterations;
        if (flow->exceptional[b])
            frequency[b] += unlikely;
        for (size_t k = o->first[b]; is_jump_from(flow, k, b); k++) {
            size_t to = flow->edges.at[k].to_block;
            if (g->graph.place[to] > i)
                frequency[to] += frequency[b] * o->likelihood[k] / o->sum[b];
        }
    }
    return frequency;
}

/* The counter of a counted loop is increased once, where the loop is entered. */
bool flow_is_trip(const struct flow *flow, const struct flow_edge *e)
{
    if (e->kind != FLOW_JUMP || e->loop == CFG_NONE)
        return false;
    const struct flow_loop *l = &flow->loops[e->loop];
    return l->trip.computable && l->promotable && l->entering != CFG_NONE &&
           flow->cfg.graph.loops.at[e->loop].header == e->to_block;
}

static double cost_of(const struct flow *flow, const struct flow_edge *e, double frequency)
{
    if (flow_is_trip(flow, e))
        return frequency / iterations;
    bool needs_block = e->kind == FLOW_JUMP && flow->jumps_in[e->to_block] > 1 && flow->jumps_out[e->from_block] > 1;
    double cost = e->loop != CFG_NONE && flow->loops[e->loop].promotable ? frequency * in_register : frequency;
    return needs_block ? cost * 1.25 : cost;
}

void flow_weigh(struct flow *flow)
{
    set_loops(flow);
    struct odds o = odds_make(flow);
    double *frequency = block_frequencies(flow, &o);
    for (size_t i = 0; i < flow->edges.n; i++) {
        struct flow_edge *e = &flow->edges.at[i];
        double f = frequency[e->kind == FLOW_ENTER ? e->to_block : e->from_block];
        if (e->kind == FLOW_JUMP)
            f *= o.likelihood[i] / o.sum[e->from_block];
        e->cost = e->kind == FLOW_LEAK ? (double)INFINITY : cost_of(flow, e, f);
    }
    odds_release(&o);
    free(frequency);
}
