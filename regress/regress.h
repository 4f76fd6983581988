/*
 * regress.h - from tables of counts to the cost of what was counted: datasets,
 * classifications, fits, models, predictions, validation, diagnosis.
 *
 * Knows nothing of compilers, boards or XML: a key is the name of a column. The
 * order of use:
 *   regress_join or regress_data_read -> regress_classes_load -> regress_fit ->
 *   regress_model_write ... regress_model_read -> regress_predict; and
 *   regress_crossval, regress_diagnose on the same data; coverage.h has what these data can tell of each value.
 * The library prints nothing and keeps no state; its one effect outside its objects
 * is that it sets OpenBLAS to one thread, so that the same input gives the same bits.
 */
#ifndef REGRESS_H
#define REGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define REGRESS_DEFAULT_CLASSES "fine"
#define REGRESS_DEFAULT_SOLVER  "shrink"
#define REGRESS_SOLVER_NAMES    "ols|ridge|nnls|bounded|shrink|tree|robust|huber|lad" /* for option tables */
/* With more groups than this, a fit leaves out folds of them, a hundred, and not each in turn. */
#define REGRESS_MOST_LEFT_OUT 5000
#define REGRESS_NONE          ((size_t)-1) /* "no index" in every field that holds one */

/* ---- datasets ---- */

/* What a column is, told by its name: `cycles` and events with CYCLES in their name (CPU_CYCLES, TSC_CYCLES, ...)
 * are never variables; a name of capitals, digits and '_' is an event of the machine, measured or simulated; a name
 * that begins with "branch." or "loop." says how control flowed, with "near.", "folded.", "constant." or "chain." how
 * data did; the rest are keys, the counts of instructions. Events
 * may be missing in a row (an empty field, NAN here), the others may not. */
enum regress_column { REGRESS_CYCLES, REGRESS_EVENT, REGRESS_FLOW, REGRESS_KEY };

/* One row per program and region. Own it: regress_data_free. */
struct regress_data {
    char *path;  /* for messages, as it was given */
    size_t n;    /* rows */
    size_t cols; /* numeric columns */
    char **programs;
    char **regions; /* "" where the table has no such column */
    char **labels;  /* for messages: "program", or "program:region" where the region is neither empty nor "main" nor
                       the program's own name */
    unsigned long *lines; /* in the file; 0 when the rows come from a join */
    char **names;         /* of the columns */
    enum regress_column *kinds;
    double *values; /* n x cols, row by row; NAN: no value */
    /* Rows whose program names agree up to '@' are the same program (at several optimisation levels): one group, which
     * validation leaves out as a whole. */
    size_t *groups; /* of each row, 0 .. n_groups - 1 in order of appearance */
    size_t n_groups;
    char **group_names; /* the name up to '@' */
    /* Of each row what its program is for ("sorting") and whether fits may see it ("train", "test"); "": not said. From
     * the columns `domain` and `role` or from regress_data_describe. NULL: no row says it. */
    char **domains, **roles;
    uint64_t hash; /* FNV-1a of names, columns and values; not of the path, domains and roles */
};

/* A wide CSV with a column `program` (and perhaps `region`, `domain`, `role`); without it rows are named by their line.
 * All other columns must be numbers. Refused with file, line and column: text, infinities and NaN, an empty field in a
 * key, a program and region given twice, no rows, no columns. Negative numbers are read; where they are counts the fit
 * refuses them. path "-": standard input. */
enum status regress_data_read(struct regress_data **out, const char *path, struct error *e) MUST_CHECK;
enum status regress_data_write(const struct regress_data *d, const char *path, struct error *e) MUST_CHECK;
void regress_data_free(struct regress_data *d);
bool regress_data_column(const struct regress_data *d, const char *name, size_t *column);
/* Says domain and role of a row (NULL: as before). */
void regress_data_describe(struct regress_data *d, size_t row, const char *domain, const char *role);
/* Takes them from tables with the columns `program` and `domain` (and perhaps `role`), separated by commas, such as the
 * manifests of samples: a program is named as up to the '@' of the rows, or, in a file SET/manifest.csv, without the
 * "SET/". ERR_INPUT when none of a file's programs has a row. */
