/*
 * Least squares between bounds:
 *
 *     min over l <= x <= u of | A x - b |,     x_B >= x_A where the classification says `order A B`
 *
 * l and u are the classification's (`bound NAME LOW HIGH`; 0 and infinity when not said). An order is a substitution,
 * as the twins of shrink.c are: x_B = x_A + d with d >= 0 and no upper bound, so that A's column has B's counts too.
 * What is left is a problem with bounds alone, solved by the active-set method of Stark and Parker, Bounded-Variable
 * Least Squares, Computational Statistics 10 (1995): each place is at its lower bound, at its upper one or free; on the
 * free ones a plain least-squares problem is solved (QR); a place becomes free where the gradient w = A'(b - A x) draws
 * it inwards most, and stops at the bound that it would leave. Columns are divided by their lengths and rows reduced to
 * the triangle of a QR factorisation before, as in nnls.c; a column that depends on the free ones is not freed. At the
 * end the conditions of Karush, Kuhn and Tucker are checked:
 *
 *     l <= x <= u;   w_j <= 0 at l_j;   w_j >= 0 at u_j;   w_j = 0 between
 *
 * which for this convex problem prove the result, whatever way led to it. With no bounds said it is nnls.
 */
#include "regress/solver.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "regress/lapack.h"

#define ENTER     1e-12 /* least gradient that frees a place, per length of b (columns have length 1) */
#define DEPENDENT 1e-10 /* a new column whose part outside the free ones is shorter is not freed */
#define ACCEPTED  1e-8  /* largest fault in the conditions, per length of b */

enum place { AT_LOW, AT_HIGH, FREE };

struct bounded_work {
    struct lapack_work *lapack;
    double *a, *b;       /* the problem, columns scaled, reduced: m x p */
    double *sub, *right; /* the free columns and b less the fixed ones, factorised in place */
    double *length, *low, *high, *x, *w, *r;
    enum place *place;
    bool *barred;
    size_t *free_, k; /* the free columns, the newest last */
};

