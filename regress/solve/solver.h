/*
 * solver.h - the interface of a solver. A solver is one `struct solver` in its own file, with formula and source at the
 * top, and one line in solvers.c. Its workspace is allocated once for the largest problem. A solve allocates nothing,
 * so validation and bootstrap can call it thousands of times.
 */
#ifndef REGRESS_SOLVE_SOLVER_H
#define REGRESS_SOLVE_SOLVER_H

#include "regress/regress.h"

/* min over x of |A x - b|, plus what the solver adds. The rows are scaled by the caller. */
struct problem {
    size_t n, p;
    const double *a;     /* n x p, column by column, leading dimension n */
    const double *b;     /* n */
    double unit;         /* size of b before rows are weighted: 1000 in a relative fit, else its root mean square */
    const size_t *group; /* of each row: any numbers, equal for rows that must be left out together */
    const struct regress_variable *variables; /* p: prior, twin, bounds, order */
    double strength;                          /* < 0: to be chosen from the data */
    uint64_t seed;
};

struct solution {
    double *x;       /* p, the caller's */
    double strength; /* that was used; NAN: none */
};

struct solver {
    const char *name;
    const char *summary;
    bool non_negative; /* never gives a value below 0 */
    void *(*work_new)(size_t rows, size_t variables);
    void (*work_free)(void *work);
    enum status (*solve)(void *work, const struct problem *problem, struct solution *s, struct error *e);
    /* Says where the next solve starts: x of a similar problem. NULL: solves have no start. Solves are done in any
     * order, by several threads with a workspace each: a result must not depend on the solves before it. */
    void (*start)(void *work, const double *x, size_t variables);
    unsigned heeds; /* of enum regress_heeds */
};

const struct solver *solver_find(const char *name); /* NULL: unknown */
enum status solver_need(const struct solver **out, const char *name, struct error *e) MUST_CHECK;

/* For solvers that choose a strength: assigns the groups of the problem's rows to at most `most` folds by its seed;
 * fold[i] is the row's. Returns the number of folds, 0 with fewer than three groups. scratch: 3 n places. */
size_t solver_assign_folds(const struct problem *q, size_t most, size_t *fold, size_t *scratch);

#endif
