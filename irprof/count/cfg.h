/*
 * cfg.h - a function's control-flow graph: blocks by number, and the graph that they make (base/graph.h). Blocks are
 * numbered in the order of the function, 0 is the entry. Internal to irprof.
 */
#ifndef IRPROF_COUNT_CFG_H
#define IRPROF_COUNT_CFG_H

#include <llvm-c/Core.h>

#include "base/graph.h"

#define CFG_NONE GRAPH_NONE

struct cfg_block {
    LLVMBasicBlockRef block;
    LLVMValueRef terminator;
};
struct cfg {
    struct graph graph; /* analysed; edges without repetitions */
    struct cfg_block *blocks;
    struct cfg_name *names; /* sorted by address */
};

void cfg_make(struct cfg *g, LLVMValueRef function);
void cfg_release(struct cfg *g);

size_t cfg_number(const struct cfg *g, LLVMBasicBlockRef block);

#endif
