/* assign.h - which row each part of a profile belongs to. Internal to blocks. */
#ifndef SHIMGEN_BLOCKS_ASSIGN_H
#define SHIMGEN_BLOCKS_ASSIGN_H

#include "shimgen/blocks/blocks.h"

struct assignment {
    uint32_t *block;               /* owned; of each part: number in the tree */
    bool *merged;                  /* owned; of each part: it has no line */
    bool *inlined;                 /* owned; of each part: it was written in another function than it is in */
    uint32_t *nest;                /* owned; of each part: where it stands; BLOCK_NONE: in no source that was read */
    uint32_t *call_nest;           /* owned; of each call of the profile, likewise */
    uint32_t *call_block;          /* owned; of each call: block of the line it stands on, else of its function */
    uint32_t *function;            /* owned; of each function of the profile: its block */
    uint32_t *row;                 /* owned; of each block of the tree: the one it is summed in */
    const struct tree_line **line; /* owned array; of each part: its line in the function it is in; NULL: none there */
};
/* Reads the sources into the tree, and assigns. `notes` gets the sources that are not there. assignment_release. */
enum status assign(struct assignment *out, struct blocks *b, struct error *e) MUST_CHECK;
void assignment_release(struct assignment *a);

#endif
