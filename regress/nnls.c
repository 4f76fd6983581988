/*
 * Non-negative least squares:
 *
 *     min over x >= 0 of | A x - b |
 *
 * by the active-set method of Lawson and Hanson (Solving Least Squares Problems,
 * 1974, chapter 23). Columns are divided by their lengths; with more rows than
 * columns the problem is first reduced to the triangle of a QR factorisation, which
 * has the same solutions. The passive set P holds the places that may be positive;
 * on it a plain least-squares problem is solved (QR); a place enters P where the
 * gradient w = A'(b - A x) is largest, and leaves when its value would turn negative.
 * A column that depends on those in P is not let in. At the end the conditions of
 * Karush, Kuhn and Tucker are checked:
 *
 *     x >= 0;   w_j <= 0 where x_j = 0;   w_j = 0 where x_j > 0
 *
 * which for this convex problem prove the result, whatever way led to it.
 */
#include "regress/solver.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "regress/lapack.h"

#define ENTER     1e-12 /* least gradient that lets a place in, per length of b (columns have length 1) */
#define DEPENDENT 1e-10 /* a new column whose part outside the passive ones is shorter is not let in */
#define ACCEPTED  1e-8  /* largest fault in the conditions, per length of b */

struct nnls_work {
    struct lapack_work *lapack;
    double *a, *b;       /* the problem, columns scaled, reduced: m x p */
    double *sub, *right; /* the passive columns and b, factorised in place */
    double *length, *w, *x, *r;
    size_t *passive, k; /* columns in P, in order of entry */
    bool *in, *barred;
};

struct nnls_work *nnls_work_new(size_t rows, size_t variables)
{
    struct nnls_work *w = xcalloc(1, sizeof *w);
    size_t most = rows > variables ? rows : variables;
    w->lapack = lapack_work_new(rows, variables);
    w->a = xcalloc(rows * variables, sizeof *w->a);
    w->b = xcalloc(most, sizeof *w->b);
    w->sub = xcalloc(rows * variables, sizeof *w->sub);
    w->right = xcalloc(most, sizeof *w->right);
    w->r = xcalloc(most, sizeof *w->r);
    w->length = xcalloc(variables, sizeof *w->length);
    w->w = xcalloc(variables, sizeof *w->w);
    w->x = xcalloc(variables, sizeof *w->x);
    w->passive = xcalloc(variables, sizeof *w->passive);
    w->in = xcalloc(variables, sizeof *w->in);
    w->barred = xcalloc(variables, sizeof *w->barred);
    return w;
}

void nnls_work_free(struct nnls_work *w)
{
    if (!w)
        return;
    lapack_work_free(w->lapack);
    free(w->a);
    free(w->b);
    free(w->sub);
    free(w->right);
    free(w->r);
    free(w->length);
    free(w->w);
    free(w->x);
    free(w->passive);
    free(w->in);
    free(w->barred);
    free(w);
}

/* Scales the columns and reduces n rows to m; returns m. */
static size_t prepare(struct nnls_work *w, size_t n, size_t p, const double *a, const double *b)
{
    memcpy(w->a, a, n * p * sizeof *a);
    memcpy(w->b, b, n * sizeof *b);
    for (size_t j = 0; j < p; j++) {
        w->length[j] = cblas_dnrm2((int)n, a + j * n, 1);
        if (w->length[j] > 0)
            for (size_t i = 0; i < n; i++)
                w->a[j * n + i] /= w->length[j];
    }
    if (n <= p)
        return n;
    lapack_qr(w->lapack, n, p, w->a, w->b);
    for (size_t j = 1; j < p; j++)
        memmove(w->a + j * p, w->a + j * n, p * sizeof *a);
    return p;
}

/* w = A'(b - A x); returns nothing else: x is w->x. */
static void gradient(struct nnls_work *w, size_t m, size_t p)
{
    memcpy(w->r, w->b, m * sizeof *w->r);
    cblas_dgemv(CblasColMajor, CblasNoTrans, (int)m, (int)p, -1, w->a, (int)m, w->x, 1, 1, w->r, 1);
    cblas_dgemv(CblasColMajor, CblasTrans, (int)m, (int)p, 1, w->a, (int)m, w->r, 1, 0, w->w, 1);
}

/* Least squares on the passive columns into w->right[0 .. k-1]; false: the last of them depends on the others (or some
 * column does, with more columns than rows). */
static bool solve_passive(struct nnls_work *w, size_t m)
{
    size_t k = w->k;
    if (k > m)
        return false;
    for (size_t c = 0; c < k; c++)
        memcpy(w->sub + c * m, w->a + w->passive[c] * m, m * sizeof *w->sub);
    memcpy(w->right, w->b, m * sizeof *w->right);
    if (k == 0)
        return true;
    lapack_qr(w->lapack, m, k, w->sub, w->right);
    for (size_t c = 0; c < k; c++)
        if (fabs(w->sub[c * m + c]) < DEPENDENT)
            return false;
    lapack_triangle(k, w->sub, m, w->right);
    return true;
}

static void enter(struct nnls_work *w, size_t j)
{
    w->in[j] = true;
    w->passive[w->k++] = j;
}

