/*
 * regress.h - fits the costs of instructions to tables of counts: datasets, classifications, fits, models,
 * predictions, validation, diagnosis.
 *
 * Knows nothing of compilers, boards or XML: a key is the name of a column. In the order of use:
 *   regress_join or regress_data_read       a dataset: counts and measured cycles
 *   regress_classes_load                    a classification: which keys share a cost
 *   regress_fit, regress_model_write        the values, as a model
 *   regress_model_read, regress_predict     estimates of other programs
 *   regress_crossval, regress_diagnose      how good the values are; coverage.h: how well the data determine each
 * The library prints nothing and keeps no state. Its only effect beyond its objects: it sets OpenBLAS to one thread, so
 * that the same input gives the same bits.
 */
#ifndef REGRESS_H
#define REGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* g++: a struct and the function that makes it have the same name */
#endif

#define REGRESS_DEFAULT_CLASSES "fine"
#define REGRESS_DEFAULT_SOLVER  "shrink"
/* The solvers in the order of help and messages; the only list. FIRST and OTHER are macros of a name. */
#define REGRESS_SOLVERS(FIRST, OTHER) FIRST(ols) OTHER(nnls) OTHER(bounded) OTHER(shrink) OTHER(tree) OTHER(huber)
#define REGRESS_NAME(name)            #name
#define REGRESS_OR_NAME(name)         "|" #name
#define REGRESS_SOLVER_NAMES          REGRESS_SOLVERS(REGRESS_NAME, REGRESS_OR_NAME) /* "ols|nnls|...", for options */
/* With more groups than this, a fit leaves out groups in one hundred folds instead of one by one. */
#define REGRESS_MOST_LEFT_OUT 5000
#define REGRESS_NONE          ((size_t)-1) /* means "no index" in every field that holds one */

/* ---- datasets ---- */

/* The kind of a column follows from its name:
 *  - `cycles`, and events with CYCLES in their name (CPU_CYCLES, TSC_CYCLES, ...), are never variables;
 *  - capitals, digits and '_': an event of the machine, measured or simulated;
 *  - "branch." or "loop." first: control flow; "near.", "folded.", "constant." or "chain." first: data flow;
 *  - all others: keys, the counts of instructions.
 * An event may be missing in a row (an empty field, NAN here); other columns may not. */
enum regress_column { REGRESS_CYCLES, REGRESS_EVENT, REGRESS_FLOW, REGRESS_KEY };

/* One row per program and region. Free with regress_data_free. */
struct regress_data {
    char *path;  /* used in messages; as given by the caller */
    size_t n;    /* rows */
    size_t cols; /* numeric columns */
    char **programs;
    char **regions; /* "" if the table has no column `region` */
    /* Used in messages: "program", or "program:region" if the region is not empty, "main" or the program's own name. */
    char **labels;
    unsigned long *lines; /* line in the file; 0: the rows come from a join */
    char **names;         /* of the columns */
    enum regress_column *kinds;
    double *values; /* n x cols, row by row; NAN: no value */
    /* Rows whose program names agree up to '@' are one program at several optimisation levels. They are a group;
     * validation leaves out groups as a whole. */
    size_t *groups; /* group of each row, 0 .. n_groups - 1 in order of appearance */
    size_t n_groups;
    char **group_names; /* name of each group: the program's name up to '@' */
    /* Of each row: the program's domain ("sorting") and its role ("train": fits may use it; "test"); "": not given.
     * From the columns `domain` and `role`, or from regress_data_describe. NULL: no row has one. */
    char **domains, **roles;
    uint64_t hash; /* FNV-1a of names, columns and values; not of path, domains and roles */
};

/* Reads a wide CSV file with a column `program` and perhaps `region`, `domain`, `role`. Without `program`, rows are
 * named by their line number. All other columns must be numbers. ERR_INPUT with file, line and column: text, infinity
 * or NaN, an empty field in a key, a program and region given twice, no rows, no columns. Negative numbers are read; a
 * fit refuses them where they are counts. path "-": standard input. */
