/* assign.h - which row each part of a profile belongs to. Internal to blocks. */
#ifndef SHIMGEN_BLOCKS_ASSIGN_H
#define SHIMGEN_BLOCKS_ASSIGN_H

#include "shimgen/blocks/blocks.h"

struct assignment {
    uint32_t *block;               /* owned; of each part: number in the tree */
    bool *merged;                  /* owned; of each part: it has no line */
    bool *inlined;                 /* owned; of each part: it was written in another function than it is in */
    const struct tree_line **line; /* owned array; of each part: its line in the function it is in; NULL: none there */
};
/* Reads the sources into the tree, and assigns. `notes` gets the sources that are not there. assignment_release. */
enum status assign(struct assignment *out, struct blocks *b, struct error *e) MUST_CHECK;
void assignment_release(struct assignment *a);

#endif
