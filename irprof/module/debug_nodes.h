/* debug_nodes.h - what the debug information of a module names: source files and functions. Internal to irprof. */
#ifndef IRPROF_COUNT_DEBUG_NODES_H
#define IRPROF_COUNT_DEBUG_NODES_H

#include "base/map.h"
#include "irprof/module/llvm.h"

/* Adds the files (directory joined) and the functions that types, variables and code of the module come from; NULL: not
 * wanted. map_release. */
void debug_names(LLVMModuleRef module, struct map *files, struct map *functions);

#endif
