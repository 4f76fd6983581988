/* moved.h - instructions that do not stand in the order of the source. Internal to blocks. */
#ifndef SHIMGEN_BLOCKS_MOVED_H
#define SHIMGEN_BLOCKS_MOVED_H

#include "irprof/irprof.h"

/* For each part, how many of its instructions, times their executions, stand out of order: in their basic block they
 * are not in a longest sequence of instructions whose runs (of lines of one block, tree.h) ascend. run[part]: the run,
 * IRPROF_NONE for what has none. Instructions that were moved to another basic block do not show. The caller frees. */
uint64_t *moved_instructions(const struct irprof_profile *p, const struct irprof_region *r, const uint32_t *run);

#endif
