/*
 * Non-negative least squares that falls back to what is expected where data say little.
 *
 *     min over x >= 0 of  | A x - b |^2  +  t s^2 sum over v of ( (x_v - k c_v) / (k c_v) )^2
 *
 * c_v is the prior of variable v (its cost relative to the others, from the
 * classification; 1 when none is given), k the cost of a unit of it: the one number
 * that fits the data best when every variable costs k c_v, that is the baseline
 * k = (A c)'b / (A c)'(A c). s is the size of b (1000 in a relative fit), so that a
 * variable 100 % off its prior weighs as much as t programs 100 % off their
 * measurement. t = 0 is nnls, t -> infinity the baseline.
 *
 * A variable X_d (instructions that wait for the one before them) costs at least as
 * much as X: it is x_X + d with d >= 0, and d, not x, is pulled, towards
 * k (c_d - c_X), on the scale k c_X. So a rare X_d takes the value of X, a rare X its prior,
 * a frequent one what the data say. All this is one non-negative problem with p more rows:
 *
 *     min over u >= 0 of | [ A T ; sqrt(t) s D ] u - [ b ; sqrt(t) s d ] |,     x = T u
 *
 * An order of the classification (`order A B`: x_B >= x_A) is the same substitution, x_B = x_A + d, but no expectation:
 * it is x_B that is pulled, as if no order were said. Such steps may follow one another, L1, L2, memory; T is their
 * sum.
 *
 * Of a variable whose cost was measured otherwise, m_v with the spread s_v (regress_classes_priors), it is
 * (x_v - m_v) / s_v that is squared instead, of an X_d too.
 *
 * t is chosen by cross-validation within the data: groups assigned to at most 10 folds,
 * the t of a fixed grid with the least mean absolute error on the folds left out;
 * among equals the largest.
 *
 * Sources: Hoerl, Kennard, Ridge regression, Technometrics 12 (1970), for the penalty
 * and its reading as a prior; Lawson, Hanson (1974), chapters 23 and 25, for the
 * stacked non-negative problem; Stone, J. Royal Stat. Soc. B 36 (1974), for the choice.
 */
#include "regress/solve/solver.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "regress/solve/box.h"
#include "regress/data/classes.h"
#include "regress/solve/lapack.h"

#define FOLDS 10
static const double grid[] = {10, 3, 1, 0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3, 3e-4, 1e-4};
#define N_GRID     (sizeof grid / sizeof *grid)
#define FEW_GROUPS 0.1 /* the strength with fewer than three groups, when nothing can be left out */

struct shrink_work {
    struct box_work *box;
    struct lapack_work *lapack;
    double *at;              /* A T, n x p */
    double *part, *part_b;   /* rows of a fold, then their triangle */
    double *stack, *stack_b; /* (m + p) x p */
    double *u, *ac;
    size_t *fold, *scratch; /* of each row; memory for assigning folds */
};

static void *work_new(size_t rows, size_t variables)
{
    struct shrink_work *w = xcalloc(1, sizeof *w);
    size_t most = rows > variables ? rows : variables;
    w->box = box_work_new(2 * variables, variables);
    w->lapack = lapack_work_new(rows, variables);
    w->at = xcalloc(rows * variables, sizeof *w->at);
    w->part = xcalloc(most * variables, sizeof *w->part);
    w->part_b = xcalloc(most, sizeof *w->part_b);
    w->stack = xcalloc(2 * variables * variables, sizeof *w->stack);
    w->stack_b = xcalloc(2 * variables, sizeof *w->stack_b);
    w->u = xcalloc(variables, sizeof *w->u);
    w->ac = xcalloc(rows, sizeof *w->ac);
    w->fold = xcalloc(rows, sizeof *w->fold);
    w->scratch = xcalloc(3 * rows, sizeof *w->scratch);
    return w;
}

