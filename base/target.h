/*
 * target.h - what is known of the architectures that programs are compiled for: the only table of it. Facts of a single
 * core are in board.ini and in the model files of simulated cores; what measured programs contain (boards/runtime) asks
 * the compiler's macros.
 */
#ifndef BASE_TARGET_H
#define BASE_TARGET_H

#include <stdbool.h>
#include <stdint.h>

/* What holds for a target or does not, as bits. */
enum target_trait {
    /* Several instructions of the IR that become one. */
    TARGET_FUSES_PRODUCT = 1 << 0,   /* a product and what it is added to; a shift and the operation on its result */
    TARGET_FUSES_LOAD = 1 << 1,      /* a load and the operation on its value */
    TARGET_FUSES_COMPARE = 1 << 2,   /* a comparison of integers and the branch that it decides */
    TARGET_WIDENS_VECTORS = 1 << 3,  /* vectors of extended elements are multiplied as they were before */
    TARGET_WIDENS_PRODUCT = 1 << 12, /* factors of 32 bits, extended in the instruction, have a product of 64 bits */
    TARGET_KEEPS_DIVISION = 1 << 13, /* code that is not optimised divides by constants as by other numbers */
    TARGET_NO_REMAINDER = 1 << 17,   /* a remainder is a division, and an instruction that subtracts a product */
    /* What instructions there are. */
    TARGET_VECTORS = 1 << 4, /* in all processors that run Linux */
    TARGET_INDEXES = 1 << 5, /* addresses are the sum of two registers */
    TARGET_SELECTS = 1 << 6, /* a comparison's result is selected by: it is no number before that */
    TARGET_FLAGS_ONCE =
        1 << 15, /* LLVM compares again for each use of the flags; a comparison with 0 may go into a branch */
    TARGET_LONG_OVERFLOW = 1 << 7, /* products of 128 bits are tested for overflow without a library */
    /* Compilers, processors. */
    TARGET_PRESERVES_MOST = 1 << 8, /* LLVM has the calling convention preserve_most for it */
    TARGET_MACHINE_EVENTS = 1 << 9, /* the events of its code can be counted (irprof instrument --spills) */
    TARGET_LONG_HISTORY = 1 << 10,  /* its cores predict indirect jumps by long histories */
    TARGET_PMUV3 = 1 << 11,         /* performance events have the numbers of Arm's PMUv3 */
    TARGET_PAIRS = 1 << 14,         /* one instruction loads, or stores, two neighbours */
    TARGET_CALLS_ATOMICS = 1 << 16, /* operations on atomic variables are calls (-moutline-atomics, clang's default) */
};

enum { TARGET_CALL_RELOCATIONS = 4 };

/* Zero where a fact is not known. */
struct target {
    const char *name;                        /* as uname -m, qemu and LLVM's triples have it: "aarch64" */
    const char *words;                       /* how triples begin: one of these */
    const char *ends;                        /* and the triple ends so; NULL: in any way */
    const char *debian;                      /* architecture of its packages */
    const char *narrow;                      /* the 32-bit target whose programs its kernels run too */
    const char *clock;                       /* event of the counter that ticks at a constant rate */
    uint16_t elf_machine;                    /* EM_... of <elf.h> */
    unsigned pointer;                        /* bytes */
    uint32_t irelative;                      /* relocation by what a resolver returns (STT_GNU_IFUNC) */
    uint32_t calls[TARGET_CALL_RELOCATIONS]; /* relocations of calls in objects; 0: fewer */
    unsigned code_unit;                      /* bytes: instructions begin at multiples of it */
    unsigned stack_pointer;                  /* number of its register */
    const char *stack_name;                  /* the same, as LLVM's machine IR writes it */
    char real_constraint;                    /* of registers for floating point, in inline assembly */
    const char *comment;                     /* begins one in assembly */
    const char *features;                    /* of LLVM, for what runs Linux, where no processor is named */
    const char *all_features;                /* of LLVM, to disassemble what any processor has */
    const char *ordered_pass; /* of LLVM's code generator: the last that changes the order of instructions */
    unsigned table_cases;     /* LLVM makes a jump table of so many cases at least */
    unsigned traits;          /* enum target_trait */
};

/* By a triple ("aarch64-linux-gnu") or a name of an architecture ("armv7l"); never NULL: what is not known has the name
 * "", and facts that are usual. */
const struct target *target_find(const char *triple);
/* By the header of an ELF file; `bits`: 32 or 64. */
const struct target *target_of_elf(unsigned machine, unsigned bits);
/* All of the table, one after the other: NULL gives the first, the last one NULL. */
const struct target *target_next(const struct target *t);

static inline bool target_has(const struct target *t, enum target_trait trait)
{
    return (t->traits & (unsigned)trait) != 0;
}

#endif
