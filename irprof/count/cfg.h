/*
 * cfg.h - a function's control-flow graph: blocks by number, what follows and what
 * comes before, who dominates whom, the natural loops. Internal to irprof.
 *
 * Blocks are numbered in the order of the function, 0 is the entry. Sources: dominators
 * by Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm" (2001); natural loops
 * as in Aho, Lam, Sethi, Ullman, "Compilers" (2006), 9.6.
 */
#ifndef IRPROF_COUNT_CFG_H
#define IRPROF_COUNT_CFG_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/alloc.h"

#define CFG_NONE ((size_t)-1)

struct cfg_block {
    LLVMBasicBlockRef block;
    LLVMValueRef terminator;
    VEC(size_t) next, before;  /* without repetitions */
    size_t order;              /* in reverse postorder; CFG_NONE: cannot be reached */
    size_t dominator;          /* immediate; the entry's and unreachable ones': CFG_NONE */
    size_t loop;               /* innermost, or CFG_NONE */
    bool in_irreducible_cycle; /* or in a loop (or function) with one */
};
struct cfg_loop {
    size_t header;
    size_t parent;       /* loop, or CFG_NONE. A parent comes before its children */
    size_t depth;        /* 1: outermost */
    VEC(size_t) latches; /* blocks that jump back to the header */
    VEC(size_t) blocks;  /* all, inner loops' included; the header first */
};
struct cfg {
    struct cfg_block *blocks;
    size_t n_blocks;
    size_t *order; /* blocks in reverse postorder */
    size_t n_order;
    VEC(struct cfg_loop) loops;
    struct cfg_name *names; /* sorted by address */
};

void cfg_make(struct cfg *g, LLVMValueRef function);
void cfg_release(struct cfg *g);

size_t cfg_number(const struct cfg *g, LLVMBasicBlockRef block);
bool cfg_dominates(const struct cfg *g, size_t a, size_t b); /* reflexive; false for what cannot be reached */
bool cfg_loop_has(const struct cfg *g, size_t loop, size_t block);
/* The innermost loop with both blocks in it, or CFG_NONE. */
size_t cfg_common_loop(const struct cfg *g, size_t a, size_t b);

#endif
