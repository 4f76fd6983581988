/*
 * kernels.h - short sequences of real machine instructions that show what a core's timing is: chains, in which each
 * instruction waits for the one before, and streams, in which none does. One table per target. A kernel is text for the
 * assembler, so a scheduling model (mca.h) and a board can run the same ones.
 *
 * In a text, $d is the number of the register that is written ($e: the second one), $s of the one that the chain goes
 * through. In a stream $d takes turns, and $s is a register that nobody writes. The table's `operand`, and one or two after
 * it, hold operands, and addresses. What sets flags and needs them ("flags") has no stream of independent ones.
 */
#ifndef SHIMGEN_CORE_KERNELS_H
#define SHIMGEN_CORE_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "sim/core/op.h"

/* What instructions of a class are on every target; by class. A target whose instruction is otherwise has its own. */
struct core_kind {
    const char *unit;        /* of the model file, which such instructions use by their nature; "none" */
    const char *need;        /* what $s is needed for; NULL: it has no chain */
    unsigned back;           /* class whose kernel brings the result to where $s is read; ISS_NOP: it is there */
    const char *second_need; /* what the operand of a second text is needed for; "result": it is the second result */
};
extern const struct core_kind core_kinds[ISS_CLASS_N];

/* An instruction of a class of the model file (enum iss_class), or its 32-bit form. */
enum { CORE_32 = 1 << 8 };
struct core_kernel {
    unsigned class;
    const struct core_kind *kind;
    const char *text;   /* the instruction */
    const char *second; /* the same instruction, with the chain through another operand or result; NULL: none */
    bool changes;       /* $d is an operand too: a stream is as many chains as it has registers */
};
#define KERNEL(class, text)                                                                                            \
    {                                                                                                                  \
        ISS_##class, &core_kinds[ISS_##class], text, NULL, false                                                       \
    }
#define KERNEL_TWICE(class, text, second)                                                                              \
    {                                                                                                                  \
        ISS_##class, &core_kinds[ISS_##class], text, second, false                                                     \
    }
#define KERNEL_32(class, text, second)                                                                                 \
    {                                                                                                                  \
        ISS_##class | CORE_32, &core_kinds[ISS_##class], text, second, false                                           \
    }

/* How early `consumer` needs what `producer`, of a class, makes: with more and more producers of other registers between
 * them, until it waits no longer. Of an addition that is a need of the core; of other classes it is their own. */
struct core_need_kernel {
    unsigned class;
    const char *need;
    const char *producer, *consumer; /* $d of the producer is $s of the consumer */
};

struct core_kernels {
    const char *architecture; /* as target.h names it */
    const char *prologue;     /* what the assembler must be told first; NULL: nothing */
    unsigned operand;         /* the first of the registers that hold operands */
    unsigned first, turns;    /* registers that streams write: first ... first + turns - 1 */
    const char *const *low;   /* names of the registers that have no numbers, after r or e: "ax", ...; NULL: all have */
    const struct core_kernel *at;
    size_t n;
    const struct core_need_kernel *needs;
    size_t n_needs;
    const char *use;        /* adds to what a kernel has made: an addition, that gives a chain from a load to it */
    const char *write_back; /* a load that changes its address register $s; NULL: the target has none */
    bool renames_stack;     /* cores change the stack pointer of push, pop, call and return without an addition */
};
extern const struct core_kernels core_kernels_aarch64, core_kernels_riscv64, core_kernels_x86_64;

/* NULL: there is no table for this architecture. */
const struct core_kernels *core_kernels_of(const char *architecture);
/* "aarch64, riscv64, x86_64"; the caller frees. */
char *core_kernels_list(void);
const struct core_kernel *core_kernels_find(const struct core_kernels *k, unsigned class);
/* Does it make the whole core wait, if anything? What uses no unit and has a result does, as reading a special register. */
bool core_kernel_holds(const struct core_kernel *k);
/* A unit (enum iss_unit) by its name in the model file; ISS_UNIT_NONE for "none" and any other. */
unsigned core_unit_of(const char *name);
/* "fp_add.32", as the model file has it. The caller frees. */
char *core_class_name(unsigned class);

/* Append lines of assembly. */
void core_kernel_line(struct str *to, const struct core_kernels *k, const char *text, unsigned d, unsigned s);
/* turns instructions that do not wait for each other. */
void core_kernel_stream(struct str *to, const struct core_kernels *k, const char *text);

#endif
