/* braces.c - tracks open braces, and the blocks that cover the code at a place in a source. */
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

struct scope *scope_top(const struct braces *b)
{
    return b->scopes.n ? &b->scopes.at[b->scopes.n - 1] : 0;
}

void scope_open(struct braces *b, struct tree *t, uint32_t block, int level)
{
    size_t depth = b->compounds.n;
    const struct scope *top = scope_top(b);
    while (top && top->depth == depth && top->level >= level && top->level > LEVEL_SYSTEM) {
        b->scopes.n--;
        top = scope_top(b);
    }
    if (top && top->block != block)
        t->blocks.at[top->block].inner++;
    uint32_t nest = tree_nest(t, block, top ? top->nest : BLOCK_NONE);
    vec_push(&b->scopes, (struct scope){.block = block, .depth = depth, .level = level, .nest = nest, .fresh = true});
}

const struct scope *scope_around(const struct braces *b, const struct tree *t, bool charts_only)
{
    for (size_t i = b->scopes.n; i--;) {
        const struct scope *s = &b->scopes.at[i];
        if (s->chart || (!charts_only && s->level == LEVEL_SYSTEM && t->blocks.at[s->block].kind == BLOCK_SYSTEM))
            return s;
    }
    return 0;
}

void scope_resume_chart(struct braces *b, struct tree *t)
{
    const struct scope *chart = scope_around(b, t, true);
    size_t depth = b->compounds.n;
    if (!chart)
        return;
    uint32_t block = chart->block;
    while (scope_top(b) != chart && scope_top(b)->depth == depth)
        b->scopes.n--;
    if (scope_top(b)->block != block) {
        scope_open(b, t, block, LEVEL_STATE);
        scope_top(b)->chart = true;
    }
}

/* Does the word begin a statement with a condition, followed by braces? */
static bool has_condition(const char *word)
{
    static const char all[] = " if switch while ";
    size_t n = word ? strlen(word) : 0;
    const char *at = n ? strstr(all, word) : 0;
    return at && at[-1] == ' ' && at[n] == ' ';
}

/* Decides, by the code after a comment, how far the comment's block extends. */
static void decide(struct scope *s, const char *word)
{
    s->extent = has_condition(word) ? EXTENT_HEAD : s->within_chart ? EXTENT_STATEMENT : EXTENT_OPEN;
}

void scope_code(struct braces *b, const char *word)
{
    struct scope *top = scope_top(b);
    if (top && top->extent == EXTENT_UNKNOWN)
        decide(top, word);
    for (size_t i = b->scopes.n; i-- && b->scopes.at[i].fresh;)
        b->scopes.at[i].fresh = false;
}

void scope_statement_ends(struct braces *b)
{
    struct scope *top = scope_top(b);
    if (!top || top->depth != b->compounds.n)
        return;
    top->calls_outer = false;
    if (top->extent == EXTENT_HEAD || top->extent == EXTENT_STATEMENT)
        b->scopes.n--;
}

void scope_brace_opens(struct braces *b)
{
    const struct scope *top = scope_top(b);
    if (top && top->depth == b->compounds.n && top->extent == EXTENT_HEAD)
        b->scopes.n--;
}

void scope_label(struct braces *b)
{
    while (b->scopes.n && scope_top(b)->depth == b->compounds.n && scope_top(b)->level >= LEVEL_STATE)
        b->scopes.n--;
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
