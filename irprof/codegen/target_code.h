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
 * of its work. Of each class: cycles until its result is there on the reference core (target_wait.c), the event of its
 * instructions, the event of waits for them. */
#define TARGET_CLASS_LIST(each)                                                                                        \
    each(ALU, 1, "TARGET_ALU", "WAIT_ALU") each(LOAD, 3, "TARGET_LOAD_CODE", "WAIT_LOAD")                              \
        each(STORE, 1, "TARGET_STORE_CODE", "WAIT_STORE") each(MUL, 3, "TARGET_MUL", "WAIT_MUL")                       \
            each(MUL_LONG, 4, "TARGET_MUL_LONG", "WAIT_MUL_LONG") /* of integers of 64 bits */                         \
        each(DIV, 8, "TARGET_DIV", "WAIT_DIV") each(DIV_LONG, 16, "TARGET_DIV_LONG", "WAIT_DIV_LONG")                  \
            each(FP, 4, "TARGET_FP", "WAIT_FP") /* additions, multiplications, of scalars and of vectors */            \
        each(FDIV, 12, "TARGET_FDIV", "WAIT_FDIV")                                                                     \
            each(FDIV_LONG, 20, "TARGET_FDIV_LONG", "WAIT_FDIV_LONG") /* of doubles */                                 \
        each(FCMP, 1, "TARGET_FCMP", "WAIT_FCMP") each(CONVERT, 4, "TARGET_CONVERT", "WAIT_CONVERT")                   \
            each(MOVE, 4, "TARGET_MOVE", "WAIT_MOVE") /* between files of registers */                                 \
        each(VECTOR, 3, "TARGET_VECTOR", "WAIT_VECTOR") each(BRANCH, 1, "TARGET_BRANCH", 0)                            \
            each(CALL, 1, "TARGET_CALL", 0)
#define TARGET_CLASS(name, latency, event, wait) TARGET_##name,
enum target_class { TARGET_NONE /* makes no code */, TARGET_CLASS_LIST(TARGET_CLASS) TARGET_CLASSES };
#undef TARGET_CLASS

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
    bool narrow; /* registers of integers have 32 bits: what multiplies or divides one is not of 64 (RV32's MUL) */
};

/* Is the opcode one of these? Patterns of glob_match, with a blank between. */
bool opcode_is(struct line opcode, const char *patterns);
/* target_flops.c: floating-point operations of an instruction, in single precision: an addition, subtraction,
 * multiplication, division, square root, minimum or maximum is one, a fused multiplication and addition two, for each
 * lane; of doubles and wider numbers it is twice that. */
unsigned target_flops(struct line opcode);
struct target_code target_code_of(const struct mir_line *m, struct target_names *names);

struct mir_function;
/* The waits of each instruction of a function, into its `accesses` (spill_mir.h): see target_wait.c. */
void target_waits(struct mir_function *f, const struct target_names *names);

#endif
