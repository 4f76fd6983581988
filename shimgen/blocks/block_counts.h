/* block_counts.h - what of each block was executed in a region. Internal to blocks. */
#ifndef SHIMGEN_BLOCKS_BLOCK_COUNTS_H
#define SHIMGEN_BLOCKS_BLOCK_COUNTS_H

#include "shimgen/blocks/assign.h"

/* Of each block of the tree; the caller frees. in_program (NULL: not wanted): some code of it is there. */
struct blocks_counts *counts_of_region(const struct blocks *b, const struct assignment *parts, size_t region,
                                       bool *in_program);

#endif
