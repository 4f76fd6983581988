/*
 * Increments, where the counted edges are.
 *
 * In loops that are sure to end and call nothing that may not return, a counter is a
 * local variable (ACCUMULATOR): zero at the way in, added to the counter at every way out.
 * place_finish lets LLVM make registers of these (mem2reg). What happens once per iteration of a counted loop
 * is added where the loop is entered.
 */
#include <stdlib.h>

#include "irprof/count/flow.h"
#include "irprof/module/edge_split.h"
#include "irprof/module/llvm.h"

/* Largest numbers of accumulators that a nest of loops, and a single loop, may keep in registers. Beyond the first,
 * inner loops keep their own; beyond the second, a loop counts in memory. */
enum { IN_NEST = 8, IN_LOOP = 16 };

struct accumulator {
    size_t counter;
    LLVMValueRef slot; /* an alloca */
};
/* A loop and what it accumulates. */
struct loop_work {
    size_t n_direct, n_total; /* counters in the loop without and with its inner loops */
    size_t home;              /* the loop that accumulates for the counters directly in it, or CFG_NONE */
    bool for_all;             /* it accumulates for its inner loops too */
    VEC(struct accumulator) accumulators;
};
struct work {
    struct flow *flow;
    const struct plan_function *f;
    const struct place_target *target;
    LLVMBuilderRef b;
    LLVMTypeRef word;
    LLVMValueRef *places; /* of each edge: the instruction before which its code goes; NULL: not known yet */
    struct loop_work *loops;
};

/* ---- places ---- */

/* Numbers of iterations are computed from phis. */
static void phi_moved(void *data, LLVMValueRef old, LLVMValueRef fresh)
{
    const struct flow *flow = data;
    for (size_t i = 0; i < flow->cfg.graph.loops.n; i++) {
        struct trip *t = &flow->loops[i].trip;
        t->start = t->start == old ? fresh : t->start;
        t->bound = t->bound == old ? fresh : t->bound;
    }
}

/* Puts a block on edge `e` and returns its terminator. All cases of a switch that lead to one block are one edge. */
static LLVMValueRef split(struct work *w, const struct flow_edge *e)
{
    LLVMValueRef terminator = w->flow->cfg.blocks[e->from_block].terminator;
    bool together = LLVMGetInstructionOpcode(terminator) == LLVMSwitch;
    return edge_split(w->b, terminator, e->successor, together, phi_moved, w->flow);
}

/* Nothing may stand between a musttail call and its ret. */
static LLVMValueRef before_leaving(LLVMValueRef terminator)
{
    for (LLVMValueRef i = LLVMGetPreviousInstruction(terminator); i; i = LLVMGetPreviousInstruction(i)) {
        if (LLVMIsACallInst(i))
            return llvm_is_musttail(i) ? i : terminator;
        if (!LLVMIsABitCastInst(i))
            break;
    }
    return terminator;
}

static LLVMValueRef find_place(struct work *w, const struct flow_edge *e)
{
    const struct flow *flow = w->flow;
    if (e->kind == FLOW_ENTER || e->kind == FLOW_AFTER)
        return w->f->segments.at[e->segment].at;
    LLVMValueRef terminator = flow->cfg.blocks[e->from_block].terminator;
    if (e->kind == FLOW_LEAVE)
        return before_leaving(terminator);
    if (flow->jumps_in[e->to_block] == 1 && !flow->exceptional[e->to_block])
        return w->f->segments.at[flow->first[e->to_block] - 1].at;
    if (LLVMGetNumSuccessors(terminator) == 1)
        return terminator;
    return split(w, e);
}

static LLVMValueRef place_of(struct work *w, size_t edge)
{
    if (!w->places[edge])
        w->places[edge] = find_place(w, &w->flow->edges.at[edge]);
    return w->places[edge];
}

/* ---- which loop accumulates what ---- */

/* Where a counter is incremented: on its own edge, or on the edge into the loop whose iterations it counts. */
static size_t place_edge(const struct flow *flow, size_t edge)
{
    const struct flow_edge *e = &flow->edges.at[edge];
    return flow_is_trip(flow, e) ? flow->loops[e->loop].entering : edge;
}

static void assign_homes(struct work *w)
{
    const struct flow *flow = w->flow;
    const struct cfg *g = &flow->cfg;
    for (size_t i = 0; i < flow->edges.n; i++) {
        size_t loop = flow->edges.at[place_edge(flow, i)].loop;
        if (flow->edges.at[i].counter != CFG_NONE && loop != CFG_NONE)
            w->loops[loop].n_direct++;
    }
    for (size_t i = g->graph.loops.n; i-- > 0;) {
        w->loops[i].n_total += w->loops[i].n_direct;
        if (g->graph.loops.at[i].parent != CFG_NONE)
            w->loops[g->graph.loops.at[i].parent].n_total += w->loops[i].n_total;
    }
    for (size_t i = 0; i < g->graph.loops.n; i++) {
        struct loop_work *l = &w->loops[i];
        const struct loop_work *p =
            g->graph.loops.at[i].parent == CFG_NONE ? 0 : &w->loops[g->graph.loops.at[i].parent];
        l->home = CFG_NONE;
        if (p && p->for_all) {
            l->home = p->home;
            l->for_all = true;
        } else if (flow->loops[i].promotable && !flow->in_memory) {
            l->for_all = l->n_total <= IN_NEST;
            l->home = l->for_all || l->n_direct <= IN_LOOP ? i : CFG_NONE;
        }
    }
}