static void *work_new(size_t rows, size_t variables)
{
    struct bounded_work *w = xcalloc(1, sizeof *w);
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

static void work_free(void *work)
{
    struct bounded_work *w = work;
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

/* What a variable that stands above others pays, they pay too: its counts go to all below it. */
static void substitute(struct bounded_work *w, const struct problem *q)
{
    memcpy(w->a, q->a, q->n * q->p * sizeof *w->a);
    memcpy(w->b, q->b, q->n * sizeof *w->b);
    for (size_t v = 0; v < q->p; v++)
        for (size_t u = q->variables[v].below; u != REGRESS_NONE; u = q->variables[u].below)
            cblas_daxpy((int)q->n, 1, q->a + v * q->n, 1, w->a + u * q->n, 1);
}

/* Scales columns and bounds and reduces n rows to m; returns m. Every place is at its lower bound. */
static size_t prepare(struct bounded_work *w, const struct problem *q)
{
    size_t n = q->n, p = q->p;
    substitute(w, q);
    for (size_t j = 0; j < p; j++) {
        const struct regress_variable *v = &q->variables[j];
        double length = w->length[j] = cblas_dnrm2((int)n, w->a + j * n, 1);
        for (size_t i = 0; length > 0 && i < n; i++)
            w->a[j * n + i] /= length;
        w->low[j] = w->x[j] = v->below == REGRESS_NONE ? v->low * length : 0;
        w->high[j] = v->below == REGRESS_NONE && isfinite(v->high) ? v->high * length : (double)INFINITY;
        w->place[j] = AT_LOW;
    }
    w->k = 0;
    if (n <= p)
        return n;
    lapack_qr(w->lapack, n, p, w->a, w->b);
    for (size_t j = 1; j < p; j++)
        memmove(w->a + j * p, w->a + j * n, p * sizeof *w->a);
    return p;
}

/* w = A'(b - A x). */
static void gradient(struct bounded_work *w, size_t m, size_t p)
{
    memcpy(w->r, w->b, m * sizeof *w->r);
    cblas_dgemv(CblasColMajor, CblasNoTrans, (int)m, (int)p, -1, w->a, (int)m, w->x, 1, 1, w->r, 1);
    cblas_dgemv(CblasColMajor, CblasTrans, (int)m, (int)p, 1, w->a, (int)m, w->r, 1, 0, w->w, 1);
}

/* Least squares on the free columns into w->right[0 .. k-1]; false: one of them depends on those before it. */
static bool solve_free(struct bounded_work *w, size_t m, size_t p)
{
    if (w->k > m)
        return false;
    memcpy(w->right, w->b, m * sizeof *w->right);
    for (size_t j = 0; j < p; j++)
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

static void fix(struct bounded_work *w, size_t c, enum place where)
{
    size_t j = w->free_[c];
    w->place[j] = where;
    w->x[j] = where == AT_LOW ? w->low[j] : w->high[j];
    memmove(w->free_ + c, w->free_ + c + 1, (--w->k - c) * sizeof *w->free_);
}

/* Goes from x towards the solution on the free places as far as the first bound, which ends that place's freedom, until
 * none is met. `solved`: the solution is in w->right already. False: it cannot be solved. */
static bool descend(struct bounded_work *w, size_t m, size_t p, bool solved)
{
    for (;; solved = false) {
        if (!solved && !solve_free(w, m, p))
            return false;
        double step = 1;
        size_t first = w->k;
        enum place where = FREE;
        for (size_t c = 0; c < w->k; c++) {
            size_t j = w->free_[c];
            double x = w->x[j], z = w->right[c], end = z < w->low[j] ? w->low[j] : w->high[j];
            if (z >= w->low[j] && z <= w->high[j])
                continue;
            double reach = fmax(0, (end - x) / (z - x));
            if (first == w->k || reach < step) {
                step = reach;
                first = c;
                where = z < w->low[j] ? AT_LOW : AT_HIGH;
            }
        }
        for (size_t c = 0; c < w->k; c++) {
            double *x = &w->x[w->free_[c]];
            *x = first == w->k ? w->right[c] : *x + step * (w->right[c] - *x);
        }
        if (first == w->k)
            return true;
        fix(w, first, where);
    }
}

/* How much the gradient draws place j inwards. */
static double drawn(const struct bounded_work *w, size_t j)
{
    return w->place[j] == AT_LOW ? w->w[j] : -w->w[j];
}

/* The fixed place that is drawn inwards most, beyond the bound; p: none. */
static size_t best_entry(const struct bounded_work *w, size_t p, double bound)
{
    size_t best = p;
    for (size_t j = 0; j < p; j++)
        if (w->place[j] != FREE && !w->barred[j] && w->low[j] < w->high[j] && drawn(w, j) > bound &&
            (best == p || drawn(w, j) > drawn(w, best)))
            best = j;
    return best;
}

/* True when `j` was freed and goes inwards; else it stays where it is (barred until another one is freed). */
static bool try_entry(struct bounded_work *w, size_t m, size_t p, size_t j)
{
    enum place was = w->place[j];
    w->place[j] = FREE;
    w->free_[w->k++] = j;
    if (solve_free(w, m, p)) {
        double z = w->right[w->k - 1];
        if (was == AT_LOW ? z > w->low[j] : z < w->high[j])
            return true;
    }
    w->k--;
    w->place[j] = was;
    w->barred[j] = true;
    return false;
}

/* Largest fault in the conditions at the end. */
static double fault(const struct bounded_work *w, size_t p)
{
    double most = 0;
    for (size_t j = 0; j < p; j++) {
        double f = fmax(w->low[j] - w->x[j], w->x[j] - w->high[j]);
        if (w->place[j] == FREE)
            f = fmax(f, fabs(w->w[j]));
        else if (w->low[j] < w->high[j])
            f = fmax(f, drawn(w, j));
        most = f > most ? f : most;
        if (isnan(w->w[j]))
            return INFINITY;
    }
    return most;
}

static void search(struct bounded_work *w, size_t m, size_t p, double length)
{
    for (size_t round = 0; round < 60 * p + 100; round++) {
        memset(w->barred, 0, p * sizeof *w->barred);
        gradient(w, m, p);
        size_t j = best_entry(w, p, ENTER * length);
        while (j < p && !try_entry(w, m, p, j))
            j = best_entry(w, p, ENTER * length);
        if (j == p || !descend(w, m, p, true))
            return;
    }
}

/* Back from scaled differences to values, from the lowest up, so that bounds and orders hold to the last bit. */
static double value_of(const struct bounded_work *w, const struct problem *q, size_t v)
{
    const struct regress_variable *to = &q->variables[v];
    bool lowest = to->below == REGRESS_NONE;
    double low = lowest ? to->low : 0, high = lowest ? to->high : (double)INFINITY;
    double part = w->place[v] == FREE ? w->x[v] / w->length[v] : w->place[v] == AT_LOW ? low : high;
    part = fmin(fmax(part, low), high);
    return lowest ? part : part + value_of(w, q, to->below);
}

static enum status solve(void *work, const struct problem *q, struct solution *s, struct error *e)
{
    struct bounded_work *w = work;
    size_t m = prepare(w, q);
    double length = 0;
    for (size_t j = 0; j < q->p; j++) /* bounds may be far beyond b */
        length = fmax(length, fabs(w->x[j]));
    length += cblas_dnrm2((int)q->n, q->b, 1);
    if (!isfinite(length))
        return error_set(e, ERR_INPUT, NOWHERE, "a lower bound is too large to be fitted with these counts");
    search(w, m, q->p, length);
    gradient(w, m, q->p);
    s->strength = NAN;
    if (!(fault(w, q->p) <= ACCEPTED * length))
        return error_set(e, ERR_UNSUPPORTED, NOWHERE,
                         "bounded least squares did not converge: the optimality conditions are off by %.2g",
                         fault(w, q->p) / length);
    for (size_t v = 0; v < q->p; v++)
        s->x[v] = value_of(w, q, v);
    return OK;
}

extern const struct solver solver_bounded;
const struct solver solver_bounded = {
    "bounded", "least squares between the bounds of the classification (0 and up)", true, work_new, work_free, solve,
    0};
