/*
 * Which of further programs narrows the values most: Bayesian D-optimality, one program after the other.
 *
 *     gain of z = ln det(M + z z') - ln det M = ln(1 + z' M^-1 z)          (matrix determinant lemma)
 *     M = Z'Z + (s/t)^2 I
 *
 * Z as in coverage.c: coefficients are 1 where the values are right. s = 10 % is how far a program lies from its
 * estimate, t = 100 % how far a value may lie from what it is taken for before any program is measured: so M is regular
 * where Z'Z is not, and a variable that no program has is worth measuring, but not infinitely. A program's rows are
 * added one after the other by (M + z z')^-1 = M^-1 - u u' / (1 + z'u), u = M^-1 z (Sherman, Morrison, Ann. Math. Stat.
 * 21 (1950)). The cycles of a row are estimated with the values.
 *
 * Fedorov, Theory of Optimal Experiments (1972), for adding the point of the largest z' M^-1 z; Chaloner, Verdinelli,
 * Bayesian experimental design: a review, Statistical Science 10 (1995), for the term (s/t)^2 I.
 */
#include "regress/design/coverage.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "regress/solve/decompose.h"
#include "regress/data/table.h"

#define SCATTER 0.1
#define BEFORE  1.0

struct pool {
    const struct regress_coverage *c;
    size_t p;
    double *z;       /* rows of the candidates, p numbers each, candidate by candidate */
    size_t *first;   /* of each candidate: its first row; one entry more than candidates */
    size_t n;        /* number of candidates */
    double *inverse; /* M^-1 of what has been chosen so far */
    double *trial, *u;
    bool *chosen;
};

static double *inverse_moment(const struct regress_coverage *c, struct error *e)
{
    size_t p = c->n_variables;
    double *m = xmemdup(c->moment, p * p * sizeof *m), *inverse = xcalloc(p * p, sizeof *inverse);
    for (size_t j = 0; j < p; j++)
        m[j * p + j] += (SCATTER / BEFORE) * (SCATTER / BEFORE);
    struct decomposition d;
    enum status s = decompose(&d, m, p, p, true, e);
    for (size_t j = 0; !s && j < p; j++)
        for (size_t k = 0; k < p; k++)
            for (size_t i = 0; i < p; i++)
                inverse[j * p + k] += d.vt[j * p + i] * d.vt[k * p + i] / d.values[i];
    release_decomposition(&d);
    free(m);
    if (!s)
        return inverse;
    free(inverse);
    return 0;
}

/* A row as fractions of its cycles. Returns false if it has none. */
static bool scaled_row(const struct regress_coverage *c, const double *counts, double *z)
{
    double cycles = 0, total = 0;
    for (size_t j = 0; j < c->n_variables; j++) {
        cycles += counts[j] * c->variables[j].value;
        total += counts[j] * c->unit;
    }
    cycles = cycles > 0 ? cycles : total;
    for (size_t j = 0; cycles > 0 && j < c->n_variables; j++)
        z[j] = counts[j] * c->weight[j] / cycles;
    return cycles > 0;
}

/* Collects the candidates' rows. Known programs are not candidates. */
static void gather(struct pool *q, struct regress_candidate *list, const struct table *t,
                   const struct regress_data *known)
{
    const struct regress_data *d = t->data;
    struct map measured = {0};
    for (size_t g = 0; known && g < known->n_groups; g++)
        map_put(&measured, known->group_names[g], 0);
    size_t rows = 0;
    for (size_t g = 0; g < d->n_groups; g++) {
        size_t from = rows;
        if (map_get(&measured, d->group_names[g], 0))
            continue;
        for (size_t i = 0; i < d->n; i++)
            if (d->groups[i] == g && scaled_row(q->c, t->counts + i * t->p, q->z + rows * q->p))
                rows++;
        if (rows == from)
            continue;
        q->first[q->n] = from;
        list[q->n] = (struct regress_candidate){.name = xstrdup(d->group_names[g]), .rows = rows - from};
        list[q->n++].helps = REGRESS_NONE;
    }
    q->first[q->n] = rows;
    map_release(&measured);
}