/* Drops the passive places whose x is 0; true when one was dropped. */
static bool drop_zeros(struct nnls_work *w)
{
    size_t kept = 0;
    for (size_t c = 0; c < w->k; c++) {
        size_t j = w->passive[c];
        if (w->x[j] > 0) {
            w->passive[kept++] = j;
        } else {
            w->x[j] = 0;
            w->in[j] = false;
        }
    }
    bool dropped = kept < w->k;
    w->k = kept;
    return dropped;
}

/* From x towards the least-squares solution z on P, as far as x stays >= 0; places that reach 0 leave P; until z itself
 * is positive. `solved`: z is there already. False: the columns in P became dependent. */
static bool descend(struct nnls_work *w, size_t m, bool solved)
{
    for (;; solved = false) {
        if (!solved && !solve_passive(w, m))
            return false;
        double step = 1;
        size_t first = 0;
        bool blocked = false;
        for (size_t c = 0; c < w->k; c++) {
            double x = w->x[w->passive[c]], z = w->right[c];
            if (z <= 0 && (!blocked || x / (x - z) < step)) {
                step = x > 0 ? x / (x - z) : 0;
                first = c;
                blocked = true;
            }
        }
        for (size_t c = 0; c < w->k; c++) {
            double *x = &w->x[w->passive[c]];
            *x = blocked ? *x + step * (w->right[c] - *x) : w->right[c];
        }
        if (!blocked)
            return true;
        w->x[w->passive[first]] = 0; /* exactly */
        drop_zeros(w);
    }
}

/* The place outside P with the largest gradient above the bound; p: none. */
static size_t best_entry(const struct nnls_work *w, size_t p, double bound)
{
    size_t best = p;
    for (size_t j = 0; j < p; j++)
        if (!w->in[j] && !w->barred[j] && w->w[j] > bound && (best == p || w->w[j] > w->w[best]))
            best = j;
    return best;
}

/* True when `j` entered P and the solution there is positive; else it stays out (barred until another one enters). */
static bool try_entry(struct nnls_work *w, size_t m, size_t j)
{
    enter(w, j);
    if (solve_passive(w, m) && w->right[w->k - 1] > 0)
        return true;
    w->k--;
    w->in[j] = false;
    w->barred[j] = true;
    return false;
}

static void start_cold(struct nnls_work *w, size_t p)
{
    memset(w->x, 0, p * sizeof *w->x);
    memset(w->in, 0, p * sizeof *w->in);
    w->k = 0;
}

static void start(struct nnls_work *w, size_t m, size_t p, const double *x)
{
    start_cold(w, p);
    for (size_t j = 0; j < p; j++) {
        if (x[j] > 0 && w->length[j] > 0) {
            w->x[j] = x[j] * w->length[j];
            enter(w, j);
        }
    }
    if (!descend(w, m, false))
        start_cold(w, p);
}

/* Largest fault in the conditions at the end. */
static double fault(const struct nnls_work *w, size_t p)
{
    double most = 0;
    for (size_t j = 0; j < p; j++) {
        double f = w->x[j] < 0 ? -w->x[j] : w->x[j] > 0 ? fabs(w->w[j]) : w->w[j];
        most = f > most ? f : most;
    }
    return most;
}

enum status nnls_solve(struct nnls_work *w, size_t n, size_t p, const double *a, const double *b, double *x,
                       struct error *e)
{
    size_t m = prepare(w, n, p, a, b);
    double length = cblas_dnrm2((int)n, b, 1);
    start(w, m, p, x);
    for (size_t round = 0; round < 30 * p + 100; round++) {
        memset(w->barred, 0, p * sizeof *w->barred);
        gradient(w, m, p);
        size_t j = best_entry(w, p, ENTER * length);
        while (j < p && !try_entry(w, m, j))
            j = best_entry(w, p, ENTER * length);
        if (j == p)
            break;
        if (!descend(w, m, true))
            break;
    }
    gradient(w, m, p);
    if (!(fault(w, p) <= ACCEPTED * length))
        return error_set(e, ERR_UNSUPPORTED, NOWHERE,
                         "non-negative least squares did not converge: the optimality conditions are off by %.2g",
                         fault(w, p) / length);
    for (size_t j = 0; j < p; j++)
        x[j] = w->length[j] > 0 ? w->x[j] / w->length[j] : 0;
    return OK;
}

/* The solver by name: it starts at what it was given, since folds and resamples differ little from the whole. */
struct named_work {
    struct nnls_work *nnls;
    double *first;
};

static void *work_new(size_t rows, size_t variables)
{
    struct named_work *w = xcalloc(1, sizeof *w);
    w->nnls = nnls_work_new(rows, variables);
    w->first = xcalloc(variables, sizeof *w->first);
    return w;
}

static void work_free(void *work)
{
    struct named_work *w = work;
    nnls_work_free(w->nnls);
    free(w->first);
    free(w);
}

static enum status solve(void *work, const struct problem *q, struct solution *s, struct error *e)
{
    struct named_work *w = work;
    s->strength = NAN;
    memcpy(s->x, w->first, q->p * sizeof *s->x);
    return nnls_solve(w->nnls, q->n, q->p, q->a, q->b, s->x, e);
}

static void start_at(void *work, const double *x, size_t variables)
{
    struct named_work *w = work;
    memcpy(w->first, x, variables * sizeof *x);
}

extern const struct solver solver_nnls;
const struct solver solver_nnls = {"nnls", "non-negative least squares", true, work_new, work_free, solve, start_at};
