/*
 * crossval_estimators.h - compares methods of estimating on programs that were not used to fit the values. Each line of
 * the comparison is a method with the source of its values:
 *
 *   sum, operand   a classification's values, by a solver. The prediction of a linear model, counts x values, is the
 *                  estimate by `operand`: key X_d has its Latency, key X its Pitch. With `sum` every instruction costs
 *                  the value of X_d. A classification without _d variables has one line for both. Events that its
 *                  formulas use (misses) are in both.
 *   schedule       the microbenchmarks' values, tuned (tune.h)
 *   compiled       the board's timing data; nothing is fitted
 *
 * Values are fitted on the training rows alone, again for each fold.
 */
#ifndef SHIMGEN_ESTIMATE_INTERVALS_CROSSVAL_ESTIMATORS_H
#define SHIMGEN_ESTIMATE_INTERVALS_CROSSVAL_ESTIMATORS_H

#include <stdio.h>

#include "regress/regress.h"
#include "shimgen/estimate/tune/tune.h"

enum crossval_scheme {
    CROSSVAL_FOLDS,   /* programs are assigned to folds; test programs take no part */
    CROSSVAL_DOMAINS, /* all programs of a domain are left out together; test programs take no part */
    CROSSVAL_TEST     /* fitted once on the training programs, judged on the test programs */
};
struct crossval_spec {                    /* all borrowed */
    const struct regress_data *data;      /* with roles and domains; roles.h */
    const struct tune_programs *programs; /* profiles of all rows; NULL where only sum and operand are asked for */
    const struct costs *costs;            /* as measured, for schedule; else NULL */
    const char *board, *work;             /* for compiled: its name, the folder of the programs' IR */
    char *const *classes, *const *solvers;
    size_t n_classes, n_solvers;
    const struct estimator *const *methods;
    size_t n_methods;
    enum crossval_scheme scheme;
    size_t folds; /* CROSSVAL_FOLDS: >= 2 */
    uint64_t seed;
    bool trust; /* also judge intervals and doubts */
};
struct crossval_line {
    const char *method;           /* "sum", or "sum, operand" */
    const char *classes, *solver; /* borrowed; "" where the method has none */
    char *unavailable;            /* why it could not be fitted (events are missing); NULL: it could. Owned */
    double *training, *held_out;  /* of each row (estimate - measured) / measured; NAN: it has no part. Owned */
    unsigned *doubts;             /* of each row left out, as in struct estimate. Owned */
    bool divides_runs;            /* its files have an interval of their own for short runs (schedule_model.h) */
};
struct crossval {
    struct crossval_line *lines;
    size_t n;
    double *measured; /* cycles of each row */
    size_t *fold;     /* of each row: in which it is left out */
    size_t n_folds;
};
/* ERR_INPUT: no row is left to fit on or to judge by, a row without cycles or, where it is needed, without a profile.
 * crossval_release in any case. */
enum status crossval_run(struct crossval *out, const struct crossval_spec *spec, struct error *e) MUST_CHECK;
void crossval_release(struct crossval *c);

/* Errors of the rows of one level ("O2", by the program's name after '@'; NULL: all). */
struct regress_errors crossval_errors(const struct regress_data *d, const double *errors, const char *level);
/* format: text, csv or markdown. */
enum status crossval_print(const struct crossval *c, const struct crossval_spec *spec, const char *scheme,
                           const char *format, const char *path, struct error *e) MUST_CHECK;

/* ---- crossval_trust.c: is what is said of single estimates true? By rows left out in folds or domains ---- */

/* 90 % intervals of the rows left out, each from the errors of the rows of the same kind of code, and of
 * runs as short or as long, in the other folds. */
struct crossval_coverage {
    size_t n, within;
    double low, high; /* 95 % interval of the share within, of a binomial distribution (Clopper, Pearson 1934) */
    double width;     /* median of upper end / lower end; INFINITY: half of them or more have no end */
};
struct crossval_coverage crossval_coverage(const struct crossval *c, const struct regress_data *d,
                                           const struct crossval_line *l, const char *level);
/* Errors of the rows with a doubt, and without. */
struct crossval_doubt {
    size_t with, without;
    double median_with, median_without; /* absolute errors; NAN: no row */
};
struct crossval_doubt crossval_doubt(const struct regress_data *d, const struct crossval_line *l, const char *level,
                                     enum estimate_doubt doubt);
/* Both as text after the comparison. */
void crossval_print_trust(FILE *f, const struct crossval *c, const struct crossval_spec *spec, char *const *levels,
                          size_t n_levels);

/* ---- crossval_values.c: estimates of all rows by values that are fitted on `train` ---- */

/* cycles[0]: by operand, cycles[1]: by sum, each of all rows; *apart: the classification tells X_d apart.
 * ERR_UNSUPPORTED: events are missing. */
enum status crossval_linear(double *cycles[2], unsigned *doubts, bool *apart, const struct regress_data *d,
                            const char *classes, const char *solver, const struct regress_rows *train,
                            struct error *e) MUST_CHECK;
enum status crossval_schedule(double *cycles, unsigned *doubts, const struct crossval_spec *spec,
                              const struct regress_rows *train, struct error *e) MUST_CHECK;
enum status crossval_compiled(double *cycles, unsigned *doubts, const struct crossval_spec *spec,
                              struct error *e) MUST_CHECK;

#endif