enum status regress_data_read(struct regress_data **out, const char *path, struct error *e) MUST_CHECK;
enum status regress_data_write(const struct regress_data *d, const char *path, struct error *e) MUST_CHECK;
void regress_data_free(struct regress_data *d);
bool regress_data_column(const struct regress_data *d, const char *name, size_t *column);
/* Sets the domain and role of a row; NULL leaves one as it is. */
void regress_data_describe(struct regress_data *d, size_t row, const char *domain, const char *role);
/* Sets domains and roles from tables with the columns `program`, `domain` and perhaps `role`, such as the manifests of
 * samples. `paths` are separated by commas. A table names programs as the rows do, without '@' and what follows; a
 * table SET/manifest.csv names them without "SET/". ERR_INPUT: none of a table's programs has a row. */
enum status regress_data_read_domains(struct regress_data *d, const char *paths, struct error *e) MUST_CHECK;

/* A set of rows, ascending. Free with free(rows.at). */
struct regress_rows {
    size_t *at;
    size_t n;
};
/* Selects the rows whose program or label matches one of the patterns. Patterns are separated by commas and may contain
 * `*` and `?`. "domain:PATTERN" and "role:PATTERN" match domain and role. NULL: all rows. ERR_INPUT: a pattern matches
 * nothing. */
enum status regress_rows_select(struct regress_rows *out, const struct regress_data *d, const char *patterns,
                                struct error *e) MUST_CHECK;

/* Why a join could not use a row. */
enum regress_reason { REGRESS_NOT_MEASURED, REGRESS_NOT_COUNTED, REGRESS_NO_CYCLES, REGRESS_ZERO_CYCLES };
/* A row that a join could not use. */
struct regress_unmatched {
    char *label; /* "program:region" */
    enum regress_reason why;
};
struct regress_join {
    struct regress_data *data; /* owned */
    struct regress_unmatched *unmatched;
    size_t n_unmatched;
    char **both; /* events that both tables have; one column was taken */
    size_t n_both;
    char **together; /* sentences about events of one ratio that could not both come from the preferred table */
    size_t n_together;
};
/* The preferred source of events that both tables have: measured on the board, or simulated during counting. */
enum regress_events { REGRESS_EVENTS_MEASURED, REGRESS_EVENTS_COUNTED };
/* Joins counts.csv (wide: program,region,<key>...) with measurements.csv (long:
 * program,region,event,value,stddev,runs). Columns of the result: cycles, the measured events by name, the simulated
 * events, then keys and flow in their order in the counts. An event in both tables is one column, taken as a whole from
 * the table that `events` prefers. Events of one ratio (accesses and refills of a cache level) come from one table, the
 * one that has both; see `together`. The column `cycles` is the same event in all rows: CPU_CYCLES if measured,
 * otherwise TSC_CYCLES, CNTVCT_CYCLES or RDTIME_CYCLES. `unmatched` lists rows that are in one table only, and rows without
 * cycles above 0. ERR_INPUT: no row matches, no cycle event, or an event measured twice. Free with
 * regress_join_release. */
enum status regress_join(struct regress_join *out, const char *counts_path, const char *measurements_path,
                         enum regress_events events, struct error *e) MUST_CHECK;
void regress_join_release(struct regress_join *j);
/* "is counted but not measured" ...; static text */
const char *regress_unmatched_text(const struct regress_unmatched *u);

/* ---- classifications: keys to variables ---- */

