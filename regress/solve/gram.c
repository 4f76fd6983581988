/*
 * Non-negative least squares by normal equations, for tables of which rows are left out or drawn several times:
 *
 *     min over x >= 0 of  x' G x - 2 h' x,     G = A' W A,  h = A' W b,  W the rows' weights
 *
 *  G and h       where the weights are 1 but for few rows, the sums of all rows less what those rows bring; else
 *                again. This is what makes it quick: a row taken out costs p^2, not n p^2.
 *  active set    block principal pivoting: a guess P of the places that are positive, x = G_PP^-1 h_P there; all places
 *                that are wrong (x < 0 in P, gradient > 0 outside) change sides at once; when that does not lessen
 *                their number three times, only the last of them does, which always ends. The guess to
 *                start with is the solution of the whole table, so it is most often right or nearly so.
 *  correction    r = W (b - A x) from the rows themselves, x += G_PP^-1 A_P' r, until it stands still: as exact as
 *                by QR while condition^2 times the machine's precision is well below 1.
 *  proof         with that r: A_P' r = 0, A_j' r <= 0 outside P, x > 0 in P. Else it is refused.
 *
 * Sources: Portugal, Judice, Vicente, A comparison of block pivoting and interior-point algorithms for linear least
 * squares problems with nonnegative variables, Math. Comp. 63 (1994); Kim, Park, Fast nonnegative matrix factorization,
 * SIAM J. Sci. Comput. 33 (2011), for its backup rule; Bjorck, Stability analysis of the method of seminormal equations
 * for linear least squares problems, Linear Algebra Appl. 88 (1987), for the correction.
 */
#include "regress/solve/gram.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "regress/solve/lapack.h"

/* a gradient outside P up to this counts as 0, relative to the length of b (columns have length 1) */
#define OUTSIDE   1e-11
#define PIVOT     1e-5  /* a column is too nearly dependent if less of it is left after removing the earlier ones */
#define STILL     1e-13 /* a correction below this, relative to the largest value, changes nothing */
#define SMALL     1e-10 /* the last correction must be below this */
#define MOST_TURN 10    /* largest number of corrections */
#define LEFT      1e-8  /* of a column's squares: if less is left after removing rows, it is only rounding error */

struct gram_work {
    double *aa, *ab; /* of the current problem */
    double *factor;  /* Cholesky factor of G_PP */
    double *x, *y, *step;
    double *r;         /* n */
    double *rows, *rb; /* the weighted rows */
    double *root;      /* square roots of the rows' weights */
    size_t *at;        /* indices of the rows */
    size_t *passive, k;
    bool *in, *wrong;
    double length; /* of the weighted b */
};

struct gram *gram_new(size_t n, size_t p, const double *a, const double *b)
{
    openblas_set_num_threads(1);
    struct gram *g = xcalloc(1, sizeof *g);
    *g = (struct gram){.n = n, .p = p, .a = xmemdup(a, n * p * sizeof *a), .b = xmemdup(b, n * sizeof *b)};
    g->length = xcalloc(p, sizeof *g->length);
    g->aa = xcalloc(p * p, sizeof *g->aa);
    g->ab = xcalloc(p, sizeof *g->ab);
    for (size_t j = 0; j < p; j++) {
        g->length[j] = cblas_dnrm2((int)n, a + j * n, 1);
        for (size_t i = 0; g->length[j] > 0 && i < n; i++)
            g->a[j * n + i] /= g->length[j];
    }
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, (int)p, (int)n, 1, g->a, (int)n, 0, g->aa, (int)p);
    cblas_dgemv(CblasColMajor, CblasTrans, (int)n, (int)p, 1, g->a, (int)n, g->b, 1, 0, g->ab, 1);
    return g;
}

void gram_free(struct gram *g)
{
    if (!g)
        return;
    free(g->a);
    free(g->b);
    free(g->length);
    free(g->aa);
    free(g->ab);
    free(g);
}

struct gram_work *gram_work_new(const struct gram *g)
{
    struct gram_work *w = xcalloc(1, sizeof *w);
    w->aa = xcalloc(g->p * g->p, sizeof *w->aa);
    w->ab = xcalloc(g->p, sizeof *w->ab);
    w->factor = xcalloc(g->p * g->p, sizeof *w->factor);
    w->x = xcalloc(g->p, sizeof *w->x);
    w->y = xcalloc(g->p, sizeof *w->y);
    w->step = xcalloc(g->p, sizeof *w->step);
    w->r = xcalloc(g->n, sizeof *w->r);
    w->rows = xcalloc(g->n * g->p, sizeof *w->rows);
    w->rb = xcalloc(g->n, sizeof *w->rb);
    w->root = xcalloc(g->n, sizeof *w->root);
    w->at = xcalloc(g->n, sizeof *w->at);
    w->passive = xcalloc(g->p, sizeof *w->passive);
    w->in = xcalloc(g->p, sizeof *w->in);
    w->wrong = xcalloc(g->p, sizeof *w->wrong);
    return w;
}

