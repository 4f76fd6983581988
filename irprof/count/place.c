/*
 * place.c - decides which counters there are, and what follows from them. Sparse: one on each edge outside a spanning
 * tree of the function's flow. Plain: one per segment, and one per edge unless the segment it leads to tells its count;
 * nothing is derived and nothing assumed.
 */
#include <stdlib.h>

#include "irprof/count/flow.h"
#include "irprof/module/llvm.h"

/* ---- values ---- */

static void choose_plain(struct flow *flow, struct plan *plan)
{
    flow->node_counters = xcalloc(flow->n_nodes, sizeof *flow->node_counters);
    for (size_t i = 1; i < flow->n_nodes; i++)
        flow->node_counters[i] = plan_add_counter(plan);
    for (size_t i = 0; i < flow->edges.n; i++) {
        struct flow_edge *e = &flow->edges.at[i];
        if (e->kind != FLOW_JUMP)
            continue;
        if (flow->jumps_in[e->to_block] == 1 && !flow->exceptional[e->to_block])
            e->value = flow->node_counters[flow->first[e->to_block]];
        else
            e->value = e->counter = plan_add_counter(plan);
    }
}

static void set_segments(struct plan_function *f, struct plan *plan)
{
    size_t *values = f->flow->node_counters ? 0 : tree_node_values(f->flow, plan);
    for (size_t i = 0; i < f->segments.n; i++) {
        struct plan_segment *s = &f->segments.at[i];
        size_t loop = f->flow->cfg.graph.loop[s->block];
        s->loop = loop == CFG_NONE ? 0 : loop + 1;
        s->value = values ? values[i + 1] : f->flow->node_counters[i + 1];
    }
    free(values);
}

static void set_edges(struct plan_function *f)
{
    for (size_t i = 0; i < f->flow->edges.n; i++) {
        const struct flow_edge *e = &f->flow->edges.at[i];
        if (e->kind == FLOW_JUMP)
            vec_push(&f->edges, (struct plan_edge){.terminator = f->flow->cfg.blocks[e->from_block].terminator,
                                                   .from = e->from_block,
                                                   .to = e->to_block,
                                                   .kind = e->plan_kind,
                                                   .value = e->value});
    }
}

static void locate_loop(struct plan *plan, const struct cfg_block *header, struct plan_loop *l)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(header->block); i && !l->line; i = LLVMGetNextInstruction(i))
        l->file = plan_instruction_place(plan, i, &l->line);
}

static void set_loops(struct plan_function *f, struct plan *plan)
{
    const struct flow *flow = f->flow;
    const struct cfg *g = &flow->cfg;
    VEC(size_t) *back = xcalloc(g->graph.loops.n, sizeof *back);
    for (size_t i = 0; i < flow->edges.n; i++) {
        const struct flow_edge *e = &flow->edges.at[i];
        if (e->kind == FLOW_JUMP && e->loop != CFG_NONE && g->graph.loops.at[e->loop].header == e->to_block)
            vec_push(&back[e->loop], e->value);
    }
    for (size_t i = 0; i < g->graph.loops.n; i++) {
        const struct graph_loop *c = &g->graph.loops.at[i];
        struct plan_loop l = {.header = c->header, .parent = c->parent == CFG_NONE ? 0 : c->parent + 1};
        l.iterations = f->segments.at[flow->first[c->header] - 1].value;
        l.repeats = tree_sum(plan, back[i].at, back[i].n);
        locate_loop(plan, &g->blocks[c->header], &l);
        vec_push(&f->loops, l);
        vec_release(&back[i]);
    }
    free(back);
}

static void choose(struct plan_function *f, struct plan *plan, enum place_scheme scheme)
{
    f->flow = flow_new(f);
    f->flow->in_memory = plan->options && plan->options->windows;
    if (scheme == PLACE_PLAIN)
        choose_plain(f->flow, plan);
    else
        tree_choose(f->flow, plan);
}

/* Derived values are numbered after all counters, so counters are chosen in all functions first. */
void place_values(struct plan *plan, enum place_scheme scheme)
{
    for (size_t i = 0; i < plan->functions.n; i++)
        if (!plan->functions.at[i].not_counted)
            choose(&plan->functions.at[i], plan, scheme);
    for (size_t i = 0; i < plan->functions.n; i++) {
        struct plan_function *f = &plan->functions.at[i];
        if (!f->flow)
            continue;
        if (scheme == PLACE_SPARSE)
            tree_derive(f->flow, plan);
        set_segments(f, plan);
        set_edges(f);
        set_loops(f, plan);
    }
}

/* ---- insertion ---- */

/* A function that increments counters writes memory, whatever its attributes say. Otherwise code generation could drop
 * calls whose result is not used. */
static void drop_purity(LLVMValueRef function)
{
    static const char *const claims[] = {"memory", "nosync", "speculatable"};
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++)
        llvm_function_drop(function, claims[i]);
}

static void drop_purity_of_calls(LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
            if (opcode != LLVMCall && opcode != LLVMInvoke)
                continue;
            LLVMValueRef callee = LLVMGetCalledValue(i);
            size_t n;
            if (LLVMIsAInlineAsm(callee) || llvm_intrinsic_name(callee, &n))
                continue;
            llvm_call_drop(i, "memory");
            llvm_call_drop(i, "nosync");
        }
    }
}

void place_insert(struct plan *plan, const struct place_target *t)
{
    /* declarations too: they may stand for functions of another instrumented module */
    for (LLVMValueRef f = LLVMGetFirstFunction(t->module); f; f = LLVMGetNextFunction(f)) {
        size_t n;
        if (!llvm_intrinsic_name(f, &n))
            drop_purity(f);
        drop_purity_of_calls(f);
    }
    for (size_t i = 0; i < plan->functions.n; i++)
        if (plan->functions.at[i].flow)
            insert_counters(plan->functions.at[i].flow, &plan->functions.at[i], t);
}

/* Functions with optnone are left as they are: mem2reg skips them. */
void place_finish(LLVMModuleRef module)
{
    llvm_run(module, "mem2reg");
}