/* The first rule whose glob matches a key decides about the key. */
struct regress_rule {
    char *glob;
    size_t variable; /* REGRESS_NONE: the key is ignored */
    bool each;       /* every matching key becomes a variable of its own when data are read (variable unused) */
    unsigned long line;
};
struct regress_variable {
    char *name;
    /* count of this variable instead of the sum of its keys; NULL: the sum. See docs/formats/classes.md */
    char *formula;
    double prior; /* expected cost relative to the other variables; 1 if not given */
    char *group;  /* group in a tree of variables, "machine/memory"; NULL: none. Used by solver `tree` */
    size_t twin;  /* index of X for a variable X_d, otherwise REGRESS_NONE. Some solvers keep value(X_d) >= value(X) */
    double low, high; /* Bounds of the value, target units per count, 0 <= low <= high. 0 and INFINITY: no bound. */
    size_t below;     /* the value is at least that of this variable (`order`); REGRESS_NONE: no such order */
    /* Prior of the value (regress_classes_priors) and its standard deviation, target units per count. spread 0: no
     * prior. */
    double cost, spread;
    unsigned long line, order_line;
};
struct regress_let { /* a named intermediate result for formulas */
    char *name;
    char *formula;
    unsigned long line;
};
/* Free with regress_classes_free. */
struct regress_classes {
    char *name;   /* "operand", or the file's name without folder and .classes */
    char *path;   /* for messages */
    char *title;  /* one line */
    char *source; /* source of the classification; may be "" */
    bool all;     /* rules apply to events too, not only to keys */
    struct regress_rule *rules;
    size_t n_rules;
    struct regress_variable *variables;
    size_t n_variables;
    struct regress_let *lets;
    size_t n_lets;
};

/* Keys that the classification does not know: only its rule for all the rest ("*") matches them, and they are no LLVM
 * instructions. Names are borrowed from the data and from c. n is 0 if "*" is the only rule. */
struct regress_unknown {
    size_t n, recognised;         /* columns */
    const char *first, *variable; /* the first unknown column, and its variable; NULL: n is 0 */
};
void regress_unknown_columns(struct regress_unknown *out, const struct regress_classes *c,
                             const struct regress_data *d);

/* Loads a classification by name from <prefix>/share/shimgen/classes, or from a file if `name` contains a '/' or ends
 * in .classes. ERR_INPUT: no such name (the message lists all), or an error in the file. */
enum status regress_classes_load(struct regress_classes **out, const char *name, struct error *e) MUST_CHECK;
/* The names that regress_classes_load knows, sorted. Free each name and the array. */
enum status regress_classes_list(char ***names, size_t *n, struct error *e) MUST_CHECK;
/* Reads priors of variables for the solver `shrink`. The table has the columns `variable`, `prior` (target units per
 * count) and perhaps `spread` (standard deviation; empty: the prior itself). Variables that c does not have are
 * skipped. ERR_INPUT: c has none of them. */
enum status regress_classes_priors(struct regress_classes *c, const char *path, struct error *e) MUST_CHECK;
void regress_classes_free(struct regress_classes *c);
/* The index of the first rule that matches `key`; REGRESS_NONE: none does. A column about control flow ("branch.taken")
 * is only matched by patterns that begin like it ("branch.*", not "*"), unless the classification covers all
 * columns. */
size_t regress_classes_rule(const struct regress_classes *c, const char *key);
/* The events that the formulas of `c` use, sorted, each once. Free each text and the array. */
void regress_classes_events(const struct regress_classes *c, char ***events, size_t *n);

/* ---- any counters ---- */
struct regress_counters_spec {
    const char *target;
    const char *columns; /* patterns of columns, separated by commas; NULL: all numeric columns but the target */
    bool intercept, standardise;
    double sparse; /* columns with a value in fewer rows than this fraction are merged with similar ones; 0: none */
    const struct regress_rows *rows; /* rows for means and deviations; NULL: all */
};
/* Makes a classification from numeric columns, as a text with comments on what was decided and why. The rules are in
 * counters.c. Free *text. */
enum status regress_counters(char **text, const struct regress_data *d, const struct regress_counters_spec *spec,
                             struct error *e) MUST_CHECK;
/* Replaces the target by that of another table, row by row (same program and region): counters of one device, time on
 * another. Rows that `other` does not have get NAN; *without is their number. */
enum status regress_data_retarget(struct regress_data *d, const struct regress_data *other, const char *target,
                                  size_t *without, struct error *e) MUST_CHECK;

/* ---- fits and models ---- */

/* Errors of estimates: (estimate - measured) / measured, as fractions. n 0: not known, all others are NAN. */
struct regress_errors {
    size_t n;
    double mean, mean_abs, median_abs;
    double p90_abs;       /* 90th percentile of the absolute errors */
    double worst;         /* the largest error in absolute value, with its sign */
    const char *worst_of; /* label of that row; borrowed from the data, or from the model if this is part of one */
};

