/*
 * blocks.h - what the blocks of a model cost: the cycles of a profile's parts, summed by the block that the source line
 * belongs to (block_tree.h), for each of some cores.
 *
 * A part (irprof.h) is in exactly one row, so that the rows add up to the program, whatever rows are: blocks, systems
 * or functions. Code that has lost its line, because the optimiser made one instruction of several, belongs to the
 * block that all other code of its basic block belongs to, if there is one, else to its function.
 *
 * STEPS are the calls of a function that was counted call by call (irprof instrument --steps): its region "NAME#", and
 * a region "NAME#1", "NAME#2" ... for each path through it (docs/formats/profile.md).
 */
#ifndef SHIMGEN_BLOCKS_BLOCKS_H
#define SHIMGEN_BLOCKS_BLOCKS_H

#include "shimgen/blocks/block_tree.h"
#include "shimgen/estimate/estimate.h"

enum blocks_by { BLOCKS_BY_BLOCK, BLOCKS_BY_SYSTEM, BLOCKS_BY_FUNCTION };

/* All borrowed. */
struct blocks_request {
    const struct irprof_profile *profile;
    size_t region;
    const struct costs *cores; /* n_cores, at least one */
    size_t n_cores;
    const struct estimator *method;
    const char *const *programs; /* for method compiled, as in estimate_request */
    const char *board;
    const char *step;     /* function whose steps are shown; NULL: the first that has any */
    const char *folder;   /* of sources that are not where they were compiled; NULL */
    const char *measured; /* table of what a simulated board measured (measured.h); NULL: none */
    bool changed_sources; /* accept sources that have changed since they were compiled, with a note */
    enum blocks_by by;
};

/* What was made of a row's code. */
enum blocks_state {
    BLOCKS_EXECUTED,
    BLOCKS_NOT_EXECUTED, /* it is in the program */
    BLOCKS_NOT_LEFT,     /* there is code in the source, and none in the program */
    BLOCKS_WITHOUT_CODE, /* there is only the comment */
    BLOCKS_WITHOUT_LINE  /* a function or region that shares all its lines with the code around it */
};
/* Of one core, over the steps [cycles, typical]. */
struct blocks_step {
    double mean, best, worst;
};
/* What was executed of a block; see blocks_row. */
struct blocks_counts {
    uint64_t instructions, executions, read, written, copies, merged, inlined, moved;
};
struct blocks_row {
    const struct block *block;
    const char *path; /* of its source; NULL: none */
    enum blocks_state state;
    uint64_t instructions;     /* executed */
    uint64_t executions;       /* how often control came through it: of its instructions outside of its own loops, those
                                  executed most; summed over the functions it is in */
    uint64_t read, written;    /* [bytes], by loads and stores, those of local variables too */
    uint64_t copies;           /* memcpy, memset and other calls that move data whose size is not in the profile */
    uint64_t merged;           /* of the instructions: those that have lost their source line */
    uint64_t inlined;          /* those inlined into another function */
    uint64_t moved;            /* those that are not in source order in their basic block */
    struct cycles *cycles;     /* owned; of each core */
    struct blocks_step *steps; /* owned; of each core; NULL: no steps */
    struct blocks_counts in_steps; /* of all steps together; 0 without steps */
    /* Owned; of each core: with what stands in it and what it calls. The mean of steps: NULL if there are none. */
    double *inclusive, *step_inclusive;
    uint64_t measured; /* cycles of all executions on the simulated board; 0 without a table */
};
/* A block on one of several call paths. The instances of a block add up to it, but for what of it was inlined into functions
 * that are called in one way. */
struct blocks_instance {
    uint32_t block; /* number in the tree: a row's */
    char *path;     /* owned; blocks that call, the outermost first: "function main > Model <Root>/Ref1"; "": unknown */
    double calls;   /* of the function it is in */
    bool exact;     /* false: the function's cycles are divided by calls */
    double *self, *inclusive; /* owned; of each core */
};
struct blocks_instances {
    struct blocks_instance *at; /* owned */
    size_t n;
};
struct blocks {
    struct tree tree;
    const struct blocks_request *request; /* borrowed */
    /* owned; the most expensive first, by the mean step if there are steps, on the first core */
    struct blocks_row *rows;
    size_t n_rows;
    uint64_t instructions;
    struct cycles *total;             /* owned; of each core: of all parts */
    uint64_t measured;                /* cycles on the simulated board: of all rows */
    struct blocks_step *steps;        /* owned; of each core: of the whole step; NULL: no steps */
    const struct irprof_region *step; /* borrowed; all calls of the function counted call by call; NULL: none */
    /* Of rows with several call paths: in the run; of the mean step. */
    struct blocks_instances instances, step_instances;
    uint64_t n_steps, n_kinds; /* calls, and the different paths through it */
    bool step_kinds_complete;  /* false: there were more paths than are kept apart; best and worst are of those kept */
    VEC(char *) notes;         /* owned; for the user: missing sources, assumed values */
};

/* ERR_INPUT: no source of the profile can be read; a source is not the one that was compiled (the profile has code on a
 * line that has none, or its checksum is another). blocks_free. */
enum status blocks_make(struct blocks **out, const struct blocks_request *q, struct error *e) MUST_CHECK;
void blocks_free(struct blocks *b); /* NULL is fine */

/* The name of a row for people: "Gain <S1>/Gain", "state On <S2>:4", "function main"; the caller frees. */
char *blocks_title(const struct block *b);
const char *blocks_state_name(enum blocks_state s); /* static */

#endif
