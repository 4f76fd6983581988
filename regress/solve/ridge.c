/*
 * Ridge regression, values of any sign:
 *
 *     min over x of  | A x - b |^2  +  t s1^2 sum over v of (l_v x_v)^2
 *
 * l_v is the length of column v, s1 the greatest singular value of A with columns of length 1: t is relative to the
 * table. With the singular values s_i and vectors u_i, v_i of that matrix, x_v l_v = sum_i s_i / (s_i^2 + t s1^2)
 * (u_i'b) v_i. Where t is not given it is the one of a grid with the least generalised cross-validation
 *
 *     n | A x - b |^2 / (n - sum_i s_i^2 / (s_i^2 + t s1^2))^2
 *
 * which the rows of the fit alone decide.
 *
 * Sources: Hoerl, Kennard, Technometrics 12 (1970); Golub, Heath, Wahba, Technometrics 21 (1979).
 */
#include "regress/solve/solver.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "regress/solve/lapack.h"

enum { N_GRID = 33 }; /* 1 to 1e-8, four a decade */

struct ridge_work {
    struct lapack_work *lapack;
    double *a, *copy, *length, *values, *vt, *ub, *y;
};

static void *work_new(size_t rows, size_t variables)
{
    struct ridge_work *w = xcalloc(1, sizeof *w);
    w->lapack = lapack_work_new(rows, variables);
    w->a = xcalloc(rows * variables, sizeof *w->a);
    w->copy = xcalloc(rows * variables, sizeof *w->copy);
    w->length = xcalloc(variables, sizeof *w->length);
    w->values = xcalloc(variables, sizeof *w->values);
    w->vt = xcalloc(variables * variables, sizeof *w->vt);
    w->ub = xcalloc(variables, sizeof *w->ub);
    w->y = xcalloc(rows, sizeof *w->y);
    return w;
}

static void work_free(void *work)
{
    struct ridge_work *w = work;
    lapack_work_free(w->lapack);
    free(w->a);
    free(w->copy);
    free(w->length);
    free(w->values);
    free(w->vt);
    free(w->ub);
    free(w->y);
    free(w);
}

/* n times the mean square of the residuals over the square of the share of freedom that is left. */
static double generalised(const struct ridge_work *w, size_t n, size_t rank, double bb, double penalty)
{
    double rest = bb, freedom = (double)n;
    for (size_t i = 0; i < rank; i++) {
        double square = w->values[i] * w->values[i], kept = square / (square + penalty);
        rest -= w->ub[i] * w->ub[i] * (1 - (1 - kept) * (1 - kept));
        freedom -= kept;
    }
    return freedom > 1e-9 ? (double)n * fmax(rest, 0) / (freedom * freedom) : (double)INFINITY;
}

static double choose(const struct ridge_work *w, const struct problem *q, size_t rank)
{
    double bb = cblas_ddot((int)q->n, q->b, 1, q->b, 1), best = 1, least = INFINITY;
    for (int g = 0; g < N_GRID; g++) {
        double t = pow(10, -g / 4.0), score = generalised(w, q->n, rank, bb, t * w->values[0] * w->values[0]);
        if (score < least) {
            least = score;
            best = t;
        }
    }
    return best;
}

static enum status solve(void *work, const struct problem *q, struct solution *s, struct error *e)
{
    struct ridge_work *w = work;
    size_t n = q->n, p = q->p, least = n < p ? n : p, rank = 0;
    for (size_t j = 0; j < p; j++) {
        w->length[j] = cblas_dnrm2((int)n, q->a + j * n, 1);
        for (size_t i = 0; i < n; i++)
            w->a[j * n + i] = w->copy[j * n + i] = w->length[j] > 0 ? q->a[j * n + i] / w->length[j] : 0;
    }
    enum status st = lapack_svd(w->lapack, n, p, w->a, w->values, w->vt, e);
    if (st)
        return st;
    while (rank < least && w->values[rank] > 1e-13 * w->values[0])
        rank++;
    for (size_t i = 0; i < rank; i++) { /* u_i'b = (A v_i)'b / s_i */
        cblas_dgemv(CblasColMajor, CblasNoTrans, (int)n, (int)p, 1, w->copy, (int)n, w->vt + i, (int)p, 0, w->y, 1);
        w->ub[i] = cblas_ddot((int)n, w->y, 1, q->b, 1) / w->values[i];
    }
    double t = q->strength < 0 ? choose(w, q, rank) : q->strength;
    memset(s->x, 0, p * sizeof *s->x);
    for (size_t i = 0; i < rank; i++) {
        double penalty = t * w->values[0] * w->values[0];
        cblas_daxpy((int)p, w->values[i] / (w->values[i] * w->values[i] + penalty) * w->ub[i], w->vt + i, (int)p, s->x,
                    1);
    }
    for (size_t j = 0; j < p; j++)
        s->x[j] = w->length[j] > 0 ? s->x[j] / w->length[j] : 0;
    s->strength = t;
    return OK;
}

extern const struct solver solver_ridge;
const struct solver solver_ridge = {"ridge",   "least squares with all values pulled to 0; they may be negative",
                                    false,     work_new,
                                    work_free, solve,
                                    0,         REGRESS_STRENGTH};
