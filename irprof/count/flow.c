/* flow.c - models a function as a flow network, so that only some edges need a counter. */
#include "irprof/count/flow.h"

#include <stdlib.h>

#include "irprof/module/llvm.h"

static bool starts_with_pad(LLVMBasicBlockRef block)
{
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    while (i && LLVMIsAPHINode(i))
        i = LLVMGetNextInstruction(i);
    return i && (LLVMIsALandingPadInst(i) || LLVMIsACatchPadInst(i) || LLVMIsACleanupPadInst(i));
}

/* Number of the terminator's ordinary successors, which come first; the others are exceptional. */
static unsigned ordinary_successors(LLVMValueRef terminator)
{
    switch (LLVMGetInstructionOpcode(terminator)) {
    case LLVMBr:
    case LLVMSwitch:
        return LLVMGetNumSuccessors(terminator);
    case LLVMInvoke:
    case LLVMCallBr:
        return 1;
    default:
        return 0;
    }
}

static void mark_exceptional(struct flow *flow)
{
    const struct cfg *g = &flow->cfg;
    for (size_t i = 0; i < g->graph.n; i++) {
        LLVMValueRef t = g->blocks[i].terminator;
        unsigned n = LLVMGetNumSuccessors(t);
        for (unsigned k = ordinary_successors(t); k < n; k++)
            flow->exceptional[cfg_number(g, LLVMGetSuccessor(t, k))] = true;
        if (starts_with_pad(g->blocks[i].block))
            flow->exceptional[i] = true;
    }
}

static void add_enter(struct flow *flow, size_t block)
{
    size_t node = flow->first[block];
    vec_push(&flow->edges,
             (struct flow_edge){
                 .kind = FLOW_ENTER, .to = node, .segment = node - 1, .from_block = CFG_NONE, .to_block = block});
}

static void add_jump(struct flow *flow, size_t from, size_t to, unsigned successor, unsigned kind)
{
    flow->jumps_in[to]++;
    flow->jumps_out[from]++;
    vec_push(&flow->edges, (struct flow_edge){.kind = FLOW_JUMP,
                                              .from = flow->last[from],
                                              .to = flow->exceptional[to] ? 0 : flow->first[to],
                                              .from_block = from,
                                              .to_block = to,
                                              .successor = successor,
                                              .plan_kind = kind});
}

/* All cases that lead to one block are one edge, and the default too if it leads there. */
static void add_switch(struct flow *flow, size_t from, LLVMValueRef terminator, size_t *seen)
{
    unsigned n = LLVMGetNumSuccessors(terminator);
    for (unsigned k = 0; k < n; k++) {
        size_t to = cfg_number(&flow->cfg, LLVMGetSuccessor(terminator, k));
        if (seen[to] == from + 1)
            continue;
        seen[to] = from + 1;
        add_jump(flow, from, to, k, k ? IRPROF_EDGE_CASE : IRPROF_EDGE_DEFAULT);
    }
}

static void add_jumps(struct flow *flow, size_t from, size_t *seen)
{
    LLVMValueRef t = flow->cfg.blocks[from].terminator;
    if (LLVMGetInstructionOpcode(t) == LLVMSwitch) {
        add_switch(flow, from, t, seen);
        return;
    }
    unsigned n = ordinary_successors(t);
    for (unsigned k = 0; k < n; k++)
        add_jump(flow, from, cfg_number(&flow->cfg, LLVMGetSuccessor(t, k)), k,
                 n == 2 ? IRPROF_EDGE_TRUE + k : IRPROF_EDGE_JUMP);
}

/* May the terminator itself leave the function, to return elsewhere or never? */
static bool may_leave_unseen(LLVMValueRef terminator)
{
    return ordinary_successors(terminator) != LLVMGetNumSuccessors(terminator);
}

static bool leaves(LLVMValueRef terminator)
{
    return LLVMGetNumSuccessors(terminator) == 0 && LLVMGetInstructionOpcode(terminator) != LLVMUnreachable;
}

static void add_block(struct flow *flow, const struct plan_function *f, size_t block, bool endless, size_t *seen)
{
    LLVMValueRef t = flow->cfg.blocks[block].terminator;
    for (size_t node = flow->first[block]; node <= flow->last[block]; node++) {
        bool cut = node < flow->last[block];
        if (cut)
            vec_push(&flow->edges, (struct flow_edge){.kind = FLOW_AFTER,
                                                      .from = node,
                                                      .to = node + 1,
                                                      .from_block = block,
                                                      .to_block = block,
                                                      .segment = node});
        if (cut || endless || f->segments.at[node - 1].stays || may_leave_unseen(t))
            vec_push(&flow->edges,
                     (struct flow_edge){.kind = FLOW_LEAK, .from = node, .from_block = block, .to_block = CFG_NONE});
    }
    add_jumps(flow, block, seen);
    if (leaves(t))
        vec_push(&flow->edges,
                 (struct flow_edge){
                     .kind = FLOW_LEAVE, .from = flow->last[block], .from_block = block, .to_block = CFG_NONE});
}

struct flow *flow_new(const struct plan_function *f)
{
    struct flow *flow = xcalloc(1, sizeof *flow);
    cfg_make(&flow->cfg, f->function);
    size_t n = flow->cfg.graph.n;
    flow->n_nodes = f->segments.n + 1;
    flow->first = xcalloc(n, sizeof *flow->first);
    flow->last = xcalloc(n, sizeof *flow->last);
    flow->jumps_in = xcalloc(n, sizeof *flow->jumps_in);
    flow->jumps_out = xcalloc(n, sizeof *flow->jumps_out);
    flow->exceptional = xcalloc(n, sizeof *flow->exceptional);
    for (size_t i = f->segments.n; i-- > 0;)
        flow->first[f->segments.at[i].block] = i + 1;
    for (size_t i = 0; i < f->segments.n; i++)
        flow->last[f->segments.at[i].block] = i + 1;
    mark_exceptional(flow);
    bool *endless = flow_judge_loops(flow, f);
    size_t *seen = xcalloc(n, sizeof *seen);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || flow->exceptional[i])
            add_enter(flow, i);
        add_block(flow, f, i, endless[i], seen);
    }
    free(seen);
    free(endless);
    for (size_t i = 0; i < flow->edges.n; i++)
        flow->edges.at[i].counter = flow->edges.at[i].value = CFG_NONE;
    flow_weigh(flow);
    return flow;
}

void flow_free(struct flow *flow)
{
    if (!flow)
        return;
    cfg_release(&flow->cfg);
    vec_release(&flow->edges);
    free(flow->first);
    free(flow->last);
    free(flow->jumps_in);
    free(flow->jumps_out);
    free(flow->exceptional);
    free(flow->loops);
    free(flow->node_counters);
    free(flow);
}
