/*
 * program.h - a drawn program as a tree, between the files that draw it, interpret it and write it as C.
 *
 * Meaning, the same in C and in the interpreter: integers wrap (computed unsigned, cast back), a divisor is made
 * positive, a shift amount is taken modulo the width, an index modulo the array's length, floating point is IEEE 754
 * with every operation rounded to its type. What cannot be made safe by form is checked as it is interpreted: a float
 * must stay finite and its conversion to an integer in range; a program that fails is drawn again.
 */
#ifndef SAMPLES_GENERATE_PROGRAM_H
#define SAMPLES_GENERATE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/str.h"

enum gen_type {
    GEN_I8,
    GEN_U8,
    GEN_I16,
    GEN_U16,
    GEN_I32,
    GEN_U32,
    GEN_I64,
    GEN_U64,
    GEN_FLOAT,
    GEN_DOUBLE,
    GEN_TYPES
};
bool gen_is_real(enum gen_type t);
bool gen_is_signed(enum gen_type t); /* of integers */
unsigned gen_bits(enum gen_type t);
const char *gen_c_name(enum gen_type t); /* "int16_t" */
const char *gen_word(enum gen_type t);   /* "int16", for prose */

/* A value of a type: of integers `i`, sign- or zero-extended (GEN_U64: the same bits); else `f`. */
struct value {
    int64_t i;
    double f;
};
int64_t gen_wrap(enum gen_type t, uint64_t bits); /* what a cast to an integer type leaves */

enum gen_op {
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_REM,
    OP_AND,
    OP_OR,
    OP_XOR,
    OP_SHL,
    OP_SHR,
    OP_ROTATE,
    OP_LESS,
    OP_EQUAL
};

enum expr_kind {
    EXPR_CONSTANT, /* value */
    EXPR_LOCAL,    /* number: which; in a function 0 and 1 are its arguments */
    EXPR_ELEMENT,  /* number: array; a: index */
    EXPR_NODE,     /* the value of the node where the chase stands */
    EXPR_FIELD,    /* a word of a block: number of the word; a: which block */
    EXPR_BINARY,   /* op, a, b; of DIV and REM number is the divisor's mask, of ROTATE the amount (b is NULL) */
    EXPR_NEGATE,   /* a */
    EXPR_CONVERT,  /* a, to `type` */
    EXPR_SELECT,   /* a ? b : c */
    EXPR_CALL,     /* number: function; a, b */
    EXPR_INDIRECT, /* through the table of functions; c chooses */
    EXPR_RECURSE   /* number: recursion; a: what goes down, b: the depth */
};
struct expr {
    enum expr_kind kind;
    enum gen_type type;
    enum gen_op op;
    int64_t number;
    struct value value;
    const struct expr *a, *b, *c;
};

struct block;
enum statement_kind {
    DO_ASSIGN, /* local `target` = value */
    DO_STORE,  /* array `target` [index] = value */
    DO_FIELD,  /* word `count` of block [index] = value */
    DO_COPY,   /* block [index] = block [value] */
    DO_STEP,   /* the chase goes one node on */
    DO_IF,     /* value: condition; body[0], body[1] (may be NULL) */
    DO_SWITCH, /* value % (count + 1) chooses among body[0 .. count - 1]; the last number does nothing */
    DO_LOOP,   /* for (target = 0; target < count; target++) body[0] */
    DO_DRAIN   /* target = value; while (target) { body[0]; target >>= count; }: an unsigned local */
};
enum { GEN_MOST_CASES = 8, GEN_MOST_LOCALS = 32 };
struct statement {
    enum statement_kind kind;
    size_t target;
    int64_t count;
    const struct expr *value, *index;
    struct block *body[GEN_MOST_CASES];
};
struct block {
    VEC(struct statement) list;
};

enum array_content {
    HOLDS_NOISE,    /* random bits; floats near 1, see below */
    HOLDS_ALWAYS,   /* 1 */
    HOLDS_PERIODIC, /* 1 in every `parameter`-th, else 0 */
    HOLDS_CHANCE    /* 1 with probability parameter / 256 */
};
/* Filled before the region; the first 4096 elements are drawn, the others repeat them. Floats are k / 2048 with k in
 * 1984 .. 2112: near 1, so that products stay finite, and exact in every type. */
struct array {
    char name[16];
    enum gen_type type;
    unsigned log2_length;
    enum array_content content;
    unsigned parameter;
    bool written, used;
};
struct function {
    const struct expr *value; /* of arguments 0 and 1, both of `type` */
    enum gen_type type;
    bool inlined; /* the compiler may */
    bool used;
};
/* f(x, n): n <= 0 ? x : f(step, n - 1) op x, twice: op f(x, n - 2) in place of x */
struct recursion {
    enum gen_type type;
    const struct expr *step; /* of argument 0 */
    enum gen_op op;
    bool twice;
    bool used;
};
struct node_ring { /* nodes in a closed walk through all of them, in an order that looks random */
    unsigned log2_length;
    unsigned padding; /* bytes after the value, so that nodes lie on lines of their own */
    enum gen_type type;
    uint32_t multiplier, increment; /* the walk goes from i to (multiplier i + increment) mod length */
};
struct local {
    char name[8];
    enum gen_type type;
    struct value initial; /* of a real: 1 */
    size_t from;          /* hoisted: element `from` of array `array`, if array is not (size_t)-1 */
    size_t array;
    bool declared; /* by a loop */
    bool used;
};
enum { GEN_TABLE = 4, GEN_BLOCKS_LOG2 = 5, GEN_TRAIL_LOG2 = 8 };

struct program {
    char *name;
    char *drawn;   /* prose for the first comment */
    uint32_t seed; /* of the arrays' content */
    VEC(struct array) arrays;
    VEC(struct function) functions; /* the first GEN_TABLE are in the table if `indirect` */
    VEC(struct recursion) recursions;
    bool indirect, chases, copies; /* some statement does: else there is no table, ring, block */
    struct node_ring ring;
    unsigned block_words;
    struct local locals[GEN_MOST_LOCALS];
    size_t n_locals;
    size_t trail;       /* array: written once an outer round */
    struct block body;  /* the whole work */
    VEC(void *) pieces; /* expressions and blocks */
};
/* Sets `used` everywhere, and indirect, chases, copies: what no statement needs is neither filled nor written. */
void program_find_used(struct program *p);
void program_release(struct program *p);
struct expr *program_expr(struct program *p, enum expr_kind kind, enum gen_type type);
struct block *program_block(struct program *p);

/* Noise of the arrays, in the interpreter as in the C text. */
static inline uint32_t gen_noise(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}
/* One word into the checksum, likewise. */
static inline uint64_t gen_digest(uint64_t sum, uint64_t word)
{
    sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return sum ^ sum >> 32;
}
enum { GEN_DRAWN = 4096 };
/* Every how many elements of an array one goes into the checksum. */
static inline size_t gen_digest_step(const struct array *a)
{
    return a->log2_length > 12 ? (size_t)1 << (a->log2_length - 12) : 1;
}

/* Executes the region once. False: not fit to be a sample (a float overflowed, a conversion was out of range, more than
 * `most` statements). */
bool program_interpret(const struct program *p, uint64_t most, uint64_t *steps, uint64_t *checksum);
/* The C text; `checksum` is what it expects. */
void program_print(struct str *out, const struct program *p, uint64_t checksum);

/* Draws a program that runs through its loop once (body.list.at[0].count); what it stresses, in words without commas. */
struct random;
void program_draw(struct program *p, struct str *stresses, struct random *r);

#endif
