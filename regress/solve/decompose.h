/* decompose.h - singular values of a table, and what follows from them: rank, condition, what cannot be told apart. */
#ifndef REGRESS_SOLVE_DECOMPOSE_H
#define REGRESS_SOLVE_DECOMPOSE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* A = U S V'. release_decomposition, whether decompose succeeded or not. */
struct decomposition {
    size_t n, p, least, rank;
    double *a;      /* n x p, a copy; column by column */
    double *values; /* least = min(n, p), descending */
    double *vt;     /* p x p, column by column: V_ji is vt[j * p + i]; NULL: not asked for */
};
/* The rank counts singular values above the largest times DBL_EPSILON times max(n, p). */
enum status decompose(struct decomposition *d, const double *a, size_t n, size_t p, bool vectors,
                      struct error *e) MUST_CHECK;
void release_decomposition(struct decomposition *d);

/* Largest by smallest singular value of the columns that have counts; INFINITY when these are dependent, NAN
 * when there are none. */
enum status decompose_condition(const double *a, size_t n, size_t p, double *result, struct error *e) MUST_CHECK;

/* Variable j has no part in a right singular vector whose singular value is 0: it is not tied to others. */
bool decompose_identified(const struct decomposition *d, size_t j);

#endif