struct regress_settings {
    const char *target; /* column; NULL: "cycles" */
    const char *solver; /* NULL: REGRESS_DEFAULT_SOLVER */
    /* true: least squares of the cycles; false: of relative errors (each row divided by its target) */
    bool absolute;
    uint64_t seed;    /* seed of bootstrap and random folds */
    size_t resamples; /* number of bootstrap samples; 0: no intervals of values (low = high = value) */
    /* shrinkage strength, for solvers that have one; < 0: chosen by cross-validation within the data */
    double strength;
    size_t jobs; /* threads for validation and bootstrap; 0: one per processor. Results do not depend on it */
};
#define REGRESS_SETTINGS_INIT                                                                                          \
    {                                                                                                                  \
        0, 0, false, 1, 200, -1, 0                                                                                     \
    }

/* Kinds of code, by the optimisation level in a program's name ("fir@O0"). Errors differ much between the two. */
enum regress_code { REGRESS_UNOPTIMISED, REGRESS_OPTIMISED, REGRESS_CODES };
/* REGRESS_CODES: the name has no level. */
enum regress_code regress_code_of(const char *program);
struct regress_interval {
    double level, error_low, error_high;
};

struct regress_value {
    char *name;
    char *formula;    /* NULL: the sum of its keys */
    double prior;     /* relative prior, as in the classification */
    double value;     /* target units (cycles) per count */
    double low, high; /* 5 % and 95 % quantiles of the bootstrap over groups; low <= value <= high */
    double count;     /* sum over the rows of the fit */
    double share;     /* share of the sum of all variables' counts */
    /* rows and groups in which it occurs; 0: no evidence, the value is the solver's choice (0 or the prior) */
    size_t rows, groups;
    size_t twin;
};
struct regress_key {
    char *key;
    size_t variable; /* index; REGRESS_NONE: ignored by the classification, value 0 */
    double count;    /* sum over the rows of the fit */
    double value, low, high;
};
/* Owns everything in it. Free with regress_model_free. */
struct regress_model {
    /* with `each` rules expanded: a reader can classify keys that the data did not have */
    struct regress_classes *classes;
    char *solver, *target, *version;
    bool absolute, non_negative;
    uint64_t seed;
    size_t resamples;
    double strength; /* the strength that was used; NAN: the solver has none */
    char *data_name; /* file name of the data, without folder */
    char *selection; /* patterns that selected the rows; "*": all */
    uint64_t data_hash;
    size_t n_rows, n_groups;
    size_t rank; /* numerical rank of the scaled table; less than n_values: the data do not determine all values */
    struct regress_value *values; /* same order as classes->variables */
    size_t n_values;
    struct regress_key *keys;
    size_t n_keys;
    struct regress_errors training, held_out; /* held_out: each group left out in turn (see REGRESS_MOST_LEFT_OUT) */
    /* Prediction interval: with probability `level` the measured value lies within [estimate / (1 + error_high),
     * estimate / (1 + error_low)]. The bounds are quantiles of the held-out errors. level 0: too few groups.
     * conformal.c says what this guarantees. */
    double level, error_low, error_high;
    /* The same for programs of one kind of code. level 0: too few groups of it */
    struct regress_interval of_code[REGRESS_CODES];
    char *names[2]; /* storage for worst_of */
};

/* Fits the variables of c to the rows (NULL: all) of d. The model records `selection` (NULL: "*"). Fewer rows than
 * variables, and collinear or empty columns, are handled as the solver documents; see `rank`, `rows` and
 * regress_diagnose. ERR_INPUT: the target is missing, or zero or negative in a relative fit; an unknown solver (the
 * message lists all); data without any count. Free *out with regress_model_free. */
enum status regress_fit(struct regress_model **out, const struct regress_data *d, const struct regress_classes *c,
                        const struct regress_settings *settings, const struct regress_rows *rows, const char *selection,
                        struct error *e) MUST_CHECK;
/* Writes and reads JSON (docs/formats/model.md). The same model gives the same bytes. */
enum status regress_model_write(const struct regress_model *m, const char *path, struct error *e) MUST_CHECK;
enum status regress_model_read(struct regress_model **out, const char *path, struct error *e) MUST_CHECK;
void regress_model_free(struct regress_model *m);

