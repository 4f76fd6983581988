/*
 * target_code.h - machine instructions by what they do, and what they wait for, as
 * events beside the target's loads and stores (docs/method/target-code.md). Internal
 * to irprof.
 */
#ifndef IRPROF_CODEGEN_TARGET_CODE_H
#define IRPROF_CODEGEN_TARGET_CODE_H

#include <stdint.h>

#include "base/map.h"
#include "irprof/codegen/spill_line.h"

/* What an instruction does; what others wait for. One that also loads or stores what it works on (x86) is of the class
 * of its work. */
enum target_class {
    TARGET_NONE, /* makes no code */
    TARGET_ALU,
    TARGET_LOAD,
    TARGET_STORE,
    TARGET_MUL,
    TARGET_MUL_LONG, /* of integers of 64 bits */
    TARGET_DIV,
    TARGET_DIV_LONG,
    TARGET_FP, /* additions, multiplications, of scalars and of vectors */
    TARGET_FDIV,
    TARGET_FDIV_LONG, /* of doubles */
    TARGET_FCMP,
    TARGET_CONVERT,
    TARGET_MOVE, /* between files of registers */
    TARGET_VECTOR,
    TARGET_BRANCH,
    TARGET_CALL,
    TARGET_CLASSES
};

enum { TARGET_REGISTERS = 10, TARGET_NOWHERE = 0 };

struct target_code {
    unsigned char class;           /* enum target_class */
    unsigned char defined, used;   /* how many, at most TARGET_REGISTERS in all */
    bool reads;                    /* memory, and works on it */
    bool wide;                     /* on registers of 128 bits that are two of a small core's */
    uint16_t at[TARGET_REGISTERS]; /* numbers: those defined, then those used */
    uint32_t place;                /* in memory, a number; TARGET_NOWHERE: not known */
};

/* What lines name, numbered. Zero-initialised is empty; release both maps. */
struct target_names {
    struct map registers, places;
};

struct target_code target_code_of(const struct mir_line *m, struct target_names *names);

struct mir_function;
/* The waits of each instruction of a function, into its `accesses` (spill_mir.h): see target_wait.c. */
void target_waits(struct mir_function *f, const struct target_names *names);

#endif