enum status regress_data_read_domains(struct regress_data *d, const char *paths, struct error *e) MUST_CHECK;

/* A set of rows, ascending. Own it: free(rows.at). */
struct regress_rows {
    size_t *at;
    size_t n;
};
/* The rows whose program or label matches one of the patterns (separated by commas; `*` and `?`); "domain:PATTERN" and
 * "role:PATTERN" match these. NULL: all rows. A pattern that matches nothing is ERR_INPUT. */
enum status regress_rows_select(struct regress_rows *out, const struct regress_data *d, const char *patterns,
                                struct error *e) MUST_CHECK;

/* What a join could not use. */
struct regress_unmatched {
    char *label; /* "program:region" */
    enum { REGRESS_NOT_MEASURED, REGRESS_NOT_COUNTED, REGRESS_NO_CYCLES, REGRESS_ZERO_CYCLES } why;
};
struct regress_join {
    struct regress_data *data; /* owned */
    struct regress_unmatched *unmatched;
    size_t n_unmatched;
    char **both; /* events that both tables have: one column was taken */
    size_t n_both;
    char **together; /* sentences: events of one ratio, of which not both were where they should come from */
    size_t n_together;
};
/* Whose values an event has that both tables have: the board's, or those that were simulated as it was counted. */
enum regress_events { REGRESS_EVENTS_MEASURED, REGRESS_EVENTS_COUNTED };
/* counts.csv (wide: program,region,<key>...) with measurements.csv (long: program,region,event,value,stddev,runs).
 * The result has the columns cycles, the measured events by name, the simulated events of the counts, the rest of their
 * columns in their order: keys, flow. An event that both have is one column, taken as a whole from where `events` says.
 * Events that stand in one ratio (accesses and refills of a level) come from one table, that which has both:
 * `together`. cycles is CPU_CYCLES where the measurements have it, else TSC_CYCLES, CNTVCT_CYCLES or RDTIME_CYCLES; one
 * and the same event for all rows. Rows that are in one table only, and those without cycles above 0, are listed in
 * `unmatched`. ERR_INPUT when nothing
 * matches, when no cycle event is there, when an event is measured twice. regress_join_release frees. */
enum status regress_join(struct regress_join *out, const char *counts_path, const char *measurements_path,
                         enum regress_events events, struct error *e) MUST_CHECK;
void regress_join_release(struct regress_join *j);
const char *regress_unmatched_text(const struct regress_unmatched *u); /* "is counted but not measured" ...; static */

/* ---- classifications: keys to variables ---- */

/* The first rule whose glob matches a key decides. */
struct regress_rule {
    char *glob;
    size_t variable; /* REGRESS_NONE: the key is ignored */
    bool each;       /* every matching key is a variable of its own, made when data are met (variable unused) */
    unsigned long line;
};
struct regress_variable {
    char *name;
    char *formula; /* the count of this variable in place of the sum of its keys; NULL: the sum. See classes.md */
    double prior;  /* expected cost, relative to the other variables; 1 when not said */
    char *group;   /* path of the tree it is in, "machine/memory"; NULL: none. For solvers that know trees */
    size_t twin; /* X for a variable X_d, else REGRESS_NONE: solvers that know structure hold value(X_d) >= value(X) */
    double low, high;    /* bounds of its value, target units per count, 0 <= low <= high; 0 and INFINITY: not said */
    size_t below;        /* its value is at least this variable's (`order`); REGRESS_NONE */
    double cost, spread; /* expected of its value (regress_classes_priors), target units per count; spread 0: nothing */
    unsigned long line, order_line;
};
struct regress_let { /* a named intermediate of the formulas */
    char *name;
    char *formula;
    unsigned long line;
};
/* Own it: regress_classes_free. */
struct regress_classes {
    char *name;   /* "operand", or the file's name without folder and .classes */
    char *path;   /* for messages */
    char *title;  /* one line */
    char *source; /* where it is from; may be "" */
    bool all;     /* rules see the events too, not only the keys */
    struct regress_rule *rules;
    size_t n_rules;
    struct regress_variable *variables;
    size_t n_variables;
    struct regress_let *lets;
    size_t n_lets;
};

