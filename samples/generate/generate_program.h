/*
 * generate_program.h - random C programs to learn from: well defined, deterministic, ending, each with a checksum that
 * it tests itself. Knows nothing of compilers, boards or models: text out of a seed.
 *
 * A program is drawn as a tree, the tree is interpreted, and the checksum that the interpreter found is written into
 * the C text: what a compiler makes of it is judged by another way to the same result. The same seed and number give
 * the same bytes on every machine with IEEE 754 arithmetic. What is drawn, and from which ranges:
 * docs/method/generate.md.
 */
#ifndef SAMPLES_GENERATE_GENERATE_PROGRAM_H
#define SAMPLES_GENERATE_GENERATE_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

/* Everything is owned; generated_release frees. */
struct generated {
    char *name;     /* "g1_0007": seed and number; a C identifier, the region's name too */
    char *source;   /* C17, for the rules of samples/sample.h: compile with -ffp-contract=off */
    char *stresses; /* in words, without commas: what was drawn */
    uint64_t work;  /* IR instructions that the region executes at least, at any optimisation level */
    uint64_t steps; /* statements that the interpreter executed in the region */
    uint64_t checksum;
};

/* Program `number` of the sequence that `seed` begins; any order, any subset. */
void generate_program(struct generated *out, uint64_t seed, uint64_t number);
void generated_release(struct generated *g);

#endif
