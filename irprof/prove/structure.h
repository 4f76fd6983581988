/* structure.h - the verdict of structure. Internal to irprof/prove. */
#ifndef IRPROF_PROVE_STRUCTURE_H
#define IRPROF_PROVE_STRUCTURE_H

#include "irprof/prove/code_lines.h"
#include "irprof/prove/prove.h"

/* Loads both modules, compares IR and machine code. ERR_INPUT: they cannot be read or compiled. */
enum status structure_prove(struct prove_finding *f, const char *base, const char *stamped, struct error *e) MUST_CHECK;

/* What two machine codes have in common. */
struct structure_counts {
    size_t original;         /* instructions that were made of the IR */
    size_t lost;             /* of these, not in the stamped code */
    size_t shared;           /* of these, there under the number of a stamp, of another instruction, or of none */
    size_t added;            /* in the stamped code, made of the original's IR, and not in the original's code */
    size_t stamps;           /* made of stamps */
    size_t at_branches;      /* of these, under the number of a jump of the original: addresses of stamps in loops */
    size_t own_long, longer; /* in AMD's encoding of 64 bits: in the original's code, in the stamped, without stamps */
    size_t own, own_stamped; /* the code generator's: waits, copies, spills, prologues */
    bool reordered;          /* the instructions of the original are in another order */
};
/* Adds those of one function. `changes` takes the first differences in words. */
void structure_compare(struct structure_counts *c, const struct code_function *base,
                       const struct code_function *stamped, struct str *changes);

#endif
