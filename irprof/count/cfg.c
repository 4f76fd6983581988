/* cfg.c - the control-flow graph of a function of the IR. */
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
    const struct cfg_name *found = bsearch(&wanted, g->names, g->graph.n, sizeof *g->names, by_address);
    return found->number;
}

static void number_blocks(struct cfg *g, LLVMValueRef function)
{
    g->graph.n = LLVMCountBasicBlocks(function);
    g->blocks = xcalloc(g->graph.n, sizeof *g->blocks);
    g->names = xcalloc(g->graph.n, sizeof *g->names);
    size_t n = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b), n++) {
        g->blocks[n] = (struct cfg_block){b, LLVMGetBasicBlockTerminator(b)};
        g->names[n] = (struct cfg_name){b, n};
    }
    qsort(g->names, n, sizeof *g->names, by_address);
}

/* seen[block]: 1 + the latest block with this successor. It keeps big switches linear. */
static void connect(struct cfg *g)
{
    size_t *seen = xcalloc(g->graph.n, sizeof *seen);
    for (size_t i = 0; i < g->graph.n; i++) {
        unsigned n = LLVMGetNumSuccessors(g->blocks[i].terminator);
        for (unsigned k = 0; k < n; k++) {
            size_t to = cfg_number(g, LLVMGetSuccessor(g->blocks[i].terminator, k));
            if (seen[to] == i + 1)
                continue;
            seen[to] = i + 1;
            graph_add(&g->graph, i, to);
        }
    }
    free(seen);
}

void cfg_make(struct cfg *g, LLVMValueRef function)
{
    *g = (struct cfg){0};
    number_blocks(g, function);
    connect(g);
    graph_analyse(&g->graph);
}

void cfg_release(struct cfg *g)
{
    graph_release(&g->graph);
    free(g->blocks);
    free(g->names);
    *g = (struct cfg){0};
}
