/* cfg.c - a function's control-flow graph: predecessors, dominators, natural loops. */
#include "irprof/count/cfg.h"

#include <stdint.h>
#include <stdlib.h>

struct cfg_name {
    LLVMBasicBlockRef block;
    size_t number;
};

static int by_address(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t)((const struct cfg_name *)a)->block, y = (uintptr_t)((const struct cfg_name *)b)->block;
    return (x > y) - (x < y);
}

size_t cfg_number(const struct cfg *g, LLVMBasicBlockRef block)
{
    const struct cfg_name wanted = {block, 0};
    const struct cfg_name *found = bsearch(&wanted, g->names, g->n_blocks, sizeof *g->names, by_address);
    return found->number;
}

static void number_blocks(struct cfg *g, LLVMValueRef function)
{
    g->n_blocks = LLVMCountBasicBlocks(function);
    g->blocks = xcalloc(g->n_blocks, sizeof *g->blocks);
    g->names = xcalloc(g->n_blocks, sizeof *g->names);
    size_t n = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b), n++) {
        g->blocks[n] = (struct cfg_block){.block = b,
                                          .terminator = LLVMGetBasicBlockTerminator(b),
                                          .order = CFG_NONE,
                                          .dominator = CFG_NONE,
                                          .loop = CFG_NONE};
        g->names[n] = (struct cfg_name){b, n};
    }
    qsort(g->names, n, sizeof *g->names, by_address);
}

/* `seen` keeps a big switch linear: seen[block] is the last block that has it among its successors, plus 1. */
static void connect(struct cfg *g)
{
    size_t *seen = xcalloc(g->n_blocks, sizeof *seen);
    for (size_t i = 0; i < g->n_blocks; i++) {
        unsigned n = LLVMGetNumSuccessors(g->blocks[i].terminator);
        for (unsigned k = 0; k < n; k++) {
            size_t to = cfg_number(g, LLVMGetSuccessor(g->blocks[i].terminator, k));
            if (seen[to] == i + 1)
                continue;
            seen[to] = i + 1;
            vec_push(&g->blocks[i].next, to);
            vec_push(&g->blocks[to].before, i);
        }
    }
    free(seen);
}

/* Depth first with a stack of our own: functions of a hundred thousand blocks exist. */
static void set_order(struct cfg *g)
{
    struct place {
        size_t block, next;
    };
    VEC(struct place) stack = {0};
    bool *seen = xcalloc(g->n_blocks, sizeof *seen);
    size_t *post = xcalloc(g->n_blocks, sizeof *post);
    seen[0] = true;
    vec_push(&stack, (struct place){0, 0});
    while (stack.n) {
        struct place *p = &stack.at[stack.n - 1];
        const struct cfg_block *b = &g->blocks[p->block];
        if (p->next == b->next.n) {
            post[g->n_order++] = p->block;
            stack.n--;
            continue;
        }
        size_t to = b->next.at[p->next++];
        if (!seen[to]) {
            seen[to] = true;
            vec_push(&stack, (struct place){to, 0});
        }
    }
    g->order = xcalloc(g->n_order, sizeof *g->order);
    for (size_t i = 0; i < g->n_order; i++) {
        g->order[i] = post[g->n_order - 1 - i];
        g->blocks[g->order[i]].order = i;
    }
    vec_release(&stack);
    free(seen);
    free(post);
}

static size_t meet(const struct cfg *g, size_t a, size_t b)
{
    while (a != b) {
        while (g->blocks[a].order > g->blocks[b].order)
            a = g->blocks[a].dominator;
        while (g->blocks[b].order > g->blocks[a].order)
            b = g->blocks[b].dominator;
    }
    return a;
}

static void set_dominators(struct cfg *g)
{
    g->blocks[0].dominator = 0; /* while it is worked out */
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 1; i < g->n_order; i++) {
            struct cfg_block *b = &g->blocks[g->order[i]];
            size_t dominator = CFG_NONE;
            for (size_t k = 0; k < b->before.n; k++) {
                size_t from = b->before.at[k];
                if (g->blocks[from].dominator != CFG_NONE)
                    dominator = dominator == CFG_NONE ? from : meet(g, from, dominator);
            }
            if (b->dominator != dominator) {
                b->dominator = dominator;
                changed = true;
            }
        }
    }
    g->blocks[0].dominator = CFG_NONE;
}

