/* problem.h - small problems for solvers: made, solved by name, their residuals. */
#ifndef TEST_REGRESS_PROBLEM_H
#define TEST_REGRESS_PROBLEM_H

#include "support.h"

#include "regress/solve/solver.h"

enum { MOST_N = 40, MOST_P = 6 };

struct case_ {
    size_t n, p, group[MOST_N];
    double a[MOST_N * MOST_P], b[MOST_N], x[MOST_P];
    double unit; /* size of b */
    struct regress_variable variables[MOST_P];
};

/* Nothing is known of its variables, each row is a group of its own; of unit 1. */
static inline void plain(struct case_ *c, size_t n, size_t p)
{
    *c = (struct case_){.n = n, .p = p, .unit = 1};
    for (size_t i = 0; i < n; i++)
        c->group[i] = i;
    for (size_t j = 0; j < p; j++)
        c->variables[j] =
            (struct regress_variable){.prior = 1, .high = INFINITY, .twin = REGRESS_NONE, .below = REGRESS_NONE};
}

static inline void make_random(struct case_ *c, struct random *r, size_t n, size_t p)
{
    plain(c, n, p);
    for (size_t k = 0; k < n * p; k++)
        c->a[k] = uniform(r) - 0.3;
    for (size_t i = 0; i < n; i++)
        c->b[i] = uniform(r) - 0.3;
}

/* Into c->x; the strength that was used. */
static inline double solve(struct case_ *c, const char *name, double strength)
{
    struct error e = ERROR_INIT;
    const struct solver *s = solver_find(name);
    void *work = s->work_new(c->n, c->p);
    struct problem q = {c->n, c->p, c->a, c->b, c->unit, c->group, c->variables, strength, 1};
    struct solution out = {c->x, NAN};
    must(s->solve(work, &q, &out, &e), &e);
    s->work_free(work);
    return out.strength;
}

/* A x - b in row i. */
static inline double residual_of(const struct case_ *c, const double *x, size_t i)
{
    double r = -c->b[i];
    for (size_t j = 0; j < c->p; j++)
        r += c->a[j * c->n + i] * x[j];
    return r;
}

/* The sum of their squares. */
static inline double residual(const struct case_ *c, const double *x)
{
    double sum = 0;
    for (size_t i = 0; i < c->n; i++)
        sum += pow(residual_of(c, x, i), 2);
    return sum;
}

#endif
