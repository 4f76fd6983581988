/*
 * design.h - which programs to add to a table so that the values are determined best: D-optimal
 * choice among candidates that are counted but not measured.
 *
 * The rows that a fit sees are relative: each is divided by its cycles. Those of a candidate are not known, so each row
 * (of the table that is given too) is divided by what its counts are expected to cost, the classification's priors.
 * With X these rows, columns brought to a mean square of 1 over all rows, the choice makes
 *
 *     log det (X'X + d I),  d = 1/1000
 *
 * large: the volume of the values' confidence region is proportional to det(X'X)^(-1/2) (Fedorov, Theory of Optimal
 * Experiments, 1972). The d keeps variables that no row has from making every choice equally bad (a Bayesian prior:
 * DuMouchel, Jones, Technometrics 36, 1994). A program brings all its rows (levels, regions) at once. First greedily,
 * then each chosen program is exchanged for the candidate that gains most, until none does (Cook, Nachtsheim,
 * Technometrics 22, 1980).
 */
#ifndef REGRESS_DESIGN_DESIGN_H
#define REGRESS_DESIGN_DESIGN_H

#include "regress/regress.h"

struct regress_design_figures {
    size_t programs, rows, rank;
    double condition; /* columns that occur, each of length 1; INFINITY: dependent */
    double log_det;
};
/* Own it: regress_design_free. */
struct regress_design {
    size_t *groups, n;                    /* chosen, of the candidates; ascending */
    size_t n_variables;                   /* that occur in any row */
    char **absent;                        /* variables of the classification that no row has */
    size_t n_absent, repeated;            /* candidates that the given table has already: not chosen */
    struct regress_design_figures given;  /* rows 0: there was no table */
    struct regress_design_figures random; /* of `draws` random choices of n programs, the one with the median */
    struct regress_design_figures chosen, all;
    double best_at_random; /* log det */
    size_t draws;
};
/* Some rows of a table; rows NULL: all. */
struct regress_table {
    const struct regress_data *data;
    const struct regress_rows *rows;
};
/* given->data may be NULL: there is no table yet. Rows of the region "(program)" are sums of others and are left out.
 * Fewer candidates than n is ERR_INPUT; so are tables that the classification cannot count. */
enum status regress_design(struct regress_design **out, const struct regress_table *candidates,
                           const struct regress_table *given, const struct regress_classes *c, size_t n, uint64_t seed,
                           struct error *e) MUST_CHECK;
void regress_design_free(struct regress_design *d);

/* ---- the choice itself ---- */

/* Candidates as blocks of rows: block b has the rows first[b] .. first[b + 1] - 1 of x (row by row, p columns). */
struct design_pool {
    size_t n_blocks, p;
    const size_t *first; /* n_blocks + 1 */
    const double *x;
};
/* log det (m + sum of the blocks' X'X); m is p x p, symmetric. -INFINITY: not positive definite. */
double design_log_det(const struct design_pool *pool, const double *m, const size_t *blocks, size_t n);
/* The blocks (n of them, each at most once, ascending) for which that is large; m must be positive definite. */
double design_choose(size_t *blocks, size_t n, const struct design_pool *pool, const double *m);

#endif
