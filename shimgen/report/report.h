/*
 * report.h - one self-contained HTML page about a board's model: what was measured
 * on what, predicted against measured, held-out errors beside training errors, the
 * fitted values. Readable offline, without JavaScript, on paper, in light and dark.
 *
 * The page is made from plain data that the caller fills in; this part knows no
 * other part and computes no model. Calling sequence:
 *   struct report r = REPORT_INIT; fill in what is known; report_write(&r, "out/host/report.html", e).
 *
 * Conventions, for every field below:
 *   - Texts are UTF-8, borrowed from the caller until the call returns, and escaped here: any byte is allowed.
 *     NULL (or "") means "not known" or "none"; nothing but `title` and names in lists is required.
 *   - A double that is not known is REPORT_UNKNOWN (NaN). Zero means zero. REPORT_INIT and the *_INIT values below
 *     set all doubles of a struct to unknown; start from them.
 *   - Errors are relative, (predicted - measured) / measured, as fractions: 0.083 is +8.3 %.
 *   - Arrays are a pointer and a count; they are not changed.
 * What is absent is said to be absent on the page, never drawn as zero.
 */
#ifndef SHIMGEN_REPORT_REPORT_H
#define SHIMGEN_REPORT_REPORT_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"

#define REPORT_UNKNOWN ((double)NAN)

/* A line of a list of facts: "CPU", "Cortex-A53 r0p4", "read from /proc/cpuinfo". */
struct report_fact {
    const char *name;  /* required */
    const char *value; /* NULL: shown as "not known" */
    const char *note;  /* where it comes from, or what to know about it; may be NULL */
};

/* ---- the machine ------------------------------------------------------------------------------------------------ */

/* What the cycles are. */
struct report_clock {
    const char *event;    /* "CPU_CYCLES", "TSC_CYCLES", … */
    bool core_cycles;     /* true: the core's own cycles, from its PMU */
    const char *sentence; /* when they are not: what that means for the reader, one plain sentence */
};

/* ---- findings --------------------------------------------------------------------------------------------------- */

enum report_severity { REPORT_NOTE, REPORT_WARNING, REPORT_ERROR };

struct report_finding {
    enum report_severity severity;
    const char *text;   /* what was found; required */
    const char *remedy; /* what to do; may be NULL */
};

/* ---- programs --------------------------------------------------------------------------------------------------- */

enum report_role { REPORT_TRAIN, REPORT_TEST }; /* used in the fit · never used in the fit */

/* One row of the dataset: a program (and region) at one optimisation level. */
struct report_program {
    const char *name;   /* "suite/fir@O2"; required */
    const char *region; /* NULL or "main": the whole program, or one region called like it */
    const char *set;    /* "paper", "suite", "micro" */
    const char *domain; /* "signal", "sorting" … */
    const char *level;  /* "O0" … */
    enum report_role role;

    double measured;  /* cycles: the centre that the fit used */
    double stddev;    /* cycles, between the runs */
    unsigned runs;    /* number of runs that `measured` comes from; 0: not known */
    unsigned dropped; /* further runs dropped as outliers */

    double predicted;         /* cycles, by the model in the file (fitted on all training programs) */
    double predicted_heldout; /* cycles, by a model fitted without this program's group; for a test program the
                               * same as `predicted` (may be left unknown then) */
    double low, high;         /* cycles: the interval stated with predicted_heldout (test program: with predicted) */

    double instructions;   /* executed IR instructions that are counted */
    const double *shares;  /* per class in report.classes: fraction of the predicted cycles, 0 … 1; NULL: not known */
    const double *account; /* per kind in report.accounts: cycles that went to it, as a fraction of those measured;
                            * NULL: not known */
};
#define REPORT_PROGRAM_INIT                                                                                            \
    {                                                                                                                  \
        .measured = REPORT_UNKNOWN, .stddev = REPORT_UNKNOWN, .predicted = REPORT_UNKNOWN,                             \
        .predicted_heldout = REPORT_UNKNOWN, .low = REPORT_UNKNOWN, .high = REPORT_UNKNOWN,                            \
        .instructions = REPORT_UNKNOWN                                                                                 \
    }

/* ---- classifications and solvers -------------------------------------------------------------------------------- */

