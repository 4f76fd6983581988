/*
 * coverage.h - how well a table of counts determines each value: per variable of a classification and per key. Also:
 * which other programs, counted but not measured, would help most. Formulas: docs/method/coverage.md.
 *
 *   regress_coverage -> its lists; regress_coverage_pool for candidates -> regress_coverage_free
 */
#ifndef REGRESS_DESIGN_COVERAGE_H
#define REGRESS_DESIGN_COVERAGE_H

#include "regress/regress.h"

enum regress_standing {
    REGRESS_WELL,
    REGRESS_WEAKLY,
    REGRESS_NOT_DETERMINED,
    REGRESS_ALIKE,       /* cannot be told from another one */
    REGRESS_ONE_PROGRAM, /* only one program has it */
    REGRESS_ABSENT       /* no program has it */
};

/* A variable, or a key with its dependent twin (`add.i32` and `add.i32_d` are one line). NAN: not known or not defined.
 */
struct regress_covered {
    char *name;
    double count;        /* over the rows looked at */
    double share;        /* of the counts of all */
    double cycle_share;  /* of the cycles of all, by the values: sum of count x value */
    double dependent;    /* fraction of its counts that are `_d`; of a variable X or X_d: of both together */
    size_t rows, groups; /* in which it occurs; a program at several levels is one group */
    double effective;    /* programs that its information is worth: 1 / sum of squared shares */
    double strongest;    /* share of its information that one program brings, the largest */
    char *strongest_of;  /* that program; NULL: none */
    double value;        /* cycles per count; of a key: the mean over its plain and dependent counts */
    double error;        /* variables: standard error of the value; INFINITY: not determined */
    double vif;          /* variables; INFINITY: a combination of others */
    size_t like;         /* index of the one that it is most easily confused with; REGRESS_NONE */
    double likeness;     /* 0 .. 1: correlation of the two estimates (variables), cosine of the counts (keys) */
    size_t variable[2];  /* keys: variable of the plain and of the dependent key; REGRESS_NONE: none, or ignored */
    enum regress_standing standing;
    char *words; /* the reason for its standing: one sentence without a full stop */
};
/* Everything is owned; regress_coverage_free. */
struct regress_coverage {
    size_t n, n_groups, rank;
    bool measured; /* false: the table has no target: each count is taken to cost 1, see regress_coverage */
    double sigma;  /* scatter of a row about the values, as a fraction of its target; NAN: no rows are left to see it */
    double unit;   /* cycles that a count costs on average: the one value that fits best when all are equal */
    double condition_raw, condition_rows, condition_scaled; /* as in regress_diagnosis */
    struct regress_covered *variables;
    size_t n_variables;
    struct regress_covered *keys; /* in the order of the columns */
    size_t n_keys;
    struct regress_classes *classes; /* `each` written out */
    double *moment; /* Z'Z, n_variables x n_variables, column by column: Z_ij is the fraction of row i's cycles that
                       variable j makes by its weight */
    double *weight; /* cycles per count of variable j in Z: its value, but no less than unit / 10 */
};

/* m: the model whose values and classification count (c is NULL then); NULL: the values are fitted with the solver of
 * `settings`, without intervals or validation. A table without the target's column is examined as counts
 * only: each count is taken to cost 1, and each row to scatter by 10 %. The errors then say how well values could be
 * determined.
 * Refused: what regress_fit refuses. */
enum status regress_coverage(struct regress_coverage **out, const struct regress_data *d,
                             const struct regress_classes *c, const struct regress_model *m,
                             const struct regress_settings *settings, const struct regress_rows *rows,
                             struct error *e) MUST_CHECK;
void regress_coverage_free(struct regress_coverage *c);
const char *regress_standing_text(enum regress_standing s); /* "well determined" ...; static */

/* A program that was counted but not measured, all its rows together. */
struct regress_candidate {
    char *name; /* up to '@' */
    size_t rows;
    double gain;  /* ln det(M + Z'Z) - ln det M: by how much it narrows the values, alone */
    double after; /* the same when those before it in the list are measured too */
    size_t helps; /* variable whose variance falls most when it is added to those before it; REGRESS_NONE: none */
    double falls; /* by this fraction */
};
/* Chooses up to `most` candidates, the most helpful first; each is chosen as if those before it were measured. rows: of
 * the pool; NULL: all. Programs of `known` (the data of the coverage) are skipped. Free with regress_candidates_free. Rows of `pool` in which
 * nothing is counted are left out. ERR_INPUT: a key that the classification does not know, with counts; a negative
 * count. */
enum status regress_coverage_pool(struct regress_candidate **out, size_t *n, const struct regress_coverage *c,
                                  const struct regress_data *pool, const struct regress_rows *rows,
                                  const struct regress_data *known, size_t most, struct error *e) MUST_CHECK;
void regress_candidates_free(struct regress_candidate *list, size_t n);

#endif