static LLVMValueRef accumulator_for(struct work *w, size_t loop, size_t counter)
{
    struct loop_work *l = &w->loops[loop];
    for (size_t i = 0; i < l->accumulators.n; i++)
        if (l->accumulators.at[i].counter == counter)
            return l->accumulators.at[i].slot;
    LLVMPositionBuilderBefore(w->b, w->flow->cfg.blocks[0].terminator);
    LLVMValueRef slot = LLVMBuildAlloca(w->b, w->word, "");
    vec_push(&l->accumulators, (struct accumulator){counter, slot});
    return slot;
}

/* ---- increments ---- */

static void add_to_variable(struct work *w, LLVMValueRef address, LLVMValueRef amount)
{
    LLVMValueRef old = LLVMBuildLoad2(w->b, w->word, address, "");
    LLVMBuildStore(w->b, LLVMBuildAdd(w->b, old, amount, ""), address);
}

static void count_edge(struct work *w, size_t edge)
{
    const struct flow *flow = w->flow;
    const struct flow_edge *e = &flow->edges.at[edge];
    size_t where = place_edge(flow, edge);
    size_t loop = flow->edges.at[where].loop, home = loop == CFG_NONE ? CFG_NONE : w->loops[loop].home;
    LLVMValueRef place = place_of(w, where);
    LLVMValueRef slot = home == CFG_NONE ? 0 : accumulator_for(w, home, e->counter);
    LLVMPositionBuilderBefore(w->b, place);
    LLVMValueRef amount =
        where == edge ? LLVMConstInt(w->word, 1, 0) : trip_build(&flow->loops[e->loop].trip, w->b, w->target->module);
    if (slot)
        add_to_variable(w, slot, amount);
    else
        place_add(w->target, w->b, e->counter, amount);
}

static void empty(struct work *w, const struct loop_work *l, LLVMValueRef place)
{
    for (size_t i = 0; i < l->accumulators.n; i++) {
        LLVMPositionBuilderBefore(w->b, place);
        LLVMBuildStore(w->b, LLVMConstNull(w->word), l->accumulators.at[i].slot);
    }
}

static void flush(struct work *w, const struct loop_work *l, LLVMValueRef place)
{
    for (size_t i = 0; i < l->accumulators.n; i++) {
        LLVMPositionBuilderBefore(w->b, place);
        LLVMValueRef sum = LLVMBuildLoad2(w->b, w->word, l->accumulators.at[i].slot, "");
        place_add(w->target, w->b, l->accumulators.at[i].counter, sum);
    }
}

/* The edges into and out of loops that accumulate. */
static void frame_loops(struct work *w, size_t edge)
{
    const struct cfg *g = &w->flow->cfg;
    const struct flow_edge *e = &w->flow->edges.at[edge];
    for (size_t l = g->graph.loop[e->from_block]; l != e->loop; l = g->graph.loops.at[l].parent)
        if (w->loops[l].accumulators.n)
            flush(w, &w->loops[l], place_of(w, edge));
    for (size_t l = g->graph.loop[e->to_block]; l != e->loop; l = g->graph.loops.at[l].parent)
        if (w->loops[l].accumulators.n)
            empty(w, &w->loops[l], g->blocks[e->from_block].terminator);
}

void insert_counters(struct flow *flow, const struct plan_function *f, const struct place_target *target)
{
    LLVMContextRef context = LLVMGetModuleContext(target->module);
    struct work w = {.flow = flow,
                     .f = f,
                     .target = target,
                     .b = LLVMCreateBuilderInContext(context),
                     .word = LLVMInt64TypeInContext(context),
                     .places = xcalloc(flow->edges.n, sizeof *w.places),
                     .loops = xcalloc(flow->cfg.graph.loops.n, sizeof *w.loops)};
    assign_homes(&w);
    for (size_t i = 0; flow->node_counters && i < f->segments.n; i++) {
        LLVMPositionBuilderBefore(w.b, f->segments.at[i].at);
        place_add(w.target, w.b, flow->node_counters[i + 1], LLVMConstInt(w.word, 1, 0));
    }
    for (size_t i = 0; i < flow->edges.n; i++)
        if (flow->edges.at[i].counter != CFG_NONE)
            count_edge(&w, i);
    for (size_t i = 0; i < flow->edges.n; i++)
        if (flow->edges.at[i].kind == FLOW_JUMP)
            frame_loops(&w, i);
    for (size_t i = 0; i < flow->cfg.graph.loops.n; i++)
        vec_release(&w.loops[i].accumulators);
    free(w.places);
    free(w.loops);
    LLVMDisposeBuilder(w.b);
}
