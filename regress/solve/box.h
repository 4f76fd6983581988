/*
 * box.h - least squares in a box: min over low <= x <= high of |A x - b|. Non-negative least squares (nnls.c) is the
 * box from 0 without an upper side; shrink, robust (huber) and tree are built on that, bounded on any box.
 */
#ifndef REGRESS_SOLVE_BOX_H
#define REGRESS_SOLVE_BOX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Made once for the largest problem; a solve allocates nothing. One thread at a time. */
struct box_work;
struct box_work *box_work_new(size_t rows, size_t variables);
void box_work_free(struct box_work *w);

/* a: n x p, column by column. low, high: p each; NULL: 0 and infinity for all. x holds the start, in the box: its
 * places that are on no side are the first free ones; all on their lower sides, or the solution of a similar problem.
 * On OK it is the solution, which keeps to the sides to the last bit. ERR_INPUT: a side is too large for these counts;
 * ERR_UNSUPPORTED: no solution was found that meets the conditions. */
enum status box_solve(struct box_work *w, size_t n, size_t p, const double *a, const double *b, const double *low,
                      const double *high, double *x, struct error *e) MUST_CHECK;

/* How far x is from the solution: the largest fault in the optimality conditions, of columns that have length 1. 0 at
 * the solution, infinity when something is not a number. box_solve accepts 1e-8 of b's length. */
double box_fault(struct box_work *w, size_t n, size_t p, const double *a, const double *b, const double *low,
                 const double *high, const double *x);

#endif
