/*
 * condition.h - the condition of a branch, taken apart as back ends do: `a && b` becomes two branches (LLVM's
 * SelectionDAGBuilder::FindMergedConditions). Internal to irprof.
 */
#ifndef IRPROF_MODULE_CONDITION_H
#define IRPROF_MODULE_CONDITION_H

#include <llvm-c/Core.h>
#include <stddef.h>

enum { CONDITION_LEAVES_MAX = 16, CONDITION_DEPTH_MAX = 6 /* as LLVM */ };
/* Where a leaf leads that decides: */
#define CONDITION_TRUE  ((size_t)-1)
#define CONDITION_FALSE ((size_t)-2)

struct condition_leaf {
    LLVMValueRef value;     /* i1 */
    size_t if_true, if_not; /* the leaf that is looked at next, or what the whole condition is then */
};
struct condition {
    struct condition_leaf leaves[CONDITION_LEAVES_MAX]; /* in the order of execution; the first is the entry */
    size_t n;                                           /* 1: it cannot be taken apart */
};
/* Of a conditional branch, `depth` operators deep: what is deeper is one leaf, as it is where the target compares on a
 * condition. Only conditions of the branch's block that nothing else uses are taken apart. */
void condition_read(struct condition *c, LLVMValueRef branch, unsigned depth);

#endif
