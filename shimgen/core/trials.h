/*
 * trials.h - kernels (kernels.h) made ready to run on a board: what stands in a unit that is repeated, what registers
 * and memory hold before, of which classes of instructions it tells, and what it took.
 */
#ifndef SHIMGEN_CORE_TRIALS_H
#define SHIMGEN_CORE_TRIALS_H

#include <stdbool.h>

#include "base/alloc.h"
#include "shimgen/core/kernels.h"

/* What memory holds when a trial begins. */
enum core_image {
    CORE_ZEROS,
    CORE_POINTERS,    /* every 8 bytes the address of its start */
    CORE_POINTERS_32, /* every 4 bytes the lower half of that */
    CORE_BITS,        /* bytes 0 and 1, at random */
    CORE_ASKEW        /* at each of the offsets 4, 6, 12, 28, 60 the place's own address */
};
/* Registers that are set: that of chains (the first of its table) and operands, 20 to 23 where registers have numbers. */
enum { CORE_CHAIN, CORE_X20, CORE_X21, CORE_X22, CORE_X23, CORE_SETUPS };
/* Values of them: a number, or a place in memory: "core_memory+4". */
#define CORE_PLACE "core_memory"
#define CORE_OTHER "core_other"

enum { CORE_TOLD = 3 };
struct core_trial {
    char *name;                     /* "mul64/chain", "mul64 with load"; owned, unique */
    char *text;                     /* assembly of a unit, a line each; owned */
    const char *setup[CORE_SETUPS]; /* NULL: 0 */
    bool ones;                      /* floating-point registers hold 1.0, else 0.0 */
    enum core_image image;
    unsigned classes[CORE_TOLD], n_classes; /* that its cycles depend on */
    unsigned copies;                        /* of what the name says, in a unit */
    unsigned units[2];                      /* in a pass of the short and of the long form */
    unsigned trips;                         /* passes that are timed */
    /* Measured, of a unit. */
    double cycles, half_width; /* NAN: it was not, or the board lacks the instruction */
    double mispredicted[2];    /* branches of a pass of the short and of the long form; NAN: not counted */
};
struct core_board_kernels;
struct core_trials {
    const struct core_kernels *kernels;
    const struct core_board_kernels *board;
    VEC(struct core_trial) list;
};
/* All trials of a target. core_trials_release. */
void core_trials_make(struct core_trials *t, const struct core_kernels *k);
void core_trials_release(struct core_trials *t);
/* Another one. Takes name and text; of a class, which `copies` of its instructions tell of. Its units and trips may be changed. */
struct core_trial *core_trials_add(struct core_trials *t, char *name, struct str *text, unsigned class,
                                   unsigned copies);
/* Sets operands of instructions that wait for none: addresses for accesses, else numbers that divisions take. */
void core_trials_operands(const struct core_trials *t, struct core_trial *one, const struct core_kernel *k);
/* NULL: there is none of this name; borrowed. */
const struct core_trial *core_trials_find(const struct core_trials *t, const char *name);
/* Cycles of a copy; NAN: not known. The name is printf's. */
double core_trials_cycles(const struct core_trials *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What waits for a result. */
struct core_consumer {
    unsigned class;
    const char *need;
    char file; /* 'x', 'f' or 'c': results in integer registers, in floating-point registers, flags */
    const char *text;
};
/* A trial of a kind of its own. */
struct core_special {
    const char *name, *text;
    enum core_image image;
    const char *setup[CORE_SETUPS];
    unsigned classes[CORE_TOLD];
};
/* What waits for long while fetch goes on: so many nops, then branches, which show how far ahead it came. */
#define CORE_AHEAD(wait, branch, nops)                                                                                 \
    {                                                                                                                  \
        "fetch/" #nops " ahead", wait ".rept " #nops "\nnop\n.endr\n.rept 4\n" branch " 1f\n1:\n.endr\n", CORE_ZEROS,  \
            {0},                                                                                                       \
        {                                                                                                              \
            ISS_BRANCH                                                                                                 \
        }                                                                                                              \
    }
#define CORE_AHEADS(wait, branch)                                                                                      \
    CORE_AHEAD(wait, branch, 0), CORE_AHEAD(wait, branch, 2), CORE_AHEAD(wait, branch, 4),                             \
        CORE_AHEAD(wait, branch, 6), CORE_AHEAD(wait, branch, 8), CORE_AHEAD(wait, branch, 10),                        \
        CORE_AHEAD(wait, branch, 12), CORE_AHEAD(wait, branch, 16), CORE_AHEAD(wait, branch, 24),                      \
        CORE_AHEAD(wait, branch, 40)
/* What boards run beside the kernels. */
struct core_board_kernels {
    const struct core_kernels *kernels;
    const struct core_consumer *consumers;
    size_t n_consumers;
    bool indexed;             /* the consumer of an address adds it to register 23 */
    const unsigned *partners; /* classes that pairs are made with, ended by ISS_NOP */
    const char *small_chain;  /* a load of the class load_small whose result can be an address of 32 bits */
    const struct core_special *specials;
    size_t n_specials;
    const char *head, *enter, *leave;   /* of the file; of a function; its end */
    const char *registers[CORE_SETUPS]; /* their names */
    unsigned operands;                  /* floating-point registers that hold some, from kernels->operand on */
    const char *one, *zero;             /* set floating-point register $d to that */
    const char *again;                  /* ends a pass: to .Lloop$d, unless it was the last */
    unsigned trips;                     /* passes: more where a clock ticks only every few cycles */
    unsigned least;                     /* instructions in a short form, about */
    bool ticks;         /* without a PMU, ticks in cycles of a chain of additions will do: one takes a cycle */
    bool divides_fixed; /* divisions take fixed registers: specials have those by length */
    /* For cores that issue out of order (wide/wide_trials.h); NULL: there are none. */
    const char *slot; /* an instruction that takes a slot at dispatch and nothing else */
    const char *wait; /* a chain of long operations that waits for nothing before it; its result is for `waiting` */
    const char *mixed, *waiting, *loads, *stores; /* what stands after it: of three kinds; what waits for it; ... */
};
extern const struct core_board_kernels core_board_aarch64, core_board_riscv64, core_board_x86_64;
/* NULL: none. */
const struct core_board_kernels *core_board_kernels_of(const char *architecture);
/* "aarch64, riscv64, x86_64"; the caller frees. */
char *core_board_kernels_list(void);
/* The register file that a kernel writes: 'x', 'f', 'c'; 0: none that is waited for. */
char core_result_file(const struct core_kernel *k);

#endif