struct regress_prediction {
    size_t row;
    double estimate;
    double low, high; /* prediction interval; NAN: unbounded or not known */
    double measured;  /* NAN: the data have no target column */
    double error;     /* (estimate - measured) / measured; NAN without a measurement */
};
/* Estimates each of `rows` (NULL: all). *out has *n entries; free(*out). ERR_INPUT: the count of a key is not zero and
 * no rule of the model matches the key. */
enum status regress_predict(struct regress_prediction **out, size_t *n, const struct regress_model *m,
                            const struct regress_data *d, const struct regress_rows *rows, struct error *e) MUST_CHECK;
struct regress_errors regress_errors_of(const struct regress_data *d, const struct regress_prediction *p, size_t n);

/* ---- solvers, for lists ---- */
size_t regress_solver_count(void);
const char *regress_solver_name(size_t i);
const char *regress_solver_summary(size_t i);
bool regress_solver_known(const char *name);
/* Which information about variables, besides their counts, a solver uses. */
enum regress_heeds {
    REGRESS_BOUNDS = 1,   /* bounds of the classification */
    REGRESS_ORDERS = 2,   /* orders of the classification */
    REGRESS_COSTS = 4,    /* priors of regress_classes_priors */
    REGRESS_STRENGTH = 8, /* strength of the settings */
};
bool regress_solver_heeds(const char *name, enum regress_heeds what); /* false if there is no such solver */

/* ---- comparison of two sets of estimates ---- */

/* Two sets of estimates for the same rows. Compared is the difference of the absolute errors in each row: its mean, and
 * an interval of the mean from drawing groups with replacement. */
struct regress_difference {
    size_t rows, groups;  /* rows and groups with an error in both sets */
    double first, second; /* mean absolute errors */
    double difference;    /* second - first */
    /* 95 % interval of the difference: one set is better if 0 is outside. NAN: fewer than two groups */
    double low, high;
    size_t only_one;                /* rows that only one set has */
    char *first_name, *second_name; /* Owned; the line of each file that was used: "fine/nnls". */
};
/* Compares two tables with the columns program, predicted, measured, and perhaps region, classes and solver, as
 * `predict` and `crossval` write them. first_line and second_line ("CLASSES/SOLVER") choose among several lines; NULL
 * if a table has only one. ERR_INPUT: no row in common, or a row with different measured values. Free with
 * regress_difference_release. */
enum status regress_compare(struct regress_difference *out, const char *first, const char *first_line,
                            const char *second, const char *second_line, uint64_t seed, struct error *e) MUST_CHECK;
void regress_difference_release(struct regress_difference *d);

