/* cover.h - shared by coverage.c, coverage_keys.c and coverage_words.c. */
#ifndef REGRESS_DESIGN_COVER_H
#define REGRESS_DESIGN_COVER_H

#include "regress/solve/decompose.h"
#include "regress/solve/fitter.h"

struct regress_coverage; /* coverage.h */
struct regress_covered;
struct cover {
    const struct fitter *f;
    struct regress_coverage *out;
    double *x; /* values */
    double *z; /* n x p, column by column */
    double *length, *residual;
    struct decomposition d;
    double *g, *q; /* p x p and n x p, see coverage.c */
};

/* What counts and targets of row i are multiplied with, so that a relative target is 1. */
static inline double cover_row_scale(const struct fitter *f, size_t i)
{
    return f->scale[i] / f->unit;
}

/* Adds to count, rows and groups; counts of each of the fitter's rows. */
void cover_occurrence(struct regress_covered *x, const struct fitter *f, const double *counts);
/* Sets effective, strongest and strongest_of from what rows bring (squared). */
void cover_weigh(struct regress_covered *x, const struct fitter *f, const double *brought);
/* The keys, and how much of the variables' counts is dependent. */
void cover_keys(struct cover *c);

/* Standing and words, from the figures. */
void cover_judge_variable(struct regress_coverage *c, size_t j);
void cover_judge_key(struct regress_coverage *c, size_t k);

#endif