/* Keys that only a rule for all the rest ("*") takes, and that are no instruction of LLVM's: what the classification
 * was not made for. Names are borrowed, of the data and of c. None where "*" is all that c has. */
struct regress_unknown {
    size_t n, recognised;         /* columns */
    const char *first, *variable; /* the first of the n, where it goes; NULL: n is 0 */
};
void regress_unknown_columns(struct regress_unknown *out, const struct regress_classes *c,
                             const struct regress_data *d);

/* By name from <prefix>/share/shimgen/classes, or a file when `name` holds a '/' or ends in .classes. An unknown name
 * is ERR_INPUT naming those there are. */
enum status regress_classes_load(struct regress_classes **out, const char *name, struct error *e) MUST_CHECK;
/* The names that regress_classes_load finds, sorted; free each and the array. */
enum status regress_classes_list(char ***names, size_t *n, struct error *e) MUST_CHECK;
/* Takes what is expected of variables from a table with the columns `variable`, `prior` (target units per count) and
 * perhaps `spread` (a standard deviation; empty: the prior itself), for the solver `shrink`. Variables that c does not
 * have are passed over; ERR_INPUT when it has none of them. */
enum status regress_classes_priors(struct regress_classes *c, const char *path, struct error *e) MUST_CHECK;
void regress_classes_free(struct regress_classes *c);
/* The first rule that matches `key`; REGRESS_NONE: no rule does. A column that says how control flowed ("branch.taken")
 * is matched by patterns that begin as it does only ("branch.*", not "*"), unless the classification sees all. */
size_t regress_classes_rule(const struct regress_classes *c, const char *key);
/* Events that the formulas need. Sorted, each once; free the array, the texts are owned by `c`'s formulas' copies:
 * free each. */
void regress_classes_events(const struct regress_classes *c, char ***events, size_t *n);

/* ---- any counters ---- */
struct regress_counters_spec {
    const char *target;
    const char *columns; /* patterns of the columns to take, separated by commas; NULL: all numbers but the target */
    bool intercept, standardise;
    double sparse; /* columns with a value in a smaller fraction of the rows are merged with those alike; 0: none */
    const struct regress_rows *rows; /* over which means and deviations are; NULL: all */
};
/* A classification for them, as a text with what was decided and why; free it. counters.c has the rules. */
enum status regress_counters(char **text, const struct regress_data *d, const struct regress_counters_spec *spec,
                             struct error *e) MUST_CHECK;
/* Puts another table's target in the place of the data's, row by row (by program and region): counters of one device,
 * time on another. Rows that the other does not have get NAN; *without is their number. */
enum status regress_data_retarget(struct regress_data *d, const struct regress_data *other, const char *target,
                                  size_t *without, struct error *e) MUST_CHECK;

/* ---- fits and models ---- */

/* Errors of estimates: (estimate - measured) / measured, as fractions. n 0: not known, the rest is NAN. */
struct regress_errors {
    size_t n;
    double mean, mean_abs, median_abs;
    double p90_abs;       /* nine in ten are no larger in size */
    double worst;         /* the error largest in size, with its sign */
    const char *worst_of; /* label of that row; borrowed from the data (from the model, in a model) */
};

