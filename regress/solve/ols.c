/*
 * Ordinary least squares, as in the paper:
 *
 *     min over x of | A x - b |
 *
 * with rows scaled by the caller (each program's total the same), x of any sign.
 * Every column is first divided by its length, so that the numerical rank does not
 * depend on how often an instruction occurs; then a complete orthogonal
 * factorisation with column pivoting (LAPACK's dgelsy). Where the rank is less than
 * the number of variables, of all solutions the one of least norm in the scaled
 * columns. A variable without counts gets 0.
 *
 * Source: Torigoe, Edahiro, LLVM-IR instruction latency measurement in performance
 * estimation with SHIM, equation (1); Golub, Van Loan, Matrix Computations, 5.5.
 */
#include "regress/solve/solver.h"

#include <cblas.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "regress/solve/lapack.h"

struct ols_work {
    struct lapack_work *lapack;
    double *a, *b, *length;
};

static void *work_new(size_t rows, size_t variables)
{
    struct ols_work *w = xcalloc(1, sizeof *w);
    w->lapack = lapack_work_new(rows, variables);
    w->a = xcalloc(rows * variables, sizeof *w->a);
    w->b = xcalloc(rows > variables ? rows : variables, sizeof *w->b);
    w->length = xcalloc(variables, sizeof *w->length);
    return w;
}

static void work_free(void *work)
{
    struct ols_work *w = work;
    lapack_work_free(w->lapack);
    free(w->a);
    free(w->b);
    free(w->length);
    free(w);
}

static enum status solve(void *work, const struct problem *q, struct solution *s, struct error *e)
{
    struct ols_work *w = work;
    size_t rank;
    memcpy(w->a, q->a, q->n * q->p * sizeof *w->a);
    memcpy(w->b, q->b, q->n * sizeof *w->b);
    for (size_t j = 0; j < q->p; j++) {
        w->length[j] = cblas_dnrm2((int)q->n, w->a + j * q->n, 1);
        if (w->length[j] > 0)
            for (size_t i = 0; i < q->n; i++)
                w->a[j * q->n + i] /= w->length[j];
    }
    double rcond = DBL_EPSILON * (double)(q->n > q->p ? q->n : q->p);
    enum status st = lapack_least_squares(w->lapack, q->n, q->p, w->a, w->b, rcond, &rank, e);
    if (st)
        return st;
    for (size_t j = 0; j < q->p; j++)
        s->x[j] = w->length[j] > 0 ? w->b[j] / w->length[j] : 0;
    s->strength = NAN;
    return OK;
}

extern const struct solver solver_ols;
const struct solver solver_ols = {
    "ols", "plain least squares as in the paper; values may be negative", false, work_new, work_free, solve, 0, 0};
