/*
 * key.h - the parser of an instruction's key, `opcode[.type][_d]` (docs/formats/profile.md). Code works with the struct;
 * the text is for files and messages. A parsed key points into its text, which must outlive it.
 */
#ifndef BASE_KEY_H
#define BASE_KEY_H

#include "base/instructions.h"

/* ---- types: "i32", "double", "v4f32", "nxv2i64", "ptr", "agg" ---- */

enum ir_type_kind {
    IR_TYPE_NONE, /* the key has none */
    IR_TYPE_INTEGER,
    IR_TYPE_FLOAT,  /* IEEE's, of 16, 32, 64 or 128 bits, and x87's 80 */
    IR_TYPE_BFLOAT, /* 16 bits of a float */
    IR_TYPE_PAIR,   /* PowerPC's two doubles, 128 bits */
    IR_TYPE_POINTER,
    IR_TYPE_AGGREGATE, /* a structure or an array */
    IR_TYPE_OTHER      /* a word that is no type known here: "target" */
};
struct ir_type {
    enum ir_type_kind kind;
    unsigned bits;  /* of a lane; 0: the kind does not say, as of pointers */
    unsigned lanes; /* of a vector; 0: it is none */
    bool scalable;  /* `lanes` times what the processor has */
};
struct ir_type ir_type(const char *text, size_t n);
/* "v4f32"; NULL: the type has no text. The caller frees. */
char *ir_type_text(const struct ir_type *t);

/* ---- keys ---- */

/* What the word after a branch or a call says about it. */
enum ir_form {
    IR_PLAIN,         /* nothing: of all other instructions */
    IR_CONDITIONAL,   /* br.cond */
    IR_UNCONDITIONAL, /* br.uncond */
    IR_DIRECT,        /* a call of a function of the program */
    IR_INDIRECT,      /* a call through a pointer */
    IR_ASM,           /* inline assembly */
    IR_LIBRARY,       /* a function of the C library, which has no IR: `name` */
    IR_INTRINSIC      /* of LLVM's: `name` */
};

/* The word: "cond", "direct", "library."; "" of IR_PLAIN. Static. */
const char *ir_form_word(enum ir_form form);

struct ir_key {
    enum ir_opcode opcode; /* IR_NONE: the key is not that of an instruction: "misses" */
    enum ir_class class;   /* of the opcode, or of the intrinsic */
    enum ir_form form;
    struct ir_type type; /* of the result, or the operand where that decides (docs/formats/profile.md) */
    bool dependent;      /* "_d": it uses the result of the instruction before it */
    const char *name;    /* IR_LIBRARY: "sin"; IR_INTRINSIC: "fma", "vector.reduce.add"; else NULL */
    size_t n_name;
    const char *text;            /* the whole key */
    size_t n_instruction, n_key; /* characters of it: of the opcode's name; without "_d" */
};

struct ir_key ir_key(const char *text);
/* Those of n texts. The caller frees the list. */
struct ir_key *ir_keys(char *const *texts, size_t n);
/* The instructions that do the same in code, as ir_does; NULL: it is none that is known to be several. */
const enum ir_opcode *ir_key_does(const struct ir_key *k);
/* A switch is at most so many comparisons in a row: a tree of 32 and a few ranges (irprof/events/branch_switch.c). */
enum { IR_SWITCH_BRANCHES = 40 };
/* How many branches that can be mispredicted one execution is at most: a condition, a switch, a call through a pointer
 * or a computed jump; 0 for anything else. */
unsigned ir_key_branches(const struct ir_key *k);
/* "fadd.double" of "fadd.double_d": the key without the mark. The caller frees. */
char *ir_key_plain(const struct ir_key *k);
/* "fadd": what the key counts, also of a key that is no instruction's. The caller frees. */
char *ir_key_instruction(const struct ir_key *k);
/* "double": what stands between; "" nothing. The caller frees. */
char *ir_key_rest(const struct ir_key *k);

/* ---- what names of keys and of their variables have in common ---- */

/* The mark of dependence, at the end of a key and of a variable of keys. */
#define IR_DEPENDENT "_d"
/* Has a name the mark? *n: its length without that. */
bool ir_dependent(const char *name, size_t *n);
/* `n` characters of a name, with the mark or without it. The caller frees. */
char *ir_marked(const char *name, size_t n, bool dependent);

/* "call.library.sin": the key of a call of a function of the C library. The caller frees. */
char *ir_library_key(const char *function);
/* Of a call with a name the plain key of that form, without types: "call.library.memcpy" and "call.llvm.memcpy" of either.
 * The caller frees. */
char *ir_call_key(const struct ir_key *k, enum ir_form form);
/* The key of the library's function that does what an intrinsic does: "call.library.powf" for "call.llvm.pow.float".
 * NULL: the key is not an intrinsic's. The caller frees. */
char *ir_library_key_of(const struct ir_key *k);

#endif
