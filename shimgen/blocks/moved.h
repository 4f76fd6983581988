/* moved.h - instructions that do not stand where they were written. Internal to blocks. */
#ifndef SHIMGEN_BLOCKS_MOVED_H
#define SHIMGEN_BLOCKS_MOVED_H

#include "irprof/irprof.h"
#include "shimgen/blocks/block_tree.h"

/* For each part, how many of its instructions, times their executions, stand elsewhere than in the source:
 *
 * - out of order: in their basic block they are not in a longest sequence of instructions whose runs (of lines of one
 *   block, block_tree.h) ascend;
 * - among another's: most of their basic block's instructions were written within other braces of if, for, while ...
 *   (block_tree.h: compounds), and none of the code written there is their block's; so for what was hoisted out of a
 *   loop or a branch, or sunk into one;
 * - before a branch that comes before them in the source, is another block's, and does not enclose them.
 *
 * line[part]: its line in the function it is in; NULL for what has none. Branches themselves do not count. The caller
 * frees. */
uint64_t *moved_instructions(const struct irprof_profile *p, const struct irprof_region *r, const struct tree *t,
                             const struct tree_line *const *line);

#endif
