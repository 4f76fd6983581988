/* draw_program.h - between the files that draw a program: its traits (draw_program.c) and its statements (moves.c). */
#ifndef SAMPLES_GENERATE_DRAW_PROGRAM_H
#define SAMPLES_GENERATE_DRAW_PROGRAM_H

#include "base/random.h"
#include "samples/generate/program.h"

/* What a statement does. */
enum move {
    MOVE_ADD,
    MOVE_MULTIPLY,
    MOVE_DIVIDE,
    MOVE_LOGIC,
    MOVE_SHIFT,
    MOVE_SELECT,
    MOVE_CONVERT,
    MOVE_FADD,
    MOVE_FMULTIPLY,
    MOVE_FMULADD,
    MOVE_FDIVIDE,
    MOVE_FSELECT,
    MOVE_FCONVERT,
    MOVE_LOAD,
    MOVE_FLOAD,
    MOVE_STORE,
    MOVE_FSTORE,
    MOVE_CHASE,
    MOVE_COPY,
    MOVE_CALL,
    MOVE_INDIRECT,
    MOVE_RECURSE,
    MOVE_IF,
    MOVE_SWITCH,
    MOVE_DRAIN,
    MOVE_LOOP,
    MOVES
};
enum access { ACCESS_STRIDE, ACCESS_RANDOM, ACCESS_GATHER, ACCESS_VALUE };

/* Locals of one type that statements give values to in turn; what was given last can be asked for by distance. */
struct group {
    enum gen_type type;
    size_t first, n, given; /* given: how many values so far */
};

enum { MAIN_WEIGHT = 4 }; /* of the kinds that make most of the program, at least */

struct drawing {
    struct program *p;
    struct random *r;
    unsigned weight[MOVES], total;
    struct group integer, other, real, other_real;
    size_t hoisted_integer, hoisted_real; /* locals that never change */
    unsigned distance;                    /* operands are the results of so many statements ago */
    uint64_t divisor_mask;
    enum access access;
    unsigned stride;
    size_t data, real_data, sink, real_sink, ways, indices; /* arrays */
    size_t counters[4], depth;                              /* of the loops around */
    size_t random_state, drained;                           /* locals */
    size_t direct;                                          /* function that is called by its name */
    unsigned recursion_depth;
};

size_t draw_below(struct drawing *d, size_t n); /* 0 .. n - 1 */
bool draw_chance(struct drawing *d, unsigned percent);
size_t draw_local(struct drawing *d, char kind, enum gen_type type);
/* One statement (with what it needs before it) at the end of the block; nested ones hold up to a few. */
void draw_move(struct drawing *d, struct block *b);
/* One of each kind that makes most of the program. */
void draw_main_moves(struct drawing *d, struct block *b);
/* A value from memory into the first integers' chain, so that they keep changing. */
void draw_fresh(struct drawing *d, struct block *b);
/* Local `l` as an expression, and element [index] of an array. */
struct expr *draw_value(struct drawing *d, size_t local);
struct expr *draw_binary(struct drawing *d, enum gen_op op, enum gen_type type, const struct expr *a,
                         const struct expr *b);
struct expr *draw_integer(struct drawing *d, enum gen_type type, int64_t value);

#endif