static void work_free(void *work)
{
    struct shrink_work *w = work;
    box_work_free(w->box);
    lapack_work_free(w->lapack);
    free(w->at);
    free(w->part);
    free(w->part_b);
    free(w->stack);
    free(w->stack_b);
    free(w->u);
    free(w->ac);
    free(w->fold);
    free(w->scratch);
    free(w);
}

static size_t base_of(const struct problem *q, size_t v)
{
    return classes_base(q->variables, v);
}

/* Is v's difference to its base pulled, and not v's value? */
static bool difference_is_pulled(const struct problem *q, size_t v)
{
    return q->variables[v].twin != REGRESS_NONE && !(q->variables[v].spread > 0);
}

/* The expected value of x_v. */
static double cost_of(const struct problem *q, size_t v, double k)
{
    return q->variables[v].spread > 0 ? q->variables[v].cost : k * q->variables[v].prior;
}

/* Computes A T. X_d's cost contains X's, so its counts are also added to X's column, and so on downwards. */
static void transform(struct shrink_work *w, const struct problem *q)
{
    memcpy(w->at, q->a, q->n * q->p * sizeof *w->at);
    for (size_t v = 0; v < q->p; v++)
        for (size_t u = base_of(q, v); u != REGRESS_NONE; u = base_of(q, u))
            cblas_daxpy((int)q->n, 1, q->a + v * q->n, 1, w->at + u * q->n, 1);
}

/* k by the rows outside fold `left`; a number that is no fold leaves none out. Returns false if no row determines
 * it. */
static bool unit_cost(const struct shrink_work *w, const struct problem *q, size_t left, double *k)
{
    double ab = 0, aa = 0;
    for (size_t i = 0; i < q->n; i++) {
        if (w->fold[i] == left)
            continue;
        ab += w->ac[i] * q->b[i];
        aa += w->ac[i] * w->ac[i];
    }
    *k = ab / aa;
    return ab > 0 && aa > 0;
}

/* Reduces the rows outside fold `left` to at most p rows. Returns their number. */
static size_t reduce(struct shrink_work *w, const struct problem *q, size_t left)
{
    size_t n = 0;
    for (size_t i = 0; i < q->n; i++)
        n += w->fold[i] != left;
    for (size_t j = 0; j < q->p; j++) {
        double *to = w->part + j * n;
        for (size_t i = 0; i < q->n; i++)
            if (w->fold[i] != left)
                *to++ = w->at[j * q->n + i];
    }
    double *to = w->part_b;
    for (size_t i = 0; i < q->n; i++)
        if (w->fold[i] != left)
            *to++ = q->b[i];
    if (n <= q->p)
        return n;
    lapack_qr(w->lapack, n, q->p, w->part, w->part_b);
    for (size_t j = 1; j < q->p; j++)
        memmove(w->part + j * q->p, w->part + j * n, q->p * sizeof *w->part);
    return q->p;
}

/* The expected value of u_v. */
static double expected(const struct problem *q, size_t v, double k)
{
    size_t base = base_of(q, v);
    double rest = base == REGRESS_NONE ? 0 : q->variables[base].prior;
    return fmax(0, k * (q->variables[v].prior - rest));
}

/* Starts near the solution for strong shrinkage, a good start for the strongest of the grid. */
static void start_at_prior(struct shrink_work *w, const struct problem *q, double k)
{
    for (size_t v = 0; v < q->p; v++)
        w->u[v] =
            q->variables[v].spread > 0 && base_of(q, v) == REGRESS_NONE ? q->variables[v].cost : expected(q, v, k);
}

/* The row of the stack that pulls v. */
static void pull(struct shrink_work *w, const struct problem *q, size_t v, size_t row, size_t rows, double weight,
                 double k)
{
    bool apart = difference_is_pulled(q, v);
    double scale =
        q->variables[v].spread > 0 ? q->variables[v].spread : k * q->variables[apart ? base_of(q, v) : v].prior;
    w->stack[v * rows + row] = weight / scale;
    for (size_t u = base_of(q, v); !apart && u != REGRESS_NONE; u = base_of(q, u))
        w->stack[u * rows + row] = weight / scale;
    w->stack_b[row] = weight * (apart ? expected(q, v, k) : cost_of(q, v, k)) / scale;
}