struct regress_settings {
    const char *target; /* column; NULL: "cycles" */
    const char *solver; /* NULL: REGRESS_DEFAULT_SOLVER */
    bool absolute;      /* least squares of cycles as they are; false: each row divided by its target */
    uint64_t seed;      /* of the resampling and of random folds */
    size_t resamples;   /* of the bootstrap; 0: no intervals of values (low = high = value) */
    double strength;    /* of a solver that shrinks; < 0: chosen by cross-validation within the data */
    size_t jobs;        /* threads for validation and bootstrap; 0: one for each processor. No result depends on it */
};
#define REGRESS_SETTINGS_INIT                                                                                          \
    {                                                                                                                  \
        0, 0, false, 1, 200, -1, 0                                                                                     \
    }

struct regress_value {
    char *name;
    char *formula;       /* NULL: the sum of its keys */
    double prior;        /* relative, as in the classification */
    double value;        /* target units (cycles) per count */
    double low, high;    /* 5 % and 95 % of the bootstrap over groups; low <= value <= high */
    double count;        /* over the rows of the fit */
    double share;        /* of the sum of all variables' counts */
    size_t rows, groups; /* in which it occurs; 0: no evidence, the value is the solver's (0, or its prior) */
    size_t twin;
};
struct regress_key {
    char *key;
    size_t variable; /* index; REGRESS_NONE: ignored by the classification, value 0 */
    double count;    /* over the rows of the fit */
    double value, low, high;
};
/* Everything is owned; regress_model_free. */
struct regress_model {
    struct regress_classes *classes; /* `each` rules written out: a reader can classify keys it never saw */
    char *solver, *target, *version;
    bool absolute, non_negative;
    uint64_t seed;
    size_t resamples;
    double strength; /* that was used; NAN: the solver has none */
    char *data_name; /* base name of the data's file */
    char *selection; /* patterns of the rows; "*" */
    uint64_t data_hash;
    size_t n_rows, n_groups;
    size_t rank; /* numerical rank of the scaled table; less than n_values: not all values are determined */
    struct regress_value *values; /* same order as classes->variables */
    size_t n_values;
    struct regress_key *keys;
    size_t n_keys;
    struct regress_errors training, held_out; /* held out: each group left out in turn (see REGRESS_MOST_LEFT_OUT) */
    /* Prediction interval: of the held-out errors e, the quantiles such that measured lies within
     * [estimate / (1 + error_high), estimate / (1 + error_low)] with probability `level`. level 0: too few groups. See
     * conformal.c for what that promises. */
    double level, error_low, error_high;
    char *names[2]; /* storage for worst_of */
};

/* rows NULL: all; `selection` is noted in the model (NULL: "*"). Fewer rows than variables, collinear or empty columns
 * are fitted as the solver documents; see rank, rows, and regress_diagnose. Refused: a target that is missing, or zero
 * or negative in a relative fit; an unknown solver (the message lists them); data without any count. */
enum status regress_fit(struct regress_model **out, const struct regress_data *d, const struct regress_classes *c,
                        const struct regress_settings *settings, const struct regress_rows *rows, const char *selection,
                        struct error *e) MUST_CHECK;
/* JSON as in docs/formats/model.md; the same model gives the same bytes. */
enum status regress_model_write(const struct regress_model *m, const char *path, struct error *e) MUST_CHECK;
enum status regress_model_read(struct regress_model **out, const char *path, struct error *e) MUST_CHECK;
void regress_model_free(struct regress_model *m);

struct regress_prediction {
    size_t row;
    double estimate;
    double low, high; /* of the interval; NAN: unbounded or not known */
    double measured;  /* NAN: the data do not have the target */
    double error;     /* (estimate - measured) / measured; NAN without a measurement */
};
/* One entry per row (of `rows`, NULL: all), free(*out). A key the model's rules do not know is ERR_INPUT where its
 * count is not zero. */
enum status regress_predict(struct regress_prediction **out, size_t *n, const struct regress_model *m,
                            const struct regress_data *d, const struct regress_rows *rows, struct error *e) MUST_CHECK;
struct regress_errors regress_errors_of(const struct regress_data *d, const struct regress_prediction *p, size_t n);

