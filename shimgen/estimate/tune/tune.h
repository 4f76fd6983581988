/*
 * tune.h - fits Latency and Pitch through the schedule. The cycles of a schedule are piecewise linear in the values.
 * Therefore programs with measured cycles can correct the measured values of single instructions, which remain times.
 *
 *     minimise  sum over programs w ((estimate - measured) / measured)^2  +  sum over kinds (log factor / deviation)^2
 *
 * by Gauss-Newton steps. A factor scales the values of one kind of instructions (loads' Latency, additions' Pitch ...);
 * the weights w turn squares roughly into absolute values. The second sum stands for the measurement of the values:
 * without evidence a factor stays 1. Source of the method: Levenberg, Quarterly of Applied Mathematics 2 (1944), with
 * fixed damping; weights: Holland and Welsch, Communications in Statistics A6 (1977).
 */
#ifndef SHIMGEN_ESTIMATE_TUNE_TUNE_H
#define SHIMGEN_ESTIMATE_TUNE_TUNE_H

#include "regress/regress.h"
#include "shimgen/estimate/estimate.h"
#include "shimgen/estimate/schedule/schedule_factors.h"

/* A program and region that was measured. */
struct tune_program {
    char *label;                    /* owned */
    struct irprof_profile *profile; /* owned */
    size_t region;
    double measured; /* [cycles] */
    size_t group;    /* those of one number are left out together */
    bool test;       /* not fitted on */
    size_t row;      /* of the dataset */
};
struct tune_programs {
    struct tune_program *at;
    size_t n, n_groups;
};
/* The rows of a dataset whose profile is FOLDER/<program>/profile; a test program is one whose role is "test". */
enum status tune_programs_read(struct tune_programs *out, const struct regress_data *d, const char *folder,
                               struct error *e) MUST_CHECK;
void tune_programs_release(struct tune_programs *t);

struct tune_result {
    double factors[SCHEDULE_FACTORS]; /* of the values, by kind; 1: as measured */
    /* Errors before and after, of each program by the factors found without its group, and of test programs */
    struct regress_errors before, training, left_out, test;
    /* Cycles of each program by the fitted values, and by those found without it (NULL: not asked for); owned */
    double *estimates, *estimates_left_out;
    /* As estimates_left_out, and without the misses and mispredictions that the profiles have; of a test program, which
     * is left out of all, by the fitted values. Owned */
    double *estimates_without_events;
};
/* Changes the values of `c`. ERR_INPUT: no program to fit on. Messages of the errors borrow from `t`. tune_release in
 * any case. */
enum status tune(struct tune_result *out, struct costs *c, const struct tune_programs *t, bool leaves_out,
                 struct error *e) MUST_CHECK;
void tune_release(struct tune_result *r);

/* Values of a table (instruction,quantity,best,typical,worst, and perhaps like: the instruction that is the same) into
 * the costs: those that were measured by microbenchmarks. */
enum status tune_values_read(struct costs *c, const char *path, struct error *e) MUST_CHECK;
/* The same of micro.csv (docs/formats/micro.md), in cycles of this event, by type and by function: keys without _d that
 * cost other than their instruction does. A store's Latency becomes the time until a load has what was stored. */
enum status tune_micro_read(struct costs *c, const char *path, const char *event, struct error *e) MUST_CHECK;
/* The event that the dataset's cycles are, or NULL; borrowed. */
const char *tune_cycle_event(const struct regress_data *d);

#endif
