/*
 * Hierarchical shrinkage: non-negative least squares in which each variable is drawn to its group, each group to the
 * one above it, the uppermost to what is expected of all.
 *
 *     min over z >= 0 of  | A C z - b |^2  +  s^2 [ t1 sum over groups g of (z_g - z_above(g))^2
 *                                                 + t2 sum over variables v of (z_v - z_group(v))^2 ],    x = k C z
 *
 * C has the priors c_v on its diagonal and k is the one number that fits best when every variable costs k c_v (as in
 * shrink.c; A here is multiplied by it), so that z says how much more expensive than expected something is, and z_above
 * of an uppermost group is 1. Groups are the classification's paths (`group machine/memory load store`: machine/memory,
 * then machine); a variable without one hangs under the root. s is the size of b.
 *
 * A variable that few programs have so takes its group's cost, one that many have its own; a group of rare ones that of
 * the group above it. How strongly is the data's to say, for each level: t2 and t1 are chosen by cross-validation
 * within the data, groups of rows assigned to at most 10 folds, by least mean absolute error: first one strength for
 * both, then each in turn with the other held. A strength that is given holds for both. t -> 0 is nnls, t -> infinity
 * the baseline.
 *
 * All of it is one non-negative problem with more rows and with the groups as further unknowns.
 *
 * Sources: Lindley, Smith, Bayes Estimates for the Linear Model, J. Royal Stat. Soc. B 34 (1972), for the hierarchy
 * (their normal priors at each level are these penalties); Stone (1974) for the choice.
 */
#include "regress/solve/solver.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "regress/solve/box.h"

enum { FOLDS = 10, DEPTH = 4 /* largest number of levels of groups */ };
#define NO_FOLD REGRESS_NONE
static const double grid[] = {10, 3, 1, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4};
enum { N_GRID = sizeof grid / sizeof *grid };

/* Nodes are the variables, followed by the groups. */
struct tree_work {
    struct box_work *box;
    double *ac, *part, *b, *z;
    size_t *fold, *scratch_folds; /* of each row; memory for assigning folds */
    size_t *above;                /* of each node: its parent; REGRESS_NONE: the root */
    const char **path;            /* of each group: its first `length` characters */
    size_t *length;
    size_t nodes;
};

static void *work_new(size_t rows, size_t variables)
{
    struct tree_work *w = xcalloc(1, sizeof *w);
    size_t nodes = variables * (1 + DEPTH);
    w->box = box_work_new(rows + nodes, nodes);
    w->ac = xcalloc(rows, sizeof *w->ac);
    w->part = xcalloc((rows + nodes) * nodes, sizeof *w->part);
    w->b = xcalloc(rows + nodes, sizeof *w->b);
    w->z = xcalloc(nodes, sizeof *w->z);
    w->fold = xcalloc(rows, sizeof *w->fold);
    w->scratch_folds = xcalloc(3 * rows, sizeof *w->scratch_folds);
    w->above = xcalloc(nodes, sizeof *w->above);
    w->path = xcalloc(nodes, sizeof *w->path);
    w->length = xcalloc(nodes, sizeof *w->length);
    return w;
}

static void work_free(void *work)
{
    struct tree_work *w = work;
    box_work_free(w->box);
    free(w->ac);
    free(w->part);
    free(w->b);
    free(w->z);
    free(w->fold);
    free(w->scratch_folds);
    free(w->above);
    free(w->path);
    free(w->length);
    free(w);
}

/* The node for the first `n` characters of a path. It is made if it is new. */
static size_t node_of(struct tree_work *w, size_t p, const char *path, size_t n, size_t above)
{
    for (size_t i = p; i < w->nodes; i++)
        if (w->length[i] == n && memcmp(w->path[i], path, n) == 0)
            return i;
    w->path[w->nodes] = path;
    w->length[w->nodes] = n;
    w->above[w->nodes] = above;
    return w->nodes++;
}

static void grow(struct tree_work *w, const struct problem *q)
{
    w->nodes = q->p;
    for (size_t v = 0; v < q->p; v++) {
        const char *path = q->variables[v].group;
        size_t above = REGRESS_NONE, depth = 0;
        for (size_t n = 0; path && path[n] && depth < DEPTH; depth++) {
            n += strcspn(path + n, "/");
            above = node_of(w, q->p, path, n, above);
            n += path[n] == '/';
        }
        w->above[v] = above;
    }
}

/* k by the rows outside `left`. Returns false if no row determines it. */
static bool unit_cost(const struct tree_work *w, const struct problem *q, size_t left, double *k)
{
    double ab = 0, aa = 0;
    for (size_t i = 0; i < q->n; i++) {
        ab += w->fold[i] == left ? 0 : w->ac[i] * q->b[i];
        aa += w->fold[i] == left ? 0 : w->ac[i] * w->ac[i];
    }
    *k = ab / aa;
    return ab > 0 && aa > 0;
}

