/*
 * prove.h - does a module with timestamps still do the work of the module that it was made of? Four verdicts, each
 * "holds", "does not" or "not proved" with the reason (docs/method/stamp-proof.md). Internal to irprof.
 *
 *     struct prove_report r;
 *     s = prove(&r, "fir.bc", "fir.stamped.bc", &options, e);
 *     prove_print(&r, stdout), prove_report_release(&r)
 *
 * How stamps are marked in the IR:
 *  - each instruction that stamping inserted has metadata `irprof.stamp`, a node {i32 POINT};
 *  - in mode replace a store of the original writes select(never, the original's value, stamp). The select and the store also
 *    have `irprof.stamp.guard`, {i32 POINT};
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
    PROVE_DOES_NOT, /* it was shown not to hold */
    PROVE_NOT       /* neither was shown */
};
enum {
    PROVE_STRUCTURE, /* stamps apart, the IR and its machine code are the original's */
    PROVE_EXECUTED,  /* stamps apart, each instruction is executed as often as in the original */
    PROVE_FLIP,      /* with never = 1 the results are the original's, bit for bit */
    PROVE_TIME,      /* the run time grows by no more than allowed */
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
    /* For kernels: the description of launches (docs/formats/launch.md). NULL: the modules are programs. */
    const char *launch;
    /* For programs: how to run them, to compare executions and results. All are borrowed; NULL: none. */
    bool run;               /* false: they are not run */
    char *const *arguments; /* of the program; there are n_arguments */
    size_t n_arguments;
    const char *input;    /* file for standard input */
    char *const *results; /* files that the program writes: they are results, as standard output and exit status are */
    size_t n_results;
    char *const *link; /* options and libraries to link with */
    size_t n_link;
    char *const *link_stamped; /* further ones for the stamped program: the runtime of stamps */
    size_t n_link_stamped;
    long pairs;  /* number of pairs of runs that are timed; 0: none */
    double most; /* by how much the run time may grow [%] */
    long limit;  /* processor time of one run [s] */
};

/* Writes the four verdicts to *r. ERR_INPUT: a file is not IR, or `stamped` has no stamps. A verdict that does not hold is not an error.
 * prove_report_release frees, also after an error. */
enum status prove(struct prove_report *r, const char *base, const char *stamped, const struct prove_options *o,
                  struct error *e) MUST_CHECK;
/* Is a verdict PROVE_DOES_NOT? */
bool prove_rejected(const struct prove_report *r);
/* A line for each verdict; `csv`: a table with the columns verdict, result, reason. */
void prove_print(const struct prove_report *r, bool csv, FILE *f);
void prove_report_release(struct prove_report *r);

#endif
