/*
 * Non-negative least squares:
 *
 *     min over x >= 0 of | A x - b |
 *
 * Lawson and Hanson, Solving Least Squares Problems, 1974, chapter 23: least squares in a box from 0 without an upper
 * side (box.c). It starts at what it was given, since folds and resamples differ little from the whole.
 */
#include "regress/solve/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "regress/solve/box.h"

struct nnls_work {
    struct box_work *box;
    double *first;
};

static void *work_new(size_t rows, size_t variables)
{
    struct nnls_work *w = xcalloc(1, sizeof *w);
    w->box = box_work_new(rows, variables);
    w->first = xcalloc(variables, sizeof *w->first);
    return w;
}

static void work_free(void *work)
{
    struct nnls_work *w = work;
    box_work_free(w->box);
    free(w->first);
    free(w);
}

static enum status solve(void *work, const struct problem *q, struct solution *s, struct error *e)
{
    struct nnls_work *w = work;
    s->strength = NAN;
    memcpy(s->x, w->first, q->p * sizeof *s->x);
    return box_solve(w->box, q->n, q->p, q->a, q->b, 0, 0, s->x, e);
}

static void start_at(void *work, const double *x, size_t variables)
{
    struct nnls_work *w = work;
    memcpy(w->first, x, variables * sizeof *x);
}

extern const struct solver solver_nnls;
const struct solver solver_nnls = {"nnls", "non-negative least squares", true, work_new, work_free, solve, start_at, 0};