/* ---- validation ---- */
enum regress_scheme {
    REGRESS_LEAVE_ONE_OUT,        /* leave out each group */
    REGRESS_LEAVE_ONE_DOMAIN_OUT, /* leave out all groups of a domain; a group without a domain is one of its own */
    REGRESS_K_FOLD,               /* groups assigned to k folds at random */
    REGRESS_TEST                  /* fit once, predict the test rows */
};
struct regress_crossval_spec {
    const char *const *classes; /* names or files */
    size_t n_classes;
    const char *const *solvers;
    size_t n_solvers;
    enum regress_scheme scheme;
    size_t folds;                         /* number of folds for REGRESS_K_FOLD, >= 2 */
    const struct regress_rows *rows;      /* rows to fit on; NULL: all but the groups that have test rows */
    const struct regress_data *test;      /* test data for REGRESS_TEST; may be the same data */
    const struct regress_rows *test_rows; /* rows of `test`; NULL: all */
    const char *priors;                   /* file of priors for each classification; NULL: none */
    bool tolerant; /* errors of a classification or of a fit make its line unavailable instead of ending the call */
    /* also make prediction intervals of the held-out rows without using these rows, and count how many they cover */
    bool intervals;
    struct regress_settings settings; /* the member `solver` is not used */
};
struct regress_crossval_line {
    char *classes; /* "" for the baseline: cycles = k * executed instructions */
    char *solver;
    /* NULL: the line was fitted, all other members are set. Otherwise why not, after "file:line: " if a row is at
     * fault. */
    char *unavailable;
    bool not_here; /* unavailable because the data lack events that its formulas use; not a failure */
    size_t variables, rank;
    size_t negative; /* number of negative values in the fit on all training rows */
    double strength; /* NAN: none */
    struct regress_errors training, held_out;
    /* Share of held-out rows within their interval; NAN: no intervals were asked for. */
    double coverage;
    double level;                        /* nominal coverage, the least of all folds */
    double width;                        /* median of upper / lower bound; INFINITY if a bound is unbounded */
    struct regress_difference than_best; /* held-out errors: second is this line, first the best line */
    /* predictions of held-out rows; `row` is an index into data (into `test`) */
    struct regress_prediction *predictions;
    size_t n_predictions;
};
/* Free with regress_crossval_free. Line 0 is the baseline. */
struct regress_crossval {
    struct regress_crossval_line *lines;
    size_t n;
    size_t best; /* the line with the smallest mean absolute held-out error */
    size_t training_rows, held_out_rows;
    size_t shared_groups; /* REGRESS_TEST: groups on both sides; should be 0 */
};
/* Fits every classification with every solver on the same rows. A classification that needs events the data lack, or
 * whose formulas divide by 0 in a row, becomes an unavailable line. Other errors end the call, unless spec->tolerant.
 * ERR_INPUT: a row on both sides. */
enum status regress_crossval(struct regress_crossval **out, const struct regress_data *d,
                             const struct regress_crossval_spec *spec, struct error *e) MUST_CHECK;
void regress_crossval_free(struct regress_crossval *c);

/* ---- diagnosis ---- */
enum regress_severity { REGRESS_NOTE, REGRESS_WARNING, REGRESS_SEVERE };
struct regress_finding {
    enum regress_severity severity;
    const char *id; /* "rare", "collinear", "leverage", ...; static */
    char *subject;  /* the variables or the row */
    char *text;     /* what was found */
    char *remedy;   /* the remedy */
};
struct regress_domain {
    char *name; /* "": rows without a domain */
    size_t groups, rows;
    /* held_out: by fits without the domain, as --scheme lodo; n 0: not known */
    struct regress_errors training, held_out;
};
struct regress_diagnosis {
    const char *solver; /* the solver that was used; static */
    size_t n, p, rank;
    /* condition number of the raw counts, without empty columns; INFINITY: rank-deficient */
    double condition_raw;
    double condition_rows;         /* after dividing each row by its target */
    double condition_scaled;       /* after also scaling each column to length 1: what the solvers use */
    char **variables;              /* p names */
    double *counts, *shares, *vif; /* per variable; vif INFINITY: a linear combination of others; NAN: no counts */
    size_t *rows, *groups;         /* rows and groups in which the variable occurs */
    char **labels;                 /* n rows */
    double *leverage;              /* per row, 0 .. 1; their sum is the rank */
    /* Influence of single groups on the values. n_groups 0: fewer than three groups, or too many to leave out each. */
    size_t n_groups;
    char **group_names;
    double *values;  /* per variable */
    double *without; /* per variable: its value after leaving out the most influential group */
    /* per variable: (value - without) / standard error: DFBETAS of that group; NAN: no group changes the value */
    double *dfbetas;
    size_t *most_influential;       /* per variable: the most influential group */
    struct regress_domain *domains; /* n_domains 0: the data have no domains */
    size_t n_domains;
    struct regress_finding *findings;
    size_t n_findings;
};
/* Diagnoses the data, and the values that settings->solver (NULL: the default) gives. Free with
 * regress_diagnosis_free. */
enum status regress_diagnose(struct regress_diagnosis **out, const struct regress_data *d,
                             const struct regress_classes *c, const struct regress_settings *settings,
                             const struct regress_rows *rows, struct error *e) MUST_CHECK;
void regress_diagnosis_free(struct regress_diagnosis *g);

#ifdef __cplusplus
#pragma GCC diagnostic pop
}
#endif

#endif
