/* braces.c - tracks the open braces and the blocks that cover the code at a place of a source. */
#include "shimgen/blocks/braces.h"

#include <stdlib.h>
#include <string.h>

void braces_open(struct braces *b, uint32_t compound)
{
    vec_push(&b->compounds, compound);
}

void braces_close(struct braces *b)
{
    if (b->compounds.n)
        b->compounds.n--;
    size_t depth = b->compounds.n;
    while (b->scopes.n && b->scopes.at[b->scopes.n - 1].depth > depth && (b->scopes.n > 1 || depth))
        b->scopes.n--;
    if (!depth)
        b->in_function = false;
}

uint32_t braces_compound(const struct braces *b)
{
    return b->compounds.n ? b->compounds.at[b->compounds.n - 1] : BLOCK_NONE;
}

struct braces braces_copy(const struct braces *b)
{
    struct braces copy = {.in_function = b->in_function};
    for (size_t i = 0; i < b->scopes.n; i++)
        vec_push(&copy.scopes, b->scopes.at[i]);
    for (size_t i = 0; i < b->compounds.n; i++)
        vec_push(&copy.compounds, b->compounds.at[i]);
    return copy;
}

void braces_release(struct braces *b)
{
    vec_release(&b->scopes);
    vec_release(&b->compounds);
}

void scope_open(struct braces *b, struct tree *t, uint32_t block, int level)
{
    size_t depth = b->compounds.n;
    while (b->scopes.n && b->scopes.at[b->scopes.n - 1].depth == depth &&
           b->scopes.at[b->scopes.n - 1].level >= level && b->scopes.at[b->scopes.n - 1].level > LEVEL_SYSTEM)
        b->scopes.n--;
    if (b->scopes.n && b->scopes.at[b->scopes.n - 1].block != block)
        t->blocks.at[b->scopes.at[b->scopes.n - 1].block].inner++;
    vec_push(&b->scopes, (struct scope){block, depth, level});
}

bool scope_close(struct braces *b, const struct tree *t, enum block_kind kind, const char *name)
{
    for (size_t i = b->scopes.n; i-- && b->scopes.at[i].depth == b->compounds.n;) {
        const struct block *k = &t->blocks.at[b->scopes.at[i].block];
        bool same_kind = k->kind == kind || (kind != BLOCK_MARKER && kind != BLOCK_REGION && k->kind <= BLOCK_MODEL);
        if (b->scopes.at[i].level > LEVEL_FUNCTION && same_kind && (!name || strcmp(k->name, name) == 0)) {
            b->scopes.n = i;
            return true;
        }
    }
    return false;
}