void gram_work_free(struct gram_work *w)
{
    if (!w)
        return;
    free(w->aa);
    free(w->ab);
    free(w->factor);
    free(w->x);
    free(w->y);
    free(w->step);
    free(w->r);
    free(w->rows);
    free(w->rb);
    free(w->root);
    free(w->at);
    free(w->passive);
    free(w->in);
    free(w->wrong);
    free(w);
}

/* ---- the sums ---- */

/* Collects the m rows w->at, each times w->root, in w->rows (m x p) and w->rb. */
static void gather(const struct gram *g, struct gram_work *w, size_t m)
{
    for (size_t j = 0; j < g->p; j++) {
        const double *from = g->a + j * g->n;
        double *to = w->rows + j * m;
        for (size_t k = 0; k < m; k++)
            to[k] = from[w->at[k]] * w->root[k];
    }
    for (size_t k = 0; k < m; k++)
        w->rb[k] = g->b[w->at[k]] * w->root[k];
}

static void add_rows(const struct gram *g, struct gram_work *w, size_t m, double sign, double keep)
{
    int p = (int)g->p;
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, p, (int)m, sign, w->rows, (int)m, keep, w->aa, p);
    cblas_dgemv(CblasColMajor, CblasTrans, (int)m, p, sign, w->rows, (int)m, w->rb, 1, keep, w->ab, 1);
}

/* Returns true if all weights are 1 except for at most `most` that are 0; those rows are in w->at. */
static bool few_changed(const struct gram *g, struct gram_work *w, const double *weight, size_t most, size_t *m)
{
    *m = 0;
    for (size_t i = 0; i < g->n; i++) {
        if (weight[i] == 1)
            continue;
        if (weight[i] != 0 || *m == most)
            return false;
        w->at[*m] = i;
        w->root[(*m)++] = 1;
    }
    return true;
}

/* The sums over all rows minus those over the rows left out. Returns false if these are too many, or if too little is
 * left. */
static bool downdate(const struct gram *g, struct gram_work *w, const double *weight)
{
    size_t m;
    if (!few_changed(g, w, weight, g->n / 4, &m))
        return false;
    memcpy(w->aa, g->aa, g->p * g->p * sizeof *w->aa);
    memcpy(w->ab, g->ab, g->p * sizeof *w->ab);
    gather(g, w, m);
    if (m)
        add_rows(g, w, m, -1, 1);
    for (size_t j = 0; j < g->p; j++)
        if (g->length[j] > 0 && !(w->aa[j * g->p + j] > LEFT))
            return false;
    return true;
}

static void sum_again(const struct gram *g, struct gram_work *w, const double *weight)
{
    size_t m = 0;
    for (size_t i = 0; i < g->n; i++) {
        if (!(weight[i] > 0))
            continue;
        w->at[m] = i;
        w->root[m++] = sqrt(weight[i]);
    }
    gather(g, w, m);
    if (m)
        add_rows(g, w, m, 1, 0);
}

static void make_sums(const struct gram *g, struct gram_work *w, const double *weight)
{
    if (!downdate(g, w, weight))
        sum_again(g, w, weight);
    w->length = 0;
    for (size_t i = 0; i < g->n; i++)
        w->length += weight[i] * g->b[i] * g->b[i];
    w->length = sqrt(w->length);
    for (size_t j = 0; j < g->p; j++) /* both triangles, since gradients use whole columns */
        for (size_t i = j + 1; i < g->p; i++)
            w->aa[i * g->p + j] = w->aa[j * g->p + i];
}

/* ---- the active set ---- */

/* Factorises G_PP. Returns false if columns are too nearly dependent. */
static bool factorise(struct gram_work *w, size_t p)
{
    w->k = 0;
    for (size_t j = 0; j < p; j++)
        if (w->in[j])
            w->passive[w->k++] = j;
    size_t k = w->k;
    for (size_t c = 0; c < k; c++)
        for (size_t i = c; i < k; i++)
            w->factor[c * k + i] = w->aa[w->passive[c] * p + w->passive[i]];
    if (k && !isfinite(lapack_cholesky(k, w->factor)))
        return false;
    for (size_t c = 0; c < k; c++)
        if (!(w->factor[c * k + c] > PIVOT * sqrt(w->aa[w->passive[c] * p + w->passive[c]])))
            return false;
    return true;
}