/* Solves the m rows of w->part with the penalty rows below them, into w->u, which is also the start. */
static enum status solve_stack(struct shrink_work *w, const struct problem *q, size_t m, double t, double k,
                               struct error *e)
{
    size_t rows = m + q->p;
    double weight = sqrt(t) * q->unit;
    for (size_t v = 0; v < q->p; v++) {
        double *column = w->stack + v * rows;
        memcpy(column, w->part + v * m, m * sizeof *column);
        memset(column + m, 0, q->p * sizeof *column);
    }
    for (size_t v = 0; v < q->p; v++)
        pull(w, q, v, m + v, rows, weight, k);
    memcpy(w->stack_b, w->part_b, m * sizeof *w->stack_b);
    return box_solve(w->box, rows, q->p, w->stack, w->stack_b, 0, 0, w->u, e);
}

/* Sum of |estimate - b| over a fold's rows. */
static double fold_error(const struct shrink_work *w, const struct problem *q, size_t fold)
{
    double sum = 0;
    for (size_t i = 0; i < q->n; i++)
        if (w->fold[i] == fold)
            sum += fabs(cblas_ddot((int)q->p, w->at + i, (int)q->n, w->u, 1) - q->b[i]);
    return sum;
}

static enum status choose(struct shrink_work *w, const struct problem *q, double *t, struct error *e)
{
    double error[N_GRID] = {0}, k;
    size_t folds = solver_assign_folds(q, FOLDS, w->fold, w->scratch);
    *t = FEW_GROUPS;
    for (size_t f = 0; f < folds; f++) {
        if (!unit_cost(w, q, f, &k))
            continue;
        size_t m = reduce(w, q, f);
        start_at_prior(w, q, k);
        for (size_t g = 0; g < N_GRID; g++) {
            enum status st = solve_stack(w, q, m, grid[g], k, e);
            if (st)
                return st;
            error[g] += fold_error(w, q, f);
        }
    }
    size_t best = 0;
    for (size_t g = 1; g < N_GRID; g++)
        if (error[g] < error[best])
            best = g;
    if (folds)
        *t = grid[best];
    return OK;
}

/* Summed from the lowest variable up, so that orders hold to the last bit. */
static double value_of(const struct shrink_work *w, const struct problem *q, size_t v)
{
    size_t base = base_of(q, v);
    return w->u[v] + (base == REGRESS_NONE ? 0 : value_of(w, q, base));
}

static enum status solve(void *work, const struct problem *q, struct solution *out, struct error *e)
{
    struct shrink_work *w = work;
    double t = q->strength, k;
    transform(w, q);
    memset(w->ac, 0, q->n * sizeof *w->ac);
    for (size_t v = 0; v < q->p; v++)
        cblas_daxpy((int)q->n, q->variables[v].prior, q->a + v * q->n, 1, w->ac, 1);
    enum status st = t < 0 ? choose(w, q, &t, e) : OK;
    if (st)
        return st;
    memset(w->fold, 0, q->n * sizeof *w->fold);
    if (!unit_cost(w, q, 1, &k))
        return error_set(e, ERR_INPUT, NOWHERE,
                         "the solver 'shrink' needs a target that grows with the counts; use 'ols'");
    size_t m = reduce(w, q, 1);
    start_at_prior(w, q, k);
    st = solve_stack(w, q, m, t, k, e);
    for (size_t v = 0; !st && v < q->p; v++)
        out->x[v] = value_of(w, q, v);
    out->strength = t;
    return st;
}

extern const struct solver solver_shrink;
const struct solver solver_shrink = {
    "shrink",  "non-negative, rare variables pulled to their prior, X_d >= X (the default)",
    true,      work_new,
    work_free, solve,
    0,         REGRESS_ORDERS | REGRESS_COSTS | REGRESS_STRENGTH};
