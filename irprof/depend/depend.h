/*
 * depend.h - what the parts of a function need of each other in one call of it, and from call to call, as its IR shows.
 * Conservative: what cannot be told apart depends on each other. A part is what the caller says: the instructions of
 * some source lines. Of called functions everything counts as done by who calls; or, if that is asked for, parts inside of
 * them are parts too, where a function is called at one place alone.
 *
 * The IR must be as written: clang -O1 -g -Xclang -disable-llvm-passes. Local variables without an address become values
 * first, so that two parts which use one variable for different values are independent.
 */
#ifndef IRPROF_DEPEND_DEPEND_H
#define IRPROF_DEPEND_DEPEND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/alloc.h"
#include "base/error.h"

#define DEPEND_NONE ((size_t)-1)

/* The part of a source line; DEPEND_NONE: it is no part's. */
struct depend_parts {
    size_t (*of)(void *data, const char *file, unsigned line);
    void *data;
    size_t rest; /* of instructions that no part has */
    /* Parts that are one: what a part, or the rest, is instead. NULL: all are as they are. */
    size_t (*joined)(void *data, size_t part);
    /* Functions that are called at one place, in the module of the function: their lines are asked for too. */
    bool inside;
};
enum depend_kind { DEPEND_DATA, DEPEND_ORDER, DEPEND_CONTROL };
/* `to` must not begin before `from` has ended: in the same call, or in the next one. */
struct depend_edge {
    size_t from, to;
    enum depend_kind kind; /* data: `bytes` are handed on; order: a variable is used first; control: `from` decides */
    bool next;             /* in the next call */
    double bytes;
    char *object; /* owned; name of the variable, or what else it is; NULL: values */
};
/* A part calls a function, so many places of it. */
struct depend_call {
    size_t part;
    char *callee; /* owned */
    size_t n;
};
struct depend {
    VEC(struct depend_edge) edges; /* by from, to, next */
    VEC(struct depend_call) calls; /* by other functions too, that these call; all with IR */
    VEC(size_t) parts;             /* that have instructions, in the order of the code */
};
/* modules: paths of IR (.bc, .ll), up to a NULL. function: several with commas between are one, which calls them in that
 * order. ERR_INPUT: none of the modules defines the function, or the functions are in several. depend_release in any
 * case. */
enum status depend_make(struct depend *out, const char *const *modules, const char *function,
                        const struct depend_parts *parts, struct error *e) MUST_CHECK;
void depend_release(struct depend *d);

/*
 * The modules again, with each part of the function as a function of its own, "void map_unit_N(void)". Values and local
 * variables that parts share are variables of the module. The function itself is kept under another name; in its place
 * stands one that calls "void map_step(void)", which somebody else writes: it calls the parts in an order that the edges
 * allow, then "void map_finish(void)"; or "void map_sequential(void)", the function as it was.
 */
struct depend_split {
    VEC(char *) files; /* owned; names of the modules written, each with a table "map_variables_N" of its variables */
    bool outside;      /* a part calls a function without a source, or has volatile accesses */
};
/* Writes the modules into the folder. parts: numbers 0 ... n_parts - 1, as depend_make found no cycle of. ERR_INPUT: the
 * function cannot be taken apart; the message says why. depend_split_release in any case. */
enum status depend_split_write(struct depend_split *out, const char *folder, const char *const *modules,
                               const char *function, const struct depend_parts *parts, size_t n_parts,
                               struct error *e) MUST_CHECK;
void depend_split_release(struct depend_split *s);

#endif
