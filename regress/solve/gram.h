/*
 * gram.h - non-negative least squares of one table many times, with rows left out or drawn several times, by normal
 * equations; formula and sources in gram.c.
 *
 * Normal equations square the condition number. So a solution is corrected with the residuals of the rows themselves,
 * and is handed out only when these show that it satisfies the conditions of Karush, Kuhn and Tucker; where it does
 * not, or the columns are too nearly dependent, the answer is "not by this way", and the caller takes box_solve.
 */
#ifndef REGRESS_SOLVE_GRAM_H
#define REGRESS_SOLVE_GRAM_H

#include <stdbool.h>
#include <stddef.h>

/* What all solves share; read only after it is made. */
struct gram {
    size_t n, p;
    double *a;      /* n x p, column by column, columns of length 1 */
    double *b;      /* n */
    double *length; /* of the columns as they were */
    double *aa;     /* p x p: A'A */
    double *ab;     /* p: A'b */
};
/* a (n x p, column by column) and b are copied. */
struct gram *gram_new(size_t n, size_t p, const double *a, const double *b);
void gram_free(struct gram *g);

/* One for each thread. */
struct gram_work;
struct gram_work *gram_work_new(const struct gram *g);
void gram_work_free(struct gram_work *w);

/* min over x >= 0 of sum over i of weight_i (a_i x - b_i)^2. `x` holds the start (the positive places of a similar
 * problem's solution; all 0: none), and on success the solution. False: not by this way; x is as it was. Rows of
 * weight 0 are few, or many: the sums are made from whichever is less. */
bool gram_nnls(const struct gram *g, struct gram_work *w, const double *weight, double *x);

#endif
