/*
 * Least squares in a box:
 *
 *     min over l <= x <= u of | A x - b |
 *
 * by the active-set method of Stark and Parker, Bounded-Variable Least Squares, Computational Statistics 10 (1995),
 * which for l = 0 and no u is that of Lawson and Hanson (Solving Least Squares Problems, 1974, chapter 23). Columns are
 * divided by their lengths; with more rows than columns the problem is first reduced to the triangle of a QR
 * factorisation, which has the same solutions. Each place is at its lower side, at its upper one or free. On the free
 * ones a plain least-squares problem is solved (QR); a place becomes free where the gradient w = A'(b - A x) draws it
 * inwards most, and stops at the side that it would pass. A column that depends on the free ones is not freed. At the
 * end the conditions of Karush, Kuhn and Tucker are checked, on the problem as it was given:
 *
 *     l <= x <= u;   w_j <= 0 where x_j < u_j;   w_j >= 0 where x_j > l_j
 *
 * which for this convex problem prove the result, whatever way led to it.
 */
#include "regress/solve/box.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "regress/solve/lapack.h"

#define ENTER     1e-12 /* smallest gradient that frees a place, relative to the length of b (columns have length 1) */
#define DEPENDENT 1e-10 /* a column is not freed if its part that is orthogonal to the free columns is shorter */
#define ACCEPTED  1e-8  /* largest violation of the conditions, relative to the length of b */

enum place { AT_LOW, AT_HIGH, FREE };

struct box_work {
    struct lapack_work *lapack;
    size_t m, p;         /* of the reduced problem */
    double *a, *b;       /* the problem with scaled columns, reduced to m x p */
    double *sub, *right; /* the free columns, and b minus the fixed ones; factorised in place */
    double *length, *low, *high, *x, *w, *r;
    enum place *place;
    bool *barred;
    size_t *free_, k; /* the free columns, the latest last */
};

struct box_work *box_work_new(size_t rows, size_t variables)
{
    struct box_work *w = xcalloc(1, sizeof *w);
    size_t most = rows > variables ? rows : variables;
    w->lapack = lapack_work_new(rows, variables);
    w->a = xcalloc(rows * variables, sizeof *w->a);
    w->b = xcalloc(most, sizeof *w->b);
    w->sub = xcalloc(rows * variables, sizeof *w->sub);
    w->right = xcalloc(most, sizeof *w->right);
    w->r = xcalloc(most, sizeof *w->r);
    w->length = xcalloc(variables, sizeof *w->length);
    w->low = xcalloc(variables, sizeof *w->low);
    w->high = xcalloc(variables, sizeof *w->high);
    w->x = xcalloc(variables, sizeof *w->x);
    w->w = xcalloc(variables, sizeof *w->w);
    w->place = xcalloc(variables, sizeof *w->place);
    w->barred = xcalloc(variables, sizeof *w->barred);
    w->free_ = xcalloc(variables, sizeof *w->free_);
    return w;
}

void box_work_free(struct box_work *w)
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
    free(w->low);
    free(w->high);
    free(w->x);
    free(w->w);
    free(w->place);
    free(w->barred);
    free(w->free_);
    free(w);
}

/* Scales columns and bounds, and reduces the rows to w->m. */
static void prepare(struct box_work *w, size_t n, size_t p, const double *a, const double *b, const double *low,
                    const double *high)
{
    memcpy(w->a, a, n * p * sizeof *a);
    memcpy(w->b, b, n * sizeof *b);
    for (size_t j = 0; j < p; j++) {
        double length = w->length[j] = cblas_dnrm2((int)n, a + j * n, 1);
        for (size_t i = 0; length > 0 && i < n; i++)
            w->a[j * n + i] /= length;
        w->low[j] = low ? low[j] * length : 0;
        w->high[j] = high && isfinite(high[j]) ? high[j] * length : (double)INFINITY;
    }
    w->m = n;
    w->p = p;
    if (n <= p)
        return;
    w->m = p;
    lapack_qr(w->lapack, n, p, w->a, w->b);
    for (size_t j = 1; j < p; j++)
        memmove(w->a + j * p, w->a + j * n, p * sizeof *a);
}