/* Errors of one model over some programs. */
struct report_errors {
    size_t rows;               /* number of programs that the figures come from; 0: none, the figures are ignored */
    double mean;               /* of the signed errors: the bias */
    double mean_abs;           /* of the absolute errors: the figure that models are compared by */
    double median_abs;         /* of the absolute errors */
    double worst;              /* the signed error that is largest in absolute value */
    const char *worst_program; /* its name; may be NULL */
    const double *each;        /* the signed errors, `rows` of them, in any order; NULL: no distribution is drawn */
};
#define REPORT_ERRORS_INIT                                                                                             \
    {                                                                                                                  \
        .mean = REPORT_UNKNOWN, .mean_abs = REPORT_UNKNOWN, .median_abs = REPORT_UNKNOWN, .worst = REPORT_UNKNOWN      \
    }

/* A method of `shimgen estimate` on all programs: what it says without the board. */
struct report_estimator {
    const char *name;        /* "schedule"; required; letters, digits */
    const char *values;      /* what it takes, as a caption: "Values of host.shim.xml." */
    const double *estimated; /* cycles of each program of the report, by values fitted on the training programs; unknown
                             * where there is none, and for training programs of a method that fits nothing; required */
    const double *left_out; /* cycles of each training program by values that it had no part in, else unknown; NULL: not
                             * known for any */
};

/* One classification with one solver, judged in one way. */
struct report_evaluation {
    const char *classes; /* "origin", "operand", …; required */
    const char *solver;  /* "ols", "nnls", …; required */
    const char *scheme;  /* "leave-one-out", "test programs", "kfold:5"; required */
    bool baseline;       /* the dumbest thing that works (one number for every instruction): what a model must beat */
    const char *why_not; /* not NULL: it could not be evaluated, and this is why; the errors are not looked at */
    struct report_errors train;   /* on the programs it was fitted on */
    struct report_errors heldout; /* on programs it was not fitted on */
};
#define REPORT_EVALUATION_INIT                                                                                         \
    {                                                                                                                  \
        .train = REPORT_ERRORS_INIT, .heldout = REPORT_ERRORS_INIT                                                     \
    }

/* ---- what was fitted -------------------------------------------------------------------------------------------- */

struct report_value {
    const char *variable;  /* "load_d"; required */
    double value;          /* cycles per occurrence */
    double low, high;      /* its interval */
    size_t rows;           /* programs in which it occurs */
    double count;          /* occurrences over the training programs */
    double share;          /* fraction of the training programs' predicted cycles, 0 … 1 */
    const char *inherited; /* where the value comes from when not from data of its own; NULL: fitted */
};
#define REPORT_VALUE_INIT                                                                                              \
    {                                                                                                                  \
        .value = REPORT_UNKNOWN, .low = REPORT_UNKNOWN, .high = REPORT_UNKNOWN, .count = REPORT_UNKNOWN,               \
        .share = REPORT_UNKNOWN                                                                                        \
    }

/* Cycles: best <= typical <= worst, as in the SHIM file. */
struct report_cycles {
    double best, typical, worst;
};
#define REPORT_CYCLES_INIT                                                                                             \
    {                                                                                                                  \
        REPORT_UNKNOWN, REPORT_UNKNOWN, REPORT_UNKNOWN                                                                 \
    }

struct report_instruction {
    const char *name;             /* as in the SHIM file: "fadd"; required */
    struct report_cycles pitch;   /* one after the other, independent */
    struct report_cycles latency; /* depending on the one before */
    const char *inherited;        /* the class the values come from when there is no evidence; NULL: measured */
    const char *evidence;         /* one line: "1 203 441 occurrences in 58 programs"; may be NULL */
};
#define REPORT_INSTRUCTION_INIT                                                                                        \
    {                                                                                                                  \
        .pitch = REPORT_CYCLES_INIT, .latency = REPORT_CYCLES_INIT                                                     \
    }

/* ---- how far the programs determine it --------------------------------------------------------------------------- */

/* What the training programs say of a variable of the model. */
struct report_covered {
    const char *variable; /* required */
    size_t programs;      /* that have it */
    double share, cycles; /* fraction of all counts; of all cycles */
    double dependent;     /* fraction of its counts that use the result of the instruction before */
    double effective;     /* programs that its information is worth */
    double strongest;     /* share of its information that one program brings */
    const char *strongest_of;
    double value, error;  /* cycles; standard error, INFINITY: not determined */
    const char *standing; /* "well", "weakly" …; required */
    const char *words;    /* why; required */
    const char *help;     /* which sample would help; NULL: none is needed */
};
#define REPORT_COVERED_INIT                                                                                            \
    {                                                                                                                  \
        .share = REPORT_UNKNOWN, .cycles = REPORT_UNKNOWN, .dependent = REPORT_UNKNOWN, .effective = REPORT_UNKNOWN,   \
        .strongest = REPORT_UNKNOWN, .value = REPORT_UNKNOWN, .error = REPORT_UNKNOWN                                  \
    }