/* Adds candidate k's rows to the inverse h. Returns the gain. */
static double add(const struct pool *q, size_t k, double *h)
{
    double gain = 0;
    for (size_t row = q->first[k]; row < q->first[k + 1]; row++) {
        const double *z = q->z + row * q->p;
        cblas_dsymv(CblasColMajor, CblasLower, (int)q->p, 1, h, (int)q->p, z, 1, 0, q->u, 1);
        double g = cblas_ddot((int)q->p, z, 1, q->u, 1);
        gain += log1p(g);
        cblas_dsyr(CblasColMajor, CblasLower, (int)q->p, -1 / (1 + g), q->u, 1, h, (int)q->p);
    }
    return gain;
}

static double gain_of(const struct pool *q, size_t k)
{
    memcpy(q->trial, q->inverse, q->p * q->p * sizeof *q->trial);
    return add(q, k, q->trial);
}

/* Chooses candidate k: updates what it helps most, and the inverse. */
static void choose(struct pool *q, struct regress_candidate *list, size_t k)
{
    memcpy(q->trial, q->inverse, q->p * q->p * sizeof *q->trial);
    list[k].after = add(q, k, q->inverse);
    for (size_t j = 0; j < q->p; j++) {
        double before = q->trial[j * q->p + j], falls = 1 - q->inverse[j * q->p + j] / before;
        if (falls > list[k].falls) {
            list[k].falls = falls;
            list[k].helps = j;
        }
    }
    q->chosen[k] = true;
}

/* Sorts the best first. Candidates that were not chosen are freed. */
static size_t rank(struct pool *q, struct regress_candidate *list, size_t most)
{
    struct regress_candidate *ranked = xcalloc(q->n, sizeof *ranked);
    size_t n = 0;
    for (size_t k = 0; k < q->n; k++)
        list[k].gain = gain_of(q, k);
    for (; n < q->n && n < most; n++) {
        size_t best = REGRESS_NONE;
        double most_gain = 0;
        for (size_t k = 0; k < q->n; k++) {
            double gain = q->chosen[k] ? -1 : gain_of(q, k);
            if (!q->chosen[k] && (best == REGRESS_NONE || gain > most_gain)) {
                best = k;
                most_gain = gain;
            }
        }
        choose(q, list, best);
        ranked[n] = list[best];
    }
    for (size_t k = 0; k < q->n; k++)
        if (!q->chosen[k])
            free(list[k].name);
    memcpy(list, ranked, n * sizeof *list);
    free(ranked);
    return n;
}

enum status regress_coverage_pool(struct regress_candidate **out, size_t *n, const struct regress_coverage *c,
                                  const struct regress_data *pool, const struct regress_rows *rows,
                                  const struct regress_data *known, size_t most, struct error *e)
{
    struct table *t = 0;
    struct pool q = {.c = c, .p = c->n_variables};
    enum status s = table_make(&t, pool, c->classes, "cycles", rows, true, e);
    if (s)
        return s;
    q.inverse = inverse_moment(c, e);
    if (!q.inverse) {
        table_free(t);
        return ERR_INPUT;
    }
    q.z = xcalloc(t->n * q.p, sizeof *q.z);
    q.first = xcalloc(pool->n_groups + 1, sizeof *q.first);
    q.trial = xcalloc(q.p * q.p + q.p, sizeof *q.trial);
    q.u = q.trial + q.p * q.p;
    q.chosen = xcalloc(pool->n_groups, sizeof *q.chosen);
    *out = xcalloc(pool->n_groups, sizeof **out);
    gather(&q, *out, t, known);
    *n = rank(&q, *out, most);
    free(q.z);
    free(q.first);
    free(q.inverse);
    free(q.trial);
    free(q.chosen);
    table_free(t);
    return OK;
}

void regress_candidates_free(struct regress_candidate *list, size_t n)
{
    for (size_t i = 0; list && i < n; i++)
        free(list[i].name);
    free(list);
}