/* Solves the rows outside fold `left` and the penalties, into w->z. */
static enum status solve_part(struct tree_work *w, const struct problem *q, size_t left, double k, const double *t,
                              struct error *e)
{
    size_t n = 0, m = 0;
    for (size_t i = 0; i < q->n; i++)
        n += w->fold[i] != left;
    size_t rows = n + w->nodes;
    memset(w->part, 0, rows * w->nodes * sizeof *w->part);
    memset(w->b, 0, rows * sizeof *w->b);
    for (size_t i = 0; i < q->n; i++) {
        if (w->fold[i] == left)
            continue;
        for (size_t v = 0; v < q->p; v++)
            w->part[v * rows + m] = q->a[v * q->n + i] * k * q->variables[v].prior;
        w->b[m++] = q->b[i];
    }
    for (size_t i = 0; i < w->nodes; i++, m++) {
        double weight = sqrt(t[i < q->p]) * q->unit;
        w->part[i * rows + m] = weight;
        if (w->above[i] == REGRESS_NONE)
            w->b[m] = weight;
        else
            w->part[w->above[i] * rows + m] = -weight;
        w->z[i] = 1;
    }
    return box_solve(w->box, rows, w->nodes, w->part, w->b, 0, 0, w->z, e);
}

/* |estimate - b| of a row. */
static double off(const struct tree_work *w, const struct problem *q, double k, size_t i)
{
    double estimate = 0;
    for (size_t v = 0; v < q->p; v++)
        estimate += q->a[v * q->n + i] * k * q->variables[v].prior * w->z[v];
    return fabs(estimate - q->b[i]);
}

/* Sum of |estimate - b| over all folds, each estimated by the others. */
static enum status judge(struct tree_work *w, const struct problem *q, size_t folds, const double *t, double *sum,
                         struct error *e)
{
    *sum = 0;
    for (size_t f = 0; f < folds; f++) {
        double k;
        if (!unit_cost(w, q, f, &k))
            continue;
        enum status s = solve_part(w, q, f, k, t, e);
        if (s)
            return s;
        for (size_t i = 0; i < q->n; i++)
            *sum += w->fold[i] == f ? off(w, q, k, i) : 0;
    }
    return OK;
}

/* Finds the best strength of the grid for the given levels (bit 0: groups, bit 1: variables); the other is kept. Of
 * equal ones the strongest. */
static enum status search(struct tree_work *w, const struct problem *q, size_t folds, unsigned levels, double *t,
                          struct error *e)
{
    double best[2] = {t[0], t[1]}, least = INFINITY, sum;
    for (size_t g = 0; g < N_GRID; g++) {
        double now[2] = {levels & 1 ? grid[g] : t[0], levels & 2 ? grid[g] : t[1]};
        enum status s = judge(w, q, folds, now, &sum, e);
        if (s)
            return s;
        if (sum < least) {
            least = sum;
            memcpy(best, now, sizeof best);
        }
    }
    memcpy(t, best, sizeof best);
    return OK;
}

static enum status choose(struct tree_work *w, const struct problem *q, double *t, struct error *e)
{
    size_t folds = solver_assign_folds(q, FOLDS, w->fold, w->scratch_folds);
    t[0] = t[1] = 0.1;
    enum status s = folds ? search(w, q, folds, 3, t, e) : OK;
    if (!s && folds && w->nodes > q->p) /* without groups there is only one level */
        s = search(w, q, folds, 2, t, e);
    if (!s && folds && w->nodes > q->p)
        s = search(w, q, folds, 1, t, e);
    return s;
}

static enum status solve(void *work, const struct problem *q, struct solution *out, struct error *e)
{
    struct tree_work *w = work;
    double t[2] = {q->strength, q->strength}, k;
    grow(w, q);
    memset(w->ac, 0, q->n * sizeof *w->ac);
    for (size_t v = 0; v < q->p; v++)
        cblas_daxpy((int)q->n, q->variables[v].prior, q->a + v * q->n, 1, w->ac, 1);
    memset(w->fold, 0, q->n * sizeof *w->fold);
    if (!unit_cost(w, q, NO_FOLD, &k))
        return error_set(e, ERR_INPUT, NOWHERE, "this solver needs a target that grows with the counts; use 'ols'");
    enum status s = q->strength < 0 ? choose(w, q, t, e) : OK;
    if (!s)
        s = solve_part(w, q, NO_FOLD, k, t, e);
    for (size_t v = 0; !s && v < q->p; v++)
        out->x[v] = k * q->variables[v].prior * w->z[v];
    out->strength = t[1];
    return s;
}

extern const struct solver solver_tree;
const struct solver solver_tree = {"tree",
                                   "non-negative, variables pulled to their group, groups to the one above, each level "
                                   "as the data say",
                                   true,
                                   work_new,
                                   work_free,
                                   solve,
                                   0,
                                   REGRESS_STRENGTH};
