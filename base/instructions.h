/*
 * instructions.h - the instructions of LLVM's IR, without LLVM: their names, what they do, their stand-ins. The table
 * is instructions.def. All names returned are static.
 */
#ifndef BASE_INSTRUCTIONS_H
#define BASE_INSTRUCTIONS_H

#include <stdbool.h>
#include <stddef.h>

enum ir_opcode {
    IR_NONE,
#define INSTRUCTION(id_, ...) IR_##id_,
#include "base/instructions.def"
    IR_OPCODES,
    IR_NOTHING = IR_OPCODES /* among stand-ins: it makes no code */
};

/* What an instruction does. Instructions of one class are treated alike. */
enum ir_class {
    IR_CLASS_OTHER,
    IR_CLASS_SUM,        /* integers: add, sub */
    IR_CLASS_LOGIC,      /* and, or, xor */
    IR_CLASS_SHIFT,      /* shl, lshr, ashr */
    IR_CLASS_COMPARE,    /* icmp */
    IR_CLASS_PRODUCT,    /* mul */
    IR_CLASS_DIVISION,   /* quotients and remainders of integers */
    IR_CLASS_FSUM,       /* floating point: fadd, fsub */
    IR_CLASS_FNEGATION,  /* fneg */
    IR_CLASS_FCOMPARE,   /* fcmp */
    IR_CLASS_FPRODUCT,   /* fmul, and fused with an addition */
    IR_CLASS_FDIVISION,  /* fdiv, frem, square roots */
    IR_CLASS_EXTENSION,  /* zext, sext */
    IR_CLASS_TRUNCATION, /* trunc */
    IR_CLASS_CONVERSION, /* between floating point and integers, or of another precision */
    IR_CLASS_NAME,       /* another name of a value that is there: no code on usual targets */
    IR_CLASS_LOAD,
    IR_CLASS_STORE,
    IR_CLASS_ATOMIC, /* read and write in one */
    IR_CLASS_FENCE,
    IR_CLASS_ADDRESS, /* getelementptr */
    IR_CLASS_SELECT,
    IR_CLASS_VECTOR, /* elements into vectors and out of them */
    IR_CLASS_JUMP,   /* to another block of the function */
    IR_CLASS_CALL,
    IR_CLASS_RETURN,
    IR_CLASS_EXCEPTION,
    IR_CLASS_NOTHING, /* is never executed */
    IR_CLASSES
};

enum { IR_LIKE_MOST = 4, IR_DOES_MOST = 8 };

struct ir_instruction {
    const char *name; /* "add" */
    const char *key;  /* its commonest key in C, "add.i32" */
    enum ir_class class;
    int in, out; /* bits of the operands and the result of the commonest form */
    struct {
        bool result; /* what a key's type does not say is the result, else the operands ... */
        int bits;    /* ... of so many bits a lane; 0: by the type: */
        int halves;  /* so many halves of it; 0: of all of it */
    } other;
    enum ir_opcode like[IR_LIKE_MOST + 1]; /* what stands for it, best first; ends with IR_NONE or IR_NOTHING */
    const char *no_case;                   /* why no microbenchmark measures it; NULL: one does */
};

/* Of an opcode from IR_NONE + 1 to IR_OPCODES - 1. */
const struct ir_instruction *ir_instruction(enum ir_opcode opcode);

/* The opcode of a name of n characters, or of another spelling of it; IR_NONE: there is none. */
enum ir_opcode ir_opcode(const char *name, size_t n);

/* The opcode's instructions in SHIM files, in their order: each once, and other spellings that readers look for. */
struct ir_listed {
    const char *name;      /* as in the file */
    enum ir_opcode opcode; /* what it is */
    bool spelling;         /* another spelling of it */
    bool in_c;             /* does a C program execute it, by default */
    const char *what;      /* what in C becomes it; where in_c is false: why nothing does */
};
enum {
#define INSTRUCTION(id_, ...) IR_LISTED_##id_,
#define SPELLING(id_, ...)    IR_LISTED_##id_,
#include "base/instructions.def"
    IR_LISTED
};
const struct ir_listed *ir_listed(size_t i); /* i < IR_LISTED */
/* The index of a name in that list; IR_LISTED: it is not there. */
size_t ir_listed_index(const char *name);

/* ---- intrinsics, by their names without "llvm." ---- */

/* Makes it no code by definition? */
bool ir_intrinsic_no_code(const char *name, size_t n);
/* Moves it as much memory as its operands say? */
bool ir_intrinsic_moves_memory(const char *name, size_t n);
/* Of those that take the time of a class of instructions; IR_CLASS_CALL: of the others. */
enum ir_class ir_intrinsic_class(const char *name, size_t n);
/* Floating-point operations a lane: of a fused multiply-add 2; 0: it calculates nothing. */
unsigned ir_intrinsic_floats(const char *name, size_t n);

/* ---- what is several instructions in code ---- */

/* The instructions that do the same as one of this opcode (of a call: of the intrinsic `name`, n characters), up to
 * IR_NONE; NULL: it is none that is known to be several. */
const enum ir_opcode *ir_does(enum ir_opcode opcode, const char *name, size_t n);

/* ---- keys that cost as much as others ---- */

struct ir_key_like {
    const char *pattern; /* of glob_match: "*.fp128" */
    const char *like;    /* "*.double": "*" is what the pattern's took; "": no other */
    const char *why;
};
const struct ir_key_like *ir_key_likes(size_t *n);

/* ---- functions of the C library ---- */

/* Its names are reserved (C17 7.1.3): what is called so, and not defined in the module, is the library's. */
bool ir_is_library_function(const char *name);

#endif
