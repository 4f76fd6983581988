/*
 * generate_samples.h - sets of generated programs: candidates are made, counted, and those chosen that determine the
 * values of a classification best; or the first ones are taken as they come.
 */
#ifndef SHIMGEN_GENERATE_GENERATE_SAMPLES_H
#define SHIMGEN_GENERATE_GENERATE_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "boards/boards.h"
#include "regress/design/design.h"

struct candidate {
    char *name, *source, *stresses;
    uint64_t work; /* [IR instructions] */
};
struct candidates {
    struct candidate *at;
    size_t n;
};
/* Numbers 1 .. n of the seed's sequence. candidates_release. */
void candidates_make(struct candidates *out, uint64_t seed, size_t n);
void candidates_release(struct candidates *c);

/* Those marked (NULL: all) as <folder>/<set>/: a .c file each, and manifest.csv last. A set that is there already is
 * ERR_INPUT. */
enum status candidates_write(const struct candidates *c, const bool *marked, const char *folder, const char *set,
                             const char *domain, struct error *e) MUST_CHECK;

/* What is asked for. */
struct design_order {
    const struct board *board;                  /* whose levels the candidates are counted at */
    const char *set, *classes, *given, *counts; /* given, counts: files, may be NULL; counts is written */
    size_t n;
    uint64_t seed;
    long jobs;
};
struct design_result {
    struct regress_design *design;
    bool *marked;     /* of the candidates */
    size_t too_short; /* left out: they execute too little at some level for a measurement to say much */
};
/* Counts the candidates and chooses. design_result_release frees. */
enum status design_candidates(struct design_result *out, const struct candidates *c, const struct design_order *o,
                              struct error *e) MUST_CHECK;
void design_result_release(struct design_result *r);

#endif