bool cfg_dominates(const struct cfg *g, size_t a, size_t b)
{
    if (g->blocks[a].order == CFG_NONE || g->blocks[b].order == CFG_NONE)
        return false;
    while (b != CFG_NONE && g->blocks[b].order > g->blocks[a].order)
        b = g->blocks[b].dominator;
    return a == b;
}

bool cfg_loop_has(const struct cfg *g, size_t loop, size_t block)
{
    for (size_t l = g->blocks[block].loop; l != CFG_NONE; l = g->loops.at[l].parent)
        if (l == loop)
            return true;
    return false;
}

size_t cfg_common_loop(const struct cfg *g, size_t a, size_t b)
{
    size_t l = g->blocks[a].loop;
    while (l != CFG_NONE && !cfg_loop_has(g, l, b))
        l = g->loops.at[l].parent;
    return l;
}

/* All that reaches the latches without passing the header. Loops come outermost first (by their headers' order), so
 * that an inner one overwrites `loop` of its blocks. */
static void collect(struct cfg *g, size_t number)
{
    struct cfg_loop *l = &g->loops.at[number];
    l->parent = g->blocks[l->header].loop;
    l->depth = l->parent == CFG_NONE ? 1 : g->loops.at[l->parent].depth + 1;
    vec_push(&l->blocks, l->header);
    g->blocks[l->header].loop = number;
    for (size_t i = 0; i < l->latches.n; i++) {
        struct cfg_block *b = &g->blocks[l->latches.at[i]];
        if (b->loop != number) {
            b->loop = number;
            vec_push(&l->blocks, l->latches.at[i]);
        }
    }
    for (size_t i = 1; i < l->blocks.n; i++) {
        const struct cfg_block *b = &g->blocks[l->blocks.at[i]];
        for (size_t k = 0; k < b->before.n; k++) {
            struct cfg_block *from = &g->blocks[b->before.at[k]];
            if (from->order != CFG_NONE && from->loop != number) {
                from->loop = number;
                vec_push(&l->blocks, b->before.at[k]);
            }
        }
    }
}

/* A cycle with more than one way in has a jump back to a block that does not dominate it. All of the innermost loop
 * around it (or the function) counts as irreducible. */
static void mark_irreducible(struct cfg *g, size_t from, size_t to)
{
    size_t around = cfg_common_loop(g, from, to);
    for (size_t i = 0; i < g->n_order; i++)
        if (around == CFG_NONE || cfg_loop_has(g, around, g->order[i]))
            g->blocks[g->order[i]].in_irreducible_cycle = true;
}

static void find_loops(struct cfg *g)
{
    for (size_t i = 0; i < g->n_order; i++) {
        size_t header = g->order[i];
        struct cfg_loop l = {.header = header};
        for (size_t k = 0; k < g->blocks[header].before.n; k++)
            if (cfg_dominates(g, header, g->blocks[header].before.at[k]))
                vec_push(&l.latches, g->blocks[header].before.at[k]);
        if (!l.latches.n)
            continue;
        vec_push(&g->loops, l);
        collect(g, g->loops.n - 1);
    }
    for (size_t i = 0; i < g->n_order; i++) {
        const struct cfg_block *b = &g->blocks[g->order[i]];
        for (size_t k = 0; k < b->next.n; k++)
            if (g->blocks[b->next.at[k]].order <= b->order && !cfg_dominates(g, b->next.at[k], g->order[i]))
                mark_irreducible(g, g->order[i], b->next.at[k]);
    }
}

void cfg_make(struct cfg *g, LLVMValueRef function)
{
    *g = (struct cfg){0};
    number_blocks(g, function);
    connect(g);
    set_order(g);
    set_dominators(g);
    find_loops(g);
}

void cfg_release(struct cfg *g)
{
    for (size_t i = 0; i < g->n_blocks; i++) {
        vec_release(&g->blocks[i].next);
        vec_release(&g->blocks[i].before);
    }
    for (size_t i = 0; i < g->loops.n; i++) {
        vec_release(&g->loops.at[i].latches);
        vec_release(&g->loops.at[i].blocks);
    }
    vec_release(&g->loops);
    free(g->blocks);
    free(g->order);
    free(g->names);
    *g = (struct cfg){0};
}
