/*
 * prove.h - does a module with timestamps still do the work of the module that it was made of? Four verdicts, each
 * "holds", "does not" or "not proved" with the reason (docs/method/stamp-proof.md). Internal to irprof.
 *
 *     struct prove_report r;
 *     s = prove(&r, "fir.bc", "fir.stamped.bc", &options, e);
 *     prove_print(&r, stdout), prove_report_release(&r)
 *
 * How stamps are marked in the IR:
 *  - every instruction that stamping has inserted has metadata `irprof.stamp`, a node {i32 POINT};
 *  - in mode replace the inserted select and the store whose value it is have `irprof.stamp.guard`, {i32 POINT}, besides;
 *    the store is an instruction of the original. select(never, the original's value, stamp);
 *  - the module's `irprof.stamps` has a node {i32 POINT, "NAME", "MODE"} for each point, MODE add, replace or sled;
 *  - never is the byte @irprof_stamp_never, loaded volatile, or in kernels the last parameter, i32 irprof_never.
 */
#ifndef IRPROF_PROVE_PROVE_H
#define IRPROF_PROVE_PROVE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

enum prove_verdict {
    PROVE_HOLDS,
    PROVE_DOES_NOT, /* it is shown to be wrong */
    PROVE_NOT       /* nothing is known */
};
enum {
    PROVE_STRUCTURE, /* without the stamps the IR, and the machine code made of it, are the original's */
    PROVE_EXECUTED,  /* without the stamps the same instructions are executed as often */
    PROVE_FLIP,      /* with never = 1 the results are the original's, bit for bit */
    PROVE_TIME,      /* it does not take longer than allowed */
    PROVE_VERDICTS
};
struct prove_finding {
    enum prove_verdict verdict;
    char *why; /* owned; one line */
};
struct prove_report {
    struct prove_finding findings[PROVE_VERDICTS];
};

struct prove_options {
    /* Of kernels: the description of launches (docs/formats/launch.md). NULL: the modules are programs. */
    const char *launch;
    /* Of programs: how they are run, to compare what is executed and the results. All borrowed, NULL: none. */
    bool run;               /* they are run at all */
    char *const *arguments; /* of the program, n_arguments */
    size_t n_arguments;
    const char *input;    /* file for standard input */
    char *const *results; /* files that the program writes: results beside standard output and exit status */
    size_t n_results;
    char *const *link; /* what it is linked with: options, libraries */
    size_t n_link;
    char *const *link_stamped; /* and the stamped one besides: the runtime of stamps */
    size_t n_link_stamped;
    long pairs;  /* run time is measured so many times, each in turn; 0: not at all */
    double most; /* by so many percent the run time may grow */
    long limit;  /* processor time for one run [s] */
};

/* Writes the four verdicts to *r. ERR_INPUT: a file is not IR, or `stamped` has no stamps. What does not hold is no error.
 * prove_report_release frees, also after an error. */
enum status prove(struct prove_report *r, const char *base, const char *stamped, const struct prove_options *o,
                  struct error *e) MUST_CHECK;
/* Is a verdict PROVE_DOES_NOT? */
bool prove_rejected(const struct prove_report *r);
/* A line for each verdict; `csv`: a table with the columns verdict, result, reason. */
void prove_print(const struct prove_report *r, bool csv, FILE *f);
void prove_report_release(struct prove_report *r);

#endif
