/*
 * mca.h - runs of llvm-mca: how many cycles LLVM's scheduling model of a processor gives a block of instructions that
 * is repeated, and what the block occupies.
 */
#ifndef SHIMGEN_CORE_MCA_H
#define SHIMGEN_CORE_MCA_H

#include <stdint.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/llvm_programs.h"
#include "base/str.h"

enum { MCA_RESOURCES = 64 };
struct mca_block {
    char *name; /* owned, unique in its set */
    char *text; /* owned; assembly, a line each */
    /* Results. */
    double cycles;      /* of an iteration, steady; NAN: the processor does not have all of the instructions */
    uint64_t resources; /* those it occupies, a bit each (the first 64) */
    double pressure[MCA_RESOURCES]; /* cycles for which an iteration occupies each */
    double slots, latency;          /* of its last instruction: places when it is dispatched; as LLVM prints it */
};
struct mca_set {
    const char *triple, *cpu; /* borrowed */
    const char *prologue;     /* what stands before all blocks; NULL: nothing */
    VEC(struct mca_block) blocks;
    /* Results, owned. */
    char *version; /* "LLVM 19.1.7" */
    char *model;   /* what the names of the model's resources have in common: "A57", "SiFive7" */
    double width;  /* instructions that it dispatches in a cycle */
    unsigned
        kind[MCA_RESOURCES]; /* of a resource: the first one whose name is like its own but for a number at the end */
    /* Instructions and operations that it has room for; NAN: LLVM does not say. */
    double reorder, scheduler, loads, stores;
};
/* Takes the text. */
void mca_add(struct mca_set *set, char *name, struct str *text);
/* ERR_INPUT: LLVM does not know the processor (the message names similar ones), or has no scheduling model of it.
 * ERR_SYSTEM: llvm-mca is not installed, or fails. */
enum status mca_run(struct mca_set *set, struct error *e) MUST_CHECK;
/* NULL: there is none; borrowed. */
const struct mca_block *mca_find(const struct mca_set *set, const char *name);
void mca_release(struct mca_set *set);

#endif