/* w = A'(b - A x). */
static void gradient(struct box_work *w)
{
    int m = (int)w->m, p = (int)w->p;
    memcpy(w->r, w->b, w->m * sizeof *w->r);
    cblas_dgemv(CblasColMajor, CblasNoTrans, m, p, -1, w->a, m, w->x, 1, 1, w->r, 1);
    cblas_dgemv(CblasColMajor, CblasTrans, m, p, 1, w->a, m, w->r, 1, 0, w->w, 1);
}

/* Least squares on the free columns, into w->right[0 .. k-1]. Returns false if one depends on earlier ones. */
static bool solve_free(struct box_work *w)
{
    size_t m = w->m;
    if (w->k > m)
        return false;
    memcpy(w->right, w->b, m * sizeof *w->right);
    for (size_t j = 0; j < w->p; j++)
        if (w->place[j] != FREE && w->x[j] != 0)
            cblas_daxpy((int)m, -w->x[j], w->a + j * m, 1, w->right, 1);
    if (w->k == 0)
        return true;
    for (size_t c = 0; c < w->k; c++)
        memcpy(w->sub + c * m, w->a + w->free_[c] * m, m * sizeof *w->sub);
    lapack_qr(w->lapack, m, w->k, w->sub, w->right);
    for (size_t c = 0; c < w->k; c++)
        if (fabs(w->sub[c * m + c]) < DEPENDENT)
            return false;
    lapack_triangle(w->k, w->sub, m, w->right);
    return true;
}

static void fix(struct box_work *w, size_t j, enum place where)
{
    w->place[j] = where;
    w->x[j] = where == AT_LOW ? w->low[j] : w->high[j];
}

/* Fixes free places that have reached a bound. */
static void fix_arrived(struct box_work *w)
{
    size_t kept = 0;
    for (size_t c = 0; c < w->k; c++) {
        size_t j = w->free_[c];
        if (w->place[j] == FREE && w->x[j] > w->low[j] && w->x[j] < w->high[j])
            w->free_[kept++] = j;
        else if (w->place[j] == FREE)
            fix(w, j, w->x[j] <= w->low[j] ? AT_LOW : AT_HIGH);
    }
    w->k = kept;
}

/* The free place that reaches a bound first between x and the solution on the free places; w->k: none does. `step`: the
 * fraction of that distance. */
static size_t first_stop(const struct box_work *w, double *step)
{
    size_t first = w->k;
    *step = 1;
    for (size_t c = 0; c < w->k; c++) {
        size_t j = w->free_[c];
        double x = w->x[j], z = w->right[c], side = z <= w->low[j] ? w->low[j] : w->high[j];
        if (z > w->low[j] && z < w->high[j])
            continue;
        double reach = fmax(0, (side - x) / (z - x));
        if (first == w->k || reach < *step) {
            *step = reach;
            first = c;
        }
    }
    return first;
}

/* Moves from x towards the solution on the free places up to the first bound, whose place is fixed then, and repeats
 * that until no bound is met. `solved`: w->right already has the solution. Returns false if it cannot be solved. */
static bool descend(struct box_work *w, bool solved)
{
    for (;; solved = false) {
        if (!solved && !solve_free(w))
            return false;
        double step;
        size_t first = first_stop(w, &step);
        for (size_t c = 0; c < w->k; c++) {
            double *x = &w->x[w->free_[c]];
            *x = first == w->k ? w->right[c] : *x + step * (w->right[c] - *x);
        }
        if (first == w->k)
            return true;
        size_t j = w->free_[first];
        fix(w, j, w->right[first] <= w->low[j] ? AT_LOW : AT_HIGH); /* exactly on the bound */
        fix_arrived(w);
    }
}

/* How strongly the gradient pulls place j inwards. */
static double drawn(const struct box_work *w, size_t j)
{
    return w->place[j] == AT_LOW ? w->w[j] : -w->w[j];
}

/* The fixed place that is pulled inwards most strongly, and more than the limit; p: none. */
static size_t best_entry(const struct box_work *w, double bound)
{
    size_t best = w->p;
    for (size_t j = 0; j < w->p; j++)
        if (w->place[j] != FREE && !w->barred[j] && w->low[j] < w->high[j] && drawn(w, j) > bound &&
            (best == w->p || drawn(w, j) > drawn(w, best)))
            best = j;
    return best;
}

