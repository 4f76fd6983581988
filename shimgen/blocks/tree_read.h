/* tree_read.h - the blocks of one source. Internal to blocks; block_tree.h has the rules. */
#ifndef SHIMGEN_BLOCKS_TREE_READ_H
#define SHIMGEN_BLOCKS_TREE_READ_H

#include "shimgen/blocks/block_tree.h"

/* Reads the text of the tree's source with this number: fills its lines, adds to the tree's blocks, functions,
 * compounds, systems and findings. Statuses as tree_add. */
enum status tree_read(struct tree *t, uint32_t source, const char *text, size_t n, struct error *e) MUST_CHECK;

#endif
