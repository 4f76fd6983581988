/*
 * braces.h - what is open at a place of a source: its braces, and the blocks that cover the code there. The branches of
 * an #if each begin with what was open before it, so all of it can be copied. Internal to blocks.
 */
#ifndef SHIMGEN_BLOCKS_BRACES_H
#define SHIMGEN_BLOCKS_BRACES_H

#include "shimgen/blocks/block_tree.h"

enum { LEVEL_FUNCTION, LEVEL_SYSTEM, LEVEL_BLOCK, LEVEL_STATE, LEVEL_EXPRESSION };
/* What a comment covers. */
enum extent {
    EXTENT_OPEN,     /* all up to the next one like it */
    EXTENT_UNKNOWN,  /* it depends on the code that follows: an expression, or all */
    EXTENT_HEAD,     /* what stands before the next brace or semicolon */
    EXTENT_STATEMENT /* one statement, with its braces */
};
/* What covers the code at hand. */
struct scope {
    uint32_t block;
    size_t depth; /* of the braces it was opened within */
    int level;
    uint32_t nest; /* number in the tree */
    enum extent extent;
    bool chart;        /* the block is a chart */
    bool fresh;        /* no code yet */
    bool within_chart; /* its extent is at most a statement */
    bool calls_outer;  /* what it calls is called by what is around it */
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

/* The innermost, NULL: none. */
struct scope *scope_top(const struct braces *b);
/* The block covers what follows; what it replaces is closed. */
void scope_open(struct braces *b, struct tree *t, uint32_t block, int level);
/* Closes the innermost scope within the braces at hand that is of this kind and name (NULL: any); false: there is none.
 */
bool scope_close(struct braces *b, const struct tree *t, enum block_kind kind, const char *name);
/* The innermost chart or, unless charts_only, system of a comment; NULL: none. */
const struct scope *scope_around(const struct braces *b, const struct tree *t, bool charts_only);
/* The chart itself goes on, after its states and events. */
void scope_resume_chart(struct braces *b, struct tree *t);
/* A piece of code that is no brace comes, the word of it if it is one; after it, a semicolon or brace. */
void scope_code(struct braces *b, const char *word);
void scope_statement_ends(struct braces *b);
void scope_brace_opens(struct braces *b);
/* A label of a switch: states before it do not go on. */
void scope_label(struct braces *b);

#endif