/* Returns true if `j` was freed and moves inwards. Otherwise it stays fixed, and is barred until another one is
 * freed. */
static bool try_entry(struct box_work *w, size_t j)
{
    enum place was = w->place[j];
    w->place[j] = FREE;
    w->free_[w->k++] = j;
    if (solve_free(w)) {
        double z = w->right[w->k - 1];
        if (was == AT_LOW ? z > w->low[j] : z < w->high[j])
            return true;
    }
    w->k--;
    w->place[j] = was;
    w->barred[j] = true;
    return false;
}

static void start_cold(struct box_work *w)
{
    for (size_t j = 0; j < w->p; j++)
        fix(w, j, AT_LOW);
    w->k = 0;
}

static void start(struct box_work *w, const double *x)
{
    start_cold(w);
    for (size_t j = 0; j < w->p; j++) {
        double at = x[j] * w->length[j];
        if (at >= w->high[j]) {
            fix(w, j, AT_HIGH);
        } else if (at > w->low[j]) {
            w->x[j] = at;
            w->place[j] = FREE;
            w->free_[w->k++] = j;
        }
    }
    if (w->k && !descend(w, false))
        start_cold(w);
}

static void search(struct box_work *w, double length)
{
    for (size_t iteration = 0; iteration < 60 * w->p + 100; iteration++) {
        memset(w->barred, 0, w->p * sizeof *w->barred);
        gradient(w);
        size_t j = best_entry(w, ENTER * length);
        while (j < w->p && !try_entry(w, j))
            j = best_entry(w, ENTER * length);
        if (j == w->p || !descend(w, true))
            return;
    }
}

/* Converts a scaled place back to a value. Bounds are exact to the last bit. */
static double value_of(const struct box_work *w, size_t j, const double *low, const double *high)
{
    double l = low ? low[j] : 0, u = high ? high[j] : (double)INFINITY;
    if (w->place[j] != FREE)
        return w->place[j] == AT_LOW ? l : u;
    return fmin(fmax(w->x[j] / w->length[j], l), u);
}

double box_fault(struct box_work *w, size_t n, size_t p, const double *a, const double *b, const double *low,
                 const double *high, const double *x)
{
    double most = 0;
    memcpy(w->r, b, n * sizeof *b);
    cblas_dgemv(CblasColMajor, CblasNoTrans, (int)n, (int)p, -1, a, (int)n, x, 1, 1, w->r, 1);
    for (size_t j = 0; j < p; j++) {
        double length = cblas_dnrm2((int)n, a + j * n, 1), l = low ? low[j] : 0, u = high ? high[j] : (double)INFINITY;
        double upwards = length > 0 ? cblas_ddot((int)n, a + j * n, 1, w->r, 1) / length : 0;
        double outside = length * fmax(l - x[j], x[j] - u);
        if (isnan(upwards) || isnan(outside))
            return INFINITY;
        most = fmax(most, outside);
        if (x[j] < u)
            most = fmax(most, upwards);
        if (x[j] > l)
            most = fmax(most, -upwards);
    }
    return most;
}

enum status box_solve(struct box_work *w, size_t n, size_t p, const double *a, const double *b, const double *low,
                      const double *high, double *x, struct error *e)
{
    double length = 0;
    prepare(w, n, p, a, b, low, high);
    for (size_t j = 0; j < p; j++) /* bounds may be far larger than b */
        length = fmax(length, fabs(w->low[j]));
    if (!isfinite(length))
        return error_set(e, ERR_INPUT, NOWHERE, "a lower bound is too large to be fitted with these counts");
    length += cblas_dnrm2((int)n, b, 1);
    start(w, x);
    search(w, length);
    for (size_t j = 0; j < p; j++)
        x[j] = value_of(w, j, low, high);
    double fault = box_fault(w, n, p, a, b, low, high, x);
    if (!(fault <= ACCEPTED * length))
        return error_set(e, ERR_UNSUPPORTED, NOWHERE,
                         "least squares between bounds did not converge: the optimality conditions are off by %.2g",
                         fault / length);
    return OK;
}
