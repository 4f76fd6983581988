/*
 * code_find.h - of a function's machine code: which nodes are of a block of the IR, and to which block a node leads. Shared
 * by branch_code.c and switch_code.c. Internal to irprof.
 */
#ifndef IRPROF_CODEGEN_CODE_FIND_H
#define IRPROF_CODEGEN_CODE_FIND_H

#include "irprof/codegen/spill_mir.h"
#include "irprof/module/plan.h"

/* Nodes by blocks of the IR: node[first[b]] ... node[first[b + 1] - 1], in the order of the code. */
struct code_list {
    size_t *first, *node;
};
struct code_finder {
    const struct mir_function *m;
    size_t n_blocks;       /* of the IR */
    size_t *only;          /* [n_blocks] the one block that follows; MIR_NONE: none, or several */
    struct code_list own;  /* nodes that bear the block's name */
    struct code_list into; /* conditional branches that lead to the block if taken */
};
void code_finder_begin(struct code_finder *w, const struct plan_function *f, const struct mir_function *m);
void code_finder_end(struct code_finder *w);

static inline size_t code_n_own(const struct code_finder *w, size_t block)
{
    return w->own.first[block + 1] - w->own.first[block];
}
static inline size_t code_own(const struct code_finder *w, size_t block, size_t i)
{
    return w->own.node[w->own.first[block] + i];
}
/* The block, or the one that follows where it has no code of its own. */
size_t code_block(const struct code_finder *w, size_t block);
/* The block of the IR that a node leads to: its own, or the one after nodes that the code generator has added. MIR_NONE: not
 * known. */
size_t code_leads(const struct code_finder *w, size_t node);
/* Does the node end with a conditional branch? Then where it leads if that is taken, and if it is not. */
bool code_branch(const struct code_finder *w, size_t node, size_t *taken, size_t *passed);

/* switch_code.c: sets `routes` of plan->switches from `site` on, as far as they are of function f; returns the first
 * that is not. `w` NULL: the function's code is not known. */
size_t switch_code(struct plan *plan, size_t site, const struct plan_function *f, const struct code_finder *w);

#endif
