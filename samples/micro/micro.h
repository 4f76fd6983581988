/*
 * micro.h - microbenchmarks made as IR: one instruction in one situation, so often that its own cost can be told from
 * that of all around it.
 *
 *     micro_cases(&set, &target, &e);                  what there is to measure for a target
 *     micro_emit(&set, NULL, 0, "micro.bc", &e);       one module, ordinary IR with main and regions
 *     ...  clang-19 -O2 <flags of the board> -Xclang -disable-llvm-passes -c micro.bc -o micro.o, link, measure ...
 *     micro_read_code(&set, NULL, 0, "micro.o", codes, &e);   what the back end made of it
 *
 * A case is a loop whose body holds `k` copies of the instruction. It is there for several k (copies[0] is always 0),
 * and each is a region, named as micro_region says: "add.i32/chain/8". With the cycles C(k) of the region,
 *
 *     C(k) / trips = loop + k * cost
 *
 * so the slope over k, divided by trips, is the cost of one copy, and the loop's own is the fitted intercept. A copy
 * may hold other instructions besides (`with`): an integer compare gives an i1 that only an extension brings back to
 * where the next compare can take it. What they cost is to be taken off. Every region is entered once. Before that its
 * loop runs a few times in a region named "warm": code and data are in the caches as far as the condition lets them be.
 *
 * No IR pass ever sees these modules, and between the copies stands an empty inline assembly that the values pass
 * through, so that what a copy is does not depend on its neighbours. It makes no code.
 */
#ifndef SAMPLES_MICRO_MICRO_H
#define SAMPLES_MICRO_MICRO_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum micro_quantity {
    MICRO_LATENCY, /* a copy waits for the result of the one before */
    MICRO_PITCH    /* copies that do not wait for each other: cycles between two of them */
};

/* How much of the cost of a copy is the key's own. */
enum micro_share {
    MICRO_ALONE, /* all: `with` is empty, or makes no code of its own here, or is part of what the key is */
    MICRO_MINUS, /* what is left when the costs of `with`, measured by themselves, are taken off */
    MICRO_HALF   /* one of two that can only be measured as a pair (there and back): half of the cost */
};

enum { MICRO_COPIES = 4 };

/* Everything owned by the set. */
struct micro_case {
    char *key;       /* "add.i32": as in profiles, without _d; "call.library.sin": a function of the C library */
    char *condition; /* "chain", "stream,large", "pair:mul.i32", "chain,L2", "random", "size=64": words
                      * separated by commas, the shape first */
    char *with;      /* keys of what else each copy executes, spaces between; may repeat; "" nothing */
    enum micro_quantity quantity;
    enum micro_share share;
    bool typical;                  /* of the cases of this key and quantity, the one that stands for ordinary code */
    bool apart;                    /* says nothing of the instruction alone: a pair, a load that misses L1 */
    unsigned copies[MICRO_COPIES]; /* ascending, the first is 0 */
    unsigned trips;                /* iterations of the loop in one entry of the region */
    struct micro_recipe *recipe;   /* how it is emitted; nobody else's business */
};
struct micro_set {
    struct micro_case *at;
    size_t n;
    char *triple, *cpu, *features;
    size_t memory;     /* bytes of the working set in memory, see micro_target */
    bool soft_doubles; /* arithmetic on doubles is calls of the compiler's library: they are in integer registers */
    bool wide_atomics; /* what is atomic may have 64 bits */
};

/* What the cases are for. */
struct micro_target {
    const char *triple;   /* "aarch64-linux-gnu", of Thumb code "thumb-linux-gnueabihf"; NULL or "": this machine */
    const char *cpu;      /* as -mcpu= has it; NULL or "": the compiler's default for the triple */
    const char *features; /* "+sve,-crypto"; NULL or "": none besides the processor's */
    /* Working sets in bytes that are sure to be found there and not nearer; 0: no cases for that level.
     * L1 is always there: its cases use a few lines. */
    size_t l2, memory;
};

/* All cases for a target, in a fixed order; the same target gives the same set. ERR_UNSUPPORTED for a triple that this
 * LLVM or this library does not know (x86-64, AArch64, 64-bit RISC-V and 32-bit Arm are). *out: micro_release. */
enum status micro_cases(struct micro_set *out, const struct micro_target *target, struct error *e) MUST_CHECK;
void micro_release(struct micro_set *set); /* a zeroed one is fine */

/* "add.i32/chain/8"; the caller frees. It is also the name of the loop's function in the module and the object file. */
char *micro_region(const struct micro_case *c, unsigned copies);

/* Writes a module with the cases set->at[which[0..n)] (which NULL: all), as text when the path ends in ".ll", else as
 * bitcode. It is complete but for libc and libm; its main returns 0. The module is verified. */
enum status micro_emit(const struct micro_set *set, const size_t *which, size_t n, const char *path,
                       struct error *e) MUST_CHECK;

/* What the back end made of one copy: the difference of the functions of the two largest k, per copy. */
struct micro_code {
    bool found;          /* the object file has the case */
    bool even;           /* the same for every k: otherwise some copies were merged, or kept elsewhere */
    bool folded;         /* a copy makes no machine instruction at all: its cost was seen to be 0 */
    double instructions; /* machine instructions per copy, as they stand in the code (not: as they are executed) */
    char *mnemonics;     /* of one copy, sorted: "add", "csel cmp", "ldr*2"; "" folded */
    char *calls;         /* functions it calls, spaces between: "fmod"; "" none */
};
/* Reads the object file (relocatable, not linked) that was compiled of a module with these cases; out has n elements
 * (set->n when which is NULL), in the order of `which`: micro_code_release each. ERR_INPUT when it is no object file of
 * the set's target. */
enum status micro_read_code(const struct micro_set *set, const size_t *which, size_t n, const char *object,
                            struct micro_code *out, struct error *e) MUST_CHECK;
void micro_code_release(struct micro_code *c); /* a zeroed one is fine */

/* What C can produce and no case covers, with the reason, and what it costs as much as. */
struct micro_exclusion {
    const char *key, *like, *reason; /* static; a key may be a pattern of glob_match: "atomicrmw.*".
                                      * like: a key that has a case, "*" in it the pattern's own first part
                                      * ("fadd.fp128" is of "*.fp128", like "*.double": fadd.double); "" none: it costs
                                      * nothing, or C has none of it */
};
struct micro_exclusion *micro_exclusions(size_t *n); /* free() */

/* Significant bits of the quotient that a case of a division by a variable has: "udiv.i64", "chain,large" 63. -1: it is
 * another case, or one of more than 64 bits. */
int micro_quotient_bits(const char *key, const char *condition);

#endif