/* ---- solvers, for lists ---- */
size_t regress_solver_count(void);
const char *regress_solver_name(size_t i);
const char *regress_solver_summary(size_t i);
bool regress_solver_known(const char *name);
/* What a solver takes into account of all that may be known of variables besides their counts. */
enum regress_heeds {
    REGRESS_BOUNDS = 1,   /* of the classification */
    REGRESS_ORDERS = 2,   /* of the classification */
    REGRESS_COSTS = 4,    /* expected ones, of regress_classes_priors */
    REGRESS_STRENGTH = 8, /* of the settings */
};
bool regress_solver_heeds(const char *name, enum regress_heeds what); /* false also: no such solver */

/* ---- which of two is better ---- */

/* Two sets of estimates for the same rows. What differs between the models is the only thing compared: of each row the
 * difference of the absolute errors, of these the mean, and its interval by drawing groups with replacement. */
struct regress_difference {
    size_t rows, groups;  /* with an error on both sides */
    double first, second; /* mean absolute errors */
    double difference;    /* second - first */
    double low, high;     /* 95 % of it: one is shown to be better where 0 is outside. NAN: fewer than two groups */
    size_t only_one;      /* rows of one side that the other does not have */
    char *first_name, *second_name; /* which line of its file it was: "fine/nnls"; owned */
};
/* Two tables with the columns program, predicted, measured (and perhaps region, and classes and solver), as predict and
 * crossval write them. A line ("CLASSES/SOLVER") names which of a table's is meant; NULL where it has one only.
 * ERR_INPUT: no row in common, or a row that was measured differently. regress_difference_release. */
enum status regress_compare(struct regress_difference *out, const char *first, const char *first_line,
                            const char *second, const char *second_line, uint64_t seed, struct error *e) MUST_CHECK;
void regress_difference_release(struct regress_difference *d);

/* ---- validation ---- */
enum regress_scheme {
    REGRESS_LEAVE_ONE_OUT,        /* each group */
    REGRESS_LEAVE_ONE_DOMAIN_OUT, /* all groups of a domain; a group without one is a domain of its own */
    REGRESS_K_FOLD,               /* groups dealt to k folds by the seed */
    REGRESS_TEST                  /* fit once, predict the test rows */
};
struct regress_crossval_spec {
    const char *const *classes; /* names or files */
    size_t n_classes;
    const char *const *solvers;
    size_t n_solvers;
    enum regress_scheme scheme;
    size_t folds;                         /* for REGRESS_K_FOLD, >= 2 */
    const struct regress_rows *rows;      /* to fit on; NULL: all, less the groups that have test rows */
    const struct regress_data *test;      /* for REGRESS_TEST; may be the data themselves */
    const struct regress_rows *test_rows; /* of `test`; NULL: all */
    const char *priors;                   /* for regress_classes_priors of each classification; NULL: none */
    bool tolerant;  /* a classification that cannot be read, or a line that cannot be fitted, is an unavailable line */
    bool intervals; /* also: prediction intervals of the held-out rows, made without them, and how many they cover */
    struct regress_settings settings; /* solver is not used */
};
struct regress_crossval_line {
    char *classes; /* "" for the baseline: cycles = k x executed instructions */
    char *solver;
    char *unavailable; /* why it could not be fitted, "file:line: " first where a row is at fault; NULL: it could, and
                          the rest is set */
    bool not_here;     /* unavailable since the data lack events that its formulas need: nothing failed */
    size_t variables, rank;
    size_t negative; /* values that came out negative, of the fit on all training rows */
    double strength; /* NAN: none */
    struct regress_errors training, held_out;
    double coverage;                        /* with intervals: the fraction of held-out rows within theirs; NAN */
    double level;                           /* that they are to have, the least of the folds */
    double width;                           /* median of upper / lower end, INFINITY where an end is unbounded */
    struct regress_difference than_best;    /* held out: second is this line, first the best one */
    struct regress_prediction *predictions; /* held out, `row` in data (in `test`); n_predictions */
    size_t n_predictions;
};
/* Own it: regress_crossval_free. Line 0 is the baseline. */
struct regress_crossval {
    struct regress_crossval_line *lines;
    size_t n;
    size_t best; /* the line with the least mean absolute error held out */
    size_t training_rows, held_out_rows;
    size_t shared_groups; /* REGRESS_TEST: groups on both sides; 0 is what an honest table has */
};
/* Every line is fitted on the same rows. A classification that needs events the data lack, or whose formulas divide by
 * 0 in some row, becomes a line that says so; other errors end the call, unless it is to be tolerant. A row on both
 * sides is ERR_INPUT. */