/* step = G_PP^-1 step, for the k places in P. */
static void solve_passive(struct gram_work *w)
{
    if (w->k)
        lapack_solve(w->k, w->factor, w->step);
}

/* Computes x on P, and the gradient y = h - G x. */
static void evaluate(struct gram_work *w, size_t p)
{
    for (size_t c = 0; c < w->k; c++)
        w->step[c] = w->ab[w->passive[c]];
    solve_passive(w);
    memset(w->x, 0, p * sizeof *w->x);
    memcpy(w->y, w->ab, p * sizeof *w->y);
    for (size_t c = 0; c < w->k; c++) {
        w->x[w->passive[c]] = w->step[c];
        cblas_daxpy((int)p, -w->step[c], w->aa + w->passive[c] * p, 1, w->y, 1);
    }
}

/* Marks the places that violate the conditions. Returns their number; *last: the last one. */
static size_t find_wrong(struct gram_work *w, size_t p, size_t *last)
{
    size_t n = 0;
    for (size_t j = 0; j < p; j++) {
        w->wrong[j] = w->in[j] ? w->x[j] < 0 : w->y[j] > OUTSIDE * w->length;
        if (w->wrong[j])
            *last = j;
        n += w->wrong[j];
    }
    return n;
}

static bool pivot(struct gram_work *w, size_t p)
{
    size_t least = p + 1, chances = 3, last = 0;
    for (size_t iteration = 0; iteration < 10 * p + 100; iteration++) {
        if (!factorise(w, p))
            return false;
        evaluate(w, p);
        size_t n = find_wrong(w, p, &last);
        if (n == 0)
            return true;
        bool all = n < least || chances > 0;
        chances = n < least ? 3 : chances ? chances - 1 : 0;
        least = n < least ? n : least;
        for (size_t j = 0; j < p; j++)
            if (w->wrong[j] && (all || j == last))
                w->in[j] = !w->in[j];
    }
    return false;
}

/* ---- correction and check ---- */

/* y = A' W (b - A x), computed from the rows. */
static void true_gradient(const struct gram *g, struct gram_work *w, const double *weight)
{
    memcpy(w->r, g->b, g->n * sizeof *w->r);
    for (size_t c = 0; c < w->k; c++)
        cblas_daxpy((int)g->n, -w->x[w->passive[c]], g->a + w->passive[c] * g->n, 1, w->r, 1);
    for (size_t i = 0; i < g->n; i++)
        w->r[i] *= weight[i];
    cblas_dgemv(CblasColMajor, CblasTrans, (int)g->n, (int)g->p, 1, g->a, (int)g->n, w->r, 1, 0, w->y, 1);
}

/* Corrects x once, and updates y. Returns the correction relative to the largest value. */
static double correct(struct gram_work *w, size_t p)
{
    double most = 0, largest = 0;
    for (size_t c = 0; c < w->k; c++)
        w->step[c] = w->y[w->passive[c]];
    solve_passive(w);
    for (size_t c = 0; c < w->k; c++) {
        double *x = &w->x[w->passive[c]];
        *x += w->step[c];
        most = fmax(most, fabs(w->step[c]));
        largest = fmax(largest, fabs(*x));
        cblas_daxpy((int)p, -w->step[c], w->aa + w->passive[c] * p, 1, w->y, 1);
    }
    return largest > 0 ? most / largest : 0;
}

static bool proved(const struct gram_work *w, size_t p)
{
    for (size_t j = 0; j < p; j++)
        if (w->in[j] ? !(w->x[j] >= 0) : !(w->y[j] <= OUTSIDE * w->length))
            return false;
    return true;
}

bool gram_nnls(const struct gram *g, struct gram_work *w, const double *weight, double *x)
{
    make_sums(g, w, weight);
    for (size_t j = 0; j < g->p; j++)
        w->in[j] = x[j] > 0 && w->aa[j * g->p + j] > 0;
    if (!isfinite(w->length) || !pivot(w, g->p))
        return false;
    double size = INFINITY, before;
    int turn = 0;
    do {
        before = size;
        true_gradient(g, w, weight);
        size = correct(w, g->p);
    } while (size > STILL && size < before / 2 && ++turn < MOST_TURN);
    if (!(size <= SMALL) || !proved(w, g->p))
        return false;
    for (size_t j = 0; j < g->p; j++)
        x[j] = g->length[j] > 0 ? w->x[j] / g->length[j] : 0;
    return true;
}
