/* edge_split.h - a block of its own on an edge between two blocks. Internal to irprof. */
#ifndef IRPROF_MODULE_EDGE_SPLIT_H
#define IRPROF_MODULE_EDGE_SPLIT_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Told that a phi is now another one; the old one goes after that. */
typedef void edge_moved(void *data, LLVMValueRef old, LLVMValueRef fresh);

/* Puts a block on the edge that successor number `successor` of a terminator is, and returns its jump, which has the builder's
 * position in the source. `together`: later successors that are the same block go through it too. Phis of the successor are
 * made again; `moved` (NULL: nobody) is told of each. */
LLVMValueRef edge_split(LLVMBuilderRef b, LLVMValueRef terminator, unsigned successor, bool together, edge_moved *moved,
                        void *data);

#endif
