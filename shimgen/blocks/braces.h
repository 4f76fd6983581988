/*
 * braces.h - what is open at a place of a source: its braces, and the blocks that cover the code there. The branches of
 * an #if each begin with what was open before it, so all of it can be copied. Internal to blocks.
 */
#ifndef SHIMGEN_BLOCKS_BRACES_H
#define SHIMGEN_BLOCKS_BRACES_H

#include "shimgen/blocks/block_tree.h"

enum { LEVEL_FUNCTION, LEVEL_SYSTEM, LEVEL_BLOCK, LEVEL_STATE };
/* What covers the code at hand. */
struct scope {
    uint32_t block;
    size_t depth; /* of the braces it was opened within */
    int level;
};
struct braces {
    VEC(struct scope) scopes; /* innermost last */
    VEC(uint32_t) compounds;  /* of each open brace, innermost last: number in the tree, BLOCK_NONE outside functions */
    bool in_function;
};

void braces_open(struct braces *b, uint32_t compound);
void braces_close(struct braces *b);
/* The innermost compound, or BLOCK_NONE. */
uint32_t braces_compound(const struct braces *b);
struct braces braces_copy(const struct braces *b);
void braces_release(struct braces *b);

/* The block covers what follows; what it replaces is closed. */
void scope_open(struct braces *b, struct tree *t, uint32_t block, int level);
/* Closes the innermost scope within the braces at hand that is of this kind and name (NULL: any); false: there is none.
 */
bool scope_close(struct braces *b, const struct tree *t, enum block_kind kind, const char *name);

#endif