enum status regress_crossval(struct regress_crossval **out, const struct regress_data *d,
                             const struct regress_crossval_spec *spec, struct error *e) MUST_CHECK;
void regress_crossval_free(struct regress_crossval *c);

/* ---- diagnosis ---- */
enum regress_severity { REGRESS_NOTE, REGRESS_WARNING, REGRESS_SEVERE };
struct regress_finding {
    enum regress_severity severity;
    const char *id; /* "rare", "collinear", "leverage", ...; static */
    char *subject;  /* variable(s) or row */
    char *text;     /* what was found */
    char *remedy;   /* what to do about it */
};
struct regress_domain {
    char *name; /* "": the rows of which it is not said */
    size_t groups, rows;
    struct regress_errors training, held_out; /* held out: without its programs, as --scheme lodo; n 0: not known */
};
struct regress_diagnosis {
    const char *solver; /* whose values they are; static */
    size_t n, p, rank;
    double condition_raw;          /* of the counts as they are; columns with counts only; INFINITY: rank-deficient */
    double condition_rows;         /* each row divided by its target */
    double condition_scaled;       /* and each column to length 1: what the solvers see */
    char **variables;              /* p names */
    double *counts, *shares, *vif; /* per variable; vif INFINITY: a combination of others; NAN: no counts */
    size_t *rows, *groups;         /* in which the variable occurs */
    char **labels;                 /* n rows */
    double *leverage;              /* per row, 0 .. 1; the sum is the rank */
    /* How the solver's values depend on single groups; n_groups 0: fewer than three, or too many to leave out each. */
    size_t n_groups;
    char **group_names;
    double *values;  /* per variable */
    double *without; /* per variable: its value without the group that bends it most */
    double *bent; /* per variable: (value - without) / standard error: DFBETAS, of that group; NAN: nothing moves it */
    size_t *bender;                 /* per variable: that group */
    struct regress_domain *domains; /* n_domains 0: the data say none */
    size_t n_domains;
    struct regress_finding *findings;
    size_t n_findings;
};
/* Of what settings->solver gives (NULL: the default one) where values are concerned. */
enum status regress_diagnose(struct regress_diagnosis **out, const struct regress_data *d,
                             const struct regress_classes *c, const struct regress_settings *settings,
                             const struct regress_rows *rows, struct error *e) MUST_CHECK;
void regress_diagnosis_free(struct regress_diagnosis *g);

/* ---- search for splits and merges of variables ---- */
struct regress_search_spec {
    const struct regress_rows *rows; /* NULL: all */
    size_t most_steps;               /* of those that lessen the error */
    struct regress_settings settings;
};
struct regress_search_step {
    char *what; /* "split alu.xor off alu", "merge mul into fmul" */
    char *text; /* the classification */
    size_t variables;
    double error;          /* mean absolute, of rows left out */
    double standard_error; /* of the difference to the best step */
};
struct regress_search {
    struct regress_search_step *steps; /* the first is the start */
    size_t n, best, chosen, folds;
};
/* Leaves out domains where the data know them, else ten folds. search.c says what is tried and which step is chosen.
 * regress_search_free. */
enum status regress_search(struct regress_search **out, const struct regress_data *d, const struct regress_classes *c,
                           const struct regress_search_spec *spec, struct error *e) MUST_CHECK;
void regress_search_free(struct regress_search *r);

#endif
