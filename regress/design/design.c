/* design.c - D-optimal choice of programs to add to a dataset. */
#include "regress/design/design.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "regress/solve/lapack.h"

#define LEAST_GAIN  1e-9 /* in log det; a smaller gain is rounding, and exchanges could repeat for ever */
#define MOST_PASSES 100

/* Memory for the choice, allocated once. */
struct work {
    const struct design_pool *pool;
    double *sum;    /* p x p: the sum over what is chosen */
    double *factor; /* its Cholesky factor, or that of the sum without one block */
    double *y;      /* p x the most rows of a block */
    double *small;  /* rows x rows */
    bool *in;
};

static void add_block(double *m, const struct design_pool *pool, size_t b, double sign)
{
    size_t p = pool->p;
    const double *x = pool->x + pool->first[b] * p;
    int rows = (int)(pool->first[b + 1] - pool->first[b]);
    if (rows) /* row-major order is the column-major order of X' */
        cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, (int)p, rows, sign, x, (int)p, 1, m, (int)p);
}

double design_log_det(const struct design_pool *pool, const double *m, const size_t *blocks, size_t n)
{
    double *sum = xmemdup(m, pool->p * pool->p * sizeof *m);
    for (size_t i = 0; i < n; i++)
        add_block(sum, pool, blocks[i], 1);
    double value = lapack_cholesky(pool->p, sum);
    free(sum);
    return value;
}

/* log det (M + X'X) - log det M = log det (I + X M^-1 X'), with M = L L' and Y = L^-1 X': log det (I + Y'Y). */
static double gain(struct work *w, size_t b)
{
    const struct design_pool *pool = w->pool;
    size_t p = pool->p, rows = pool->first[b + 1] - pool->first[b];
    if (!rows)
        return 0;
    memcpy(w->y, pool->x + pool->first[b] * p, rows * p * sizeof *w->y);
    lapack_lower(p, w->factor, rows, w->y);
    memset(w->small, 0, rows * rows * sizeof *w->small);
    for (size_t i = 0; i < rows; i++)
        w->small[i * rows + i] = 1;
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, (int)rows, (int)p, 1, w->y, (int)p, 1, w->small, (int)rows);
    return lapack_cholesky(rows, w->small);
}

static double factorise(struct work *w)
{
    memcpy(w->factor, w->sum, w->pool->p * w->pool->p * sizeof *w->sum);
    return lapack_cholesky(w->pool->p, w->factor);
}

/* The block outside the choice with the largest gain; of equal ones the first. n_blocks: there is none. */
static size_t best_outside(struct work *w, double *most)
{
    size_t best = w->pool->n_blocks;
    for (size_t b = 0; b < w->pool->n_blocks; b++) {
        double g = w->in[b] ? -INFINITY : gain(w, b);
        if (g > *most + LEAST_GAIN) {
            *most = g;
            best = b;
        }
    }
    return best;
}

static void take(struct work *w, size_t b)
{
    w->in[b] = true;
    add_block(w->sum, w->pool, b, 1);
}

static void greedy(struct work *w, size_t *blocks, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double most = -INFINITY;
        factorise(w);
        blocks[i] = best_outside(w, &most);
        take(w, blocks[i]);
    }
}

/* One pass over the chosen blocks. Returns whether any was exchanged. */
static bool exchange(struct work *w, size_t *blocks, size_t n)
{
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        size_t out = blocks[i];
        add_block(w->sum, w->pool, out, -1);
        factorise(w);
        double most = gain(w, out);
        size_t best = best_outside(w, &most);
        if (best < w->pool->n_blocks) {
            w->in[out] = false;
            w->in[best] = true;
            blocks[i] = best;
            any = true;
        }
        add_block(w->sum, w->pool, blocks[i], 1);
    }
    return any;
}

static int ascending(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

double design_choose(size_t *blocks, size_t n, const struct design_pool *pool, const double *m)
{
    size_t p = pool->p, rows = 1;
    if (n > pool->n_blocks)
        BUG("%zu of %zu blocks are to be chosen", n, pool->n_blocks);
    for (size_t b = 0; b < pool->n_blocks; b++)
        if (pool->first[b + 1] - pool->first[b] > rows)
            rows = pool->first[b + 1] - pool->first[b];
    struct work w = {.pool = pool, .sum = xmemdup(m, p * p * sizeof *m)};
    w.factor = xcalloc(p * p, sizeof *w.factor);
    w.y = xcalloc(p * rows, sizeof *w.y);
    w.small = xcalloc(rows * rows, sizeof *w.small);
    w.in = xcalloc(pool->n_blocks, sizeof *w.in);
    greedy(&w, blocks, n);
    for (int pass = 0; pass < MOST_PASSES && exchange(&w, blocks, n); pass++)
        ;
    qsort(blocks, n, sizeof *blocks, ascending);
    free(w.sum);
    free(w.factor);
    free(w.y);
    free(w.small);
    free(w.in);
    return design_log_det(pool, m, blocks, n);
}
