/*
 * spill_mir.h - LLVM's machine IR (MIR, as text), as far as counting loads and stores
 * and classes of instructions need it: blocks, their successors, and of each instruction what it
 * accesses in memory, what it does and what it waits for. Internal to irprof.
 */
#ifndef IRPROF_CODEGEN_SPILL_MIR_H
#define IRPROF_CODEGEN_SPILL_MIR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/graph.h"
#include "base/error.h"
#include "base/target.h"
#include "irprof/codegen/target_code.h"

#define MIR_NONE GRAPH_NONE

/* Memory accesses: all there are, and those of them that the code generator has added, that is whose place in memory
 * the IR does not know. */
enum mir_access {
    MIR_LOAD,
    MIR_STORE,
    MIR_STACK_LOAD, /* spilled and callee-saved registers, arguments on the stack, temporaries */
    MIR_STACK_STORE,
    MIR_CONSTANT_LOAD, /* from the constant pool, the global offset table, a jump table */
    MIR_ACCESSES
};
/* What is counted of an instruction: accesses; 1 for its class; 1 if it works on registers of 128 bits; its floating-point
 * operations; cycles it waits
 * for an instruction of a class. */
enum {
    MIR_CLASS = MIR_ACCESSES,
    MIR_WIDE = MIR_CLASS + TARGET_CLASSES,
    MIR_FLOPS,
    MIR_WAIT,
    MIR_EVENTS = MIR_WAIT + TARGET_CLASSES
};

struct mir_instruction {
    size_t place; /* line of its debug location; 0: none */
    bool call;
    struct target_code code;
    unsigned counts[MIR_EVENTS]; /* accesses: of a register each, a pair of registers counts as two */
};
struct mir_block {
    size_t number;   /* %bb.N */
    size_t ir_block; /* N of LABEL_BLOCK, or MIR_NONE: the code generator's own */
    size_t taken;    /* the block that the first branch at its end leads to if taken; MIR_NONE: none */
    VEC(struct mir_instruction) instructions; /* calls, and those that make code, have a place or access memory */
};
struct mir_function {
    size_t number;                /* N of LABEL_FUNCTION */
    VEC(struct mir_block) blocks; /* the first is the entry */
    struct graph graph;           /* of the blocks, by their indices; linked */
};
struct mir {
    VEC(struct mir_function) functions; /* those named as above, in the order of the text */
};

/* Reads what `llc -stop-after=PASS` prints, a PASS after register allocation. ERR_UNSUPPORTED: not as expected, as it may happen with an LLVM this was not written for. mir_release frees,
 * also after an error. */
enum status mir_parse(struct mir *out, const char *text, const struct target *target, struct error *e) MUST_CHECK;
void mir_release(struct mir *m);

/* spill_access.c: what one instruction accesses, added to accesses[MIR_ACCESSES]. */
void mir_accesses(const struct mir_line *m, const char *stack, unsigned *accesses);

#endif