/* Where the values of the SHIM file's instructions come from. */
struct report_coverage {
    struct report_covered *variables;
    size_t n_variables;
    double condition; /* number of the scaled table; INFINITY: dependent columns */
    double scatter;   /* of a row about the values, as a fraction */
    size_t executed, micro, of_class, as_other, of_all, never; /* instructions */
};

/* ---- the whole -------------------------------------------------------------------------------------------------- */

struct report_file {
    const char *path; /* relative to the page; becomes a link; required. Absolute paths and URLs are not linked. */
    const char *what; /* one line */
    uint64_t bytes;   /* 0: not known */
};

/* Simulated over measured, of the regions with so many events that it tells anything. */
struct report_ratio {
    size_t n;
    double median, low, high; /* 5 % and 95 % quantiles */
};
struct report_simulated {
    const char *event, *predictor;         /* predictor: of mispredictions */
    bool chosen;                           /* this predictor is the one that is simulated */
    struct report_ratio all, unseen, test; /* unseen: programs that the predictor was not chosen on */
};

struct report {
    const char *title;     /* "Raspberry Pi 3 Model B+"; required */
    const char *board;     /* the board's name in commands: "raspberrypi3" */
    const char *version;   /* of shimgen */
    const char *generated; /* when, as it shall stand on the page (the same data give the same bytes) */

    struct report_fact *facts; /* the machine: CPU, cores, memory, kernel, compiler … */
    size_t n_facts;
    const char
        *drawing; /* of the machine: a well-formed <svg> element without a namespace, put in as it is; NULL: none */
    struct report_clock clock;
    struct report_fact *conditions; /* how it was measured: runs, pinning, caches before a run, frequency … */
    size_t n_conditions;

    struct report_finding *findings;
    size_t n_findings;

    const char **classes; /* names for report_program.shares, at most REPORT_CLASSES_DRAWN are told apart in colour */
    size_t n_classes;
    struct report_program *programs;
    size_t n_programs;

    const char *chosen_classes,
        *chosen_solver;     /* the model in the file: rows of `evaluations` with both are "chosen" */
    const char *chosen_why; /* one sentence; may be NULL */
    struct report_evaluation *evaluations;
    size_t n_evaluations;

    const struct report_estimator *estimators;
    size_t n_estimators;

    struct report_simulated *simulated;
    size_t n_simulated;
    const char *predictor; /* a sentence: why this one is simulated; NULL: not known */

    const char **accounts; /* what cycles go to: names for report_program.account */
    size_t n_accounts;
    const char *account_model; /* that says so */

    struct report_value *values;
    size_t n_values;
    double interval;                 /* what low … high of values and programs covers by intention, 0.9 for 90 % */
    struct report_coverage coverage; /* without variables: not known */
    struct report_instruction *instructions;
    size_t n_instructions;
    struct report_instruction *accesses; /* "memory near: load of 8 bytes": what memory, its caches and messages cost */
    size_t n_accesses;
    const char *evidence; /* one sentence: how many instruction values come from where; may be NULL */
    struct report_instruction
        *micro; /* "udiv.i32: large": single instructions by microbenchmarks; evidence: their code */
    size_t n_micro;

    struct report_file *files;
    size_t n_files;
    const char **commands; /* the command lines that made it, in order */
    size_t n_commands;
};
#define REPORT_INIT                                                                                                    \
    {                                                                                                                  \
        .interval = REPORT_UNKNOWN                                                                                     \
    }
#define REPORT_CLASSES_DRAWN 8 /* the others are drawn together as "other" */

/* Writes the page to `path` (NULL or "-": standard output); it appears whole or not at all. Statuses: ERR_SYSTEM. */
enum status report_write(const struct report *r, const char *path, struct error *e) MUST_CHECK;

/* The same page at the end of `out`. Equal data give equal bytes. */
void report_html(const struct report *r, struct str *out);

/* The figures of the page as JSON text, at the end of `out`: what the page carries in
 * <script type="application/json" id="report-data">, without the HTML escapes. Unknown figures are null. */
void report_json(const struct report *r, struct str *out);

#endif
