/*
 * generate.h - random C programs to learn from: well defined, deterministic, ending, each with a checksum that it
 * tests itself. Knows nothing of compilers, boards or models: text out of a seed.
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

#include "base/error.h"

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

/*
 * A csmith program (csmith --no-argc --no-consts --no-volatiles --no-const-pointers --no-volatile-pointers) made a
 * sample: its headers named by `include` (a folder), a region around its work, its variables set back when main is
 * called again, its checksum compared with `checksum`. ERR_INPUT when the text is not what csmith writes. csmith's own
 * text stays as it is between what is put around it; the result is owned by the caller.
 */
enum status generate_wrap_csmith(char **out, const char *text, const char *name, const char *include, uint32_t checksum,
                                 struct error *e) MUST_CHECK;
/* The same, to find the checksum: main prints it as one hexadecimal number and returns 0. */
enum status generate_ask_csmith(char **out, const char *text, const char *include, struct error *e) MUST_CHECK;

#endif
