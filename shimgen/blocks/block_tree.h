/*
 * block_tree.h - the blocks of C sources: which line belongs to which. Rules:
 *
 * A comment that names a block covers the statements after it, up to the next such comment at the same depth of
 * braces, to its "End of ...", or to the brace that closes around it. What stands within braces it opens may be covered
 * by other comments; after them the outer one goes on. A subsystem's comment and our marker embrace the blocks after
 * them up to their end; Stateflow's objects stand within their chart. Code that no comment covers belongs to its
 * function.
 *
 * Comments that name one block (its output, its update, its start) are one block.
 */
#ifndef SHIMGEN_BLOCKS_BLOCK_TREE_H
#define SHIMGEN_BLOCKS_BLOCK_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"

enum block_kind { BLOCK_FUNCTION, BLOCK_SYSTEM, BLOCK_MODEL, BLOCK_STATE, BLOCK_MARKER, BLOCK_REGION, BLOCK_KINDS };
#define BLOCK_NONE UINT32_MAX

struct block {
    enum block_kind kind;
    char *type;         /* owned; "Gain", "Atomic SubSystem", "State", "function" */
    char *name;         /* owned; "<S1>/Gain", "<S2>:4", "main" */
    char *label;        /* owned; the name of a state, else NULL */
    char *model;        /* owned; the Simulink model, else the source's name */
    char *system;       /* owned; what its system is called, "controller/Speed"; else "<S1>"; NULL: in none */
    char *phases;       /* owned; "Update, Start": other than its output; NULL: none */
    char *incorporates; /* owned; "Constant: '<S1>/C', Sum: '<S1>/Add'"; NULL: nothing */
    uint32_t file;      /* number of the source it was first seen in, BLOCK_NONE for none */
    unsigned long line; /* of its first comment, or of the function's name */
    uint32_t lines;     /* with code that is its own */
    uint32_t inner;     /* blocks seen within it */
    bool qualified;     /* its name alone does not say which model it is of */
    uint32_t parent;    /* of a state, transition, event ...: its chart; BLOCK_NONE: none */
};
/* A block at a place of a source: what covers code, within what else. */
struct nest {
    uint32_t block;
    uint32_t outer; /* nest; BLOCK_NONE: it is a function's */
};
/* A line of a source with code. Runs of lines of one block that follow each other have the same `run`. */
struct tree_line {
    unsigned long line;
    uint32_t block;    /* index in the tree's `blocks` */
    uint32_t function; /* index in the tree's `functions`: several may have one block */
    uint32_t run;
    uint32_t compound; /* number in the tree: the innermost that its code is in; one that it opens is not it */
    uint32_t nest;     /* number in the tree: the block, and what is around it */
    uint32_t calls;    /* nest that functions called here are called by: the line's own, or the one around it */
    bool leads;        /* it stands before a compound's brace: if (...), for (...) */
};
/* Braces after if, else, for, while, do, switch, or of a function: code that is executed together, or not. */
struct compound {
    uint32_t parent;           /* BLOCK_NONE: of a function */
    unsigned long first, last; /* lines of what stands before its brace: from "if" to "{" */
};
/* A function of a source, and what its code belongs to that no comment covers: itself, or a subsystem. */
struct tree_function {
    uint32_t source, block;
};
struct tree_source {
    char *path;              /* owned; as it was opened */
    struct tree_line *lines; /* owned; ascending */
    size_t n_lines;
};
struct tree {
    VEC(struct block) blocks;
    VEC(struct tree_source) sources;
    struct map numbers; /* what tells blocks apart -> number */
    struct map places;  /* source and name, source and line of a function -> index in `functions` */
    VEC(struct tree_function) functions;
    VEC(struct compound) compounds;
    VEC(struct nest) nests;
    struct map nest_numbers; /* outer and block -> index in `nests` */
    struct map systems;      /* model and "<S1>" -> index in `titles` */
    VEC(char *) titles;      /* owned; "controller/Speed" */
    VEC(char *) findings;    /* owned; sentences with file and line: what is odd, but no error */
};

/* Adds a source; its number is tree->sources.n - 1. ERR_SYSTEM: it cannot be read. ERR_INPUT: as csource_scan; braces
 * nested too deep. */
enum status tree_add(struct tree *t, const char *path, struct error *e) MUST_CHECK;
/* The line's entry, or NULL: no code there. */
const struct tree_line *tree_line(const struct tree_source *s, unsigned long line);
/* The function of a source that begins on this line (of its name), else one of this name; or BLOCK_NONE. */
uint32_t tree_find_function(const struct tree *t, uint32_t source, const char *name, unsigned long line);
/* A block that no source was read for: a function, a system. */
uint32_t tree_block(struct tree *t, enum block_kind kind, const char *type, const char *model, const char *name);
/* Is the line one of what stands before its brace? */
bool compound_heads(const struct tree *t, uint32_t compound, unsigned long line);
/* Finds the chart of each state, and the blocks whose names alone do not say which model they are of. After all sources
 * were added and systems_name (block_names.h). */
void tree_finish(struct tree *t);
void tree_release(struct tree *t);

/* ---- for those who read sources ---- */

/* The block of this kind and name: a new one, or that of an earlier comment. `where` tells apart blocks of one name; of
 * markers and regions it says nothing. */
uint32_t tree_number(struct tree *t, enum block_kind kind, const char *where, const char *name);
uint32_t tree_add_function(struct tree *t, uint32_t source, const char *name, unsigned long line, uint32_t block);
uint32_t tree_nest(struct tree *t, uint32_t block, uint32_t outer);
/* A source's lines in order, with their runs; each once. */
void tree_sort_lines(struct tree *t, struct tree_source *s);

#endif
