/*
 * Least squares between bounds:
 *
 *     min over l <= x <= u of | A x - b |,     x_B >= x_A where the classification says `order A B`
 *
 * l and u are the classification's (`bound NAME LOW HIGH`; 0 and infinity when not said). An order is a substitution,
 * as the twins of shrink.c are: x_B = x_A + d with d >= 0 and no upper bound, so that A's column has B's counts too.
 * What is left is least squares in a box (box.c). With no bounds said it is nnls.
 */
#include "regress/solve/solver.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "regress/solve/box.h"

struct bounded_work {
    struct box_work *box;
    double *a, *low, *high; /* the problem in terms of differences */
};

static void *work_new(size_t rows, size_t variables)
{
    struct bounded_work *w = xcalloc(1, sizeof *w);
    w->box = box_work_new(rows, variables);
    w->a = xcalloc(rows * variables, sizeof *w->a);
    w->low = xcalloc(variables, sizeof *w->low);
    w->high = xcalloc(variables, sizeof *w->high);
    return w;
}

static void work_free(void *work)
{
    struct bounded_work *w = work;
    box_work_free(w->box);
    free(w->a);
    free(w->low);
    free(w->high);
    free(w);
}

/* A variable that stands above others contains their cost, so its counts are added to theirs. */
static void substitute(struct bounded_work *w, const struct problem *q)
{
    memcpy(w->a, q->a, q->n * q->p * sizeof *w->a);
    for (size_t v = 0; v < q->p; v++) {
        const struct regress_variable *to = &q->variables[v];
        bool lowest = to->below == REGRESS_NONE;
        w->low[v] = lowest ? to->low : 0;
        w->high[v] = lowest ? to->high : (double)INFINITY;
        for (size_t u = to->below; u != REGRESS_NONE; u = q->variables[u].below)
            cblas_daxpy((int)q->n, 1, q->a + v * q->n, 1, w->a + u * q->n, 1);
    }
}

/* The sum of the differences up to variable v, from the lowest one, so that orders hold to the last bit. */
static double value_of(const double *differences, const struct problem *q, size_t v)
{
    size_t below = q->variables[v].below;
    return below == REGRESS_NONE ? differences[v] : differences[v] + value_of(differences, q, below);
}

static enum status solve(void *work, const struct problem *q, struct solution *s, struct error *e)
{
    struct bounded_work *w = work;
    substitute(w, q);
    s->strength = NAN;
    memcpy(s->x, w->low, q->p * sizeof *s->x);
    enum status st = box_solve(w->box, q->n, q->p, w->a, q->b, w->low, w->high, s->x, e);
    memcpy(w->low, s->x, q->p * sizeof *s->x);
    for (size_t v = 0; !st && v < q->p; v++)
        s->x[v] = value_of(w->low, q, v);
    return st;
}

extern const struct solver solver_bounded;
const struct solver solver_bounded = {"bounded", "least squares between the bounds of the classification (0 and up)",
                                      true,      work_new,
                                      work_free, solve,
                                      0,         REGRESS_BOUNDS | REGRESS_ORDERS};
