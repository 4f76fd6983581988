/*
 * A non-negative fit that a few programs cannot bend, the solver `huber`:
 *
 *     min over x >= 0 of sum_i rho(r_i),   r = A x - b,   rho(r) = r^2 / 2 for |r| <= d, else d (|r| - d / 2)
 *
 * by iteratively reweighted least squares: nnls with row i weighted by w_i, then w_i again from the residuals, 1 or
 * d / |r_i|. d is 1.345 times the residuals' scale, 1.4826 times their median size, found again in the first iterations
 * and then held, so that what is minimised is one function: 95 % of the efficiency of least squares where residuals are
 * normal. Ends when no value moves by more than 1e-9 of the greatest, or after 100 iterations.
 *
 * Sources: Huber, Ann. Math. Statist. 35 (1964); Holland, Welsch, Comm. Statist. A 6 (1977), for 1.345 and the
 * iteration.
 */
#include "regress/solve/solver.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "regress/solve/box.h"
#include "regress/solve/error_stats.h"

enum { ITERATIONS = 100, SCALE_ITERATIONS = 10 };

struct robust_work {
    struct box_work *box;
    double *a, *b, *residual, *weight, *scratch, *before;
};

static void *work_new(size_t rows, size_t variables)
{
    struct robust_work *w = xcalloc(1, sizeof *w);
    w->box = box_work_new(rows, variables);
    w->a = xcalloc(rows * variables, sizeof *w->a);
    w->b = xcalloc(rows, sizeof *w->b);
    w->residual = xcalloc(rows, sizeof *w->residual);
    w->weight = xcalloc(rows, sizeof *w->weight);
    w->scratch = xcalloc(rows, sizeof *w->scratch);
    w->before = xcalloc(variables, sizeof *w->before);
    return w;
}

static void work_free(void *work)
{
    struct robust_work *w = work;
    box_work_free(w->box);
    free(w->a);
    free(w->b);
    free(w->residual);
    free(w->weight);
    free(w->scratch);
    free(w->before);
    free(w);
}

static enum status weighted(struct robust_work *w, const struct problem *q, double *x, struct error *e)
{
    for (size_t i = 0; i < q->n; i++) {
        double root = sqrt(w->weight[i]);
        for (size_t j = 0; j < q->p; j++)
            w->a[j * q->n + i] = q->a[j * q->n + i] * root;
        w->b[i] = q->b[i] * root;
    }
    enum status s = box_solve(w->box, q->n, q->p, w->a, w->b, 0, 0, x, e);
    memcpy(w->residual, q->b, q->n * sizeof *w->residual);
    cblas_dgemv(CblasColMajor, CblasNoTrans, (int)q->n, (int)q->p, 1, q->a, (int)q->n, x, 1, -1, w->residual, 1);
    return s;
}

/* Has any value moved? */
static bool moved(struct robust_work *w, const double *x, size_t p)
{
    double most = 0, difference = 0;
    for (size_t j = 0; j < p; j++) {
        most = fmax(most, fabs(x[j]));
        difference = fmax(difference, fabs(x[j] - w->before[j]));
    }
    memcpy(w->before, x, p * sizeof *x);
    return difference > 1e-9 * most;
}

static enum status solve(void *work, const struct problem *q, struct solution *s, struct error *e)
{
    struct robust_work *w = work;
    double least = 1e-7 * q->unit, d = 0;
    for (size_t i = 0; i < q->n; i++)
        w->weight[i] = 1;
    memset(s->x, 0, q->p * sizeof *s->x);
    memset(w->before, 0, q->p * sizeof *w->before);
    enum status st = weighted(w, q, s->x, e);
    for (int iteration = 0; !st && iteration < ITERATIONS && (moved(w, s->x, q->p) || iteration <= SCALE_ITERATIONS);
         iteration++) {
        if (iteration < SCALE_ITERATIONS)
            d = fmax(1.345 * 1.4826 * stats_median_size(w->residual, q->n, w->scratch), least);
        for (size_t i = 0; i < q->n; i++) {
            double size = fmax(fabs(w->residual[i]), least);
            w->weight[i] = size <= d ? 1 : d / size;
        }
        st = weighted(w, q, s->x, e);
    }
    s->strength = NAN;
    return st;
}

extern const struct solver solver_huber;
const struct solver solver_huber = {
    "huber", "non-negative, Huber's loss: programs far off count less", true, work_new, work_free, solve, 0, 0};
