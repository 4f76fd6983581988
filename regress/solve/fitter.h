/*
 * fitter.h - many fits of one table: the scaled table, the solver and the memory for both are made once. The fits then
 * leave groups out or draw them several times.
 */
#ifndef REGRESS_SOLVE_FITTER_H
#define REGRESS_SOLVE_FITTER_H

#include "regress/solve/solver.h"
#include "regress/data/table.h"

struct fitter {
    const struct solver *solver;
    const struct table *table; /* borrowed */
    bool absolute;
    uint64_t seed;
    double strength; /* < 0: chosen in each fit */
    double unit;     /* size of the scaled targets: 1000, or their root mean square in an absolute fit */
    size_t n, p, n_groups;
    size_t *row;            /* in the data, of each of the n */
    size_t *group;          /* of each row, 0 .. n_groups - 1 */
    size_t *first;          /* row (of the n) with which each group starts: for its name */
    double *target, *scale; /* of each row; what counts and target are multiplied with */
    void *work;
    double *a, *b; /* the rows of one fit, column by column */
    size_t *a_group;
    size_t jobs; /* threads that validation may use; 0: one for each processor */
    bool shares; /* a copy: what describes the rows belongs to another */
};

/* ERR_INPUT: no such target, a row without it, one that is not above 0 in a relative fit, no counts at all. */
enum status fitter_new(struct fitter **out, const struct table *t, const struct regress_rows *rows,
                       const struct solver *solver, const struct regress_settings *settings,
                       struct error *e) MUST_CHECK;
void fitter_free(struct fitter *f);
/* Another for the same rows, with memory of its own to solve in: for another thread. To be freed before `f`. */
struct fitter *fitter_copy(const struct fitter *f);
/* Where the solver is to start, if it starts anywhere. A solve depends on nothing but its rows and this. */
void fitter_start(struct fitter *f, const double *x);

/* weight[g]: how often group g counts (0: left out); NULL: every group once. x has p places; *strength (may be NULL)
 * is what the solver used. Allocates nothing. */
enum status fitter_solve(struct fitter *f, const double *weight, double *x, double *strength,
                         struct error *e) MUST_CHECK;
/* Target of row i (of the n) by the values x; and (estimate - target) / target, NAN where the target is 0. */
double fitter_estimate(const struct fitter *f, size_t i, const double *x);
double fitter_error(const struct fitter *f, size_t i, const double *x);
/* The whole table, scaled, column by column, each column divided by its length where that is not 0: n x p, free it. */
double *fitter_scaled(const struct fitter *f);
/* Numerical rank of that matrix. */
enum status fitter_rank(const struct fitter *f, size_t *rank, struct error *e) MUST_CHECK;
/* A measured row's number in the target column of the data, or what is wrong with it. */
enum status fitter_find_target(const struct regress_data *d, const char *target, size_t *column,
                               struct error *e) MUST_CHECK;

#endif
