/*
 * schedule_model.h - what `shimgen tune` found besides values: factors, errors, and for
 * every program that it saw what it was estimated at without it; from these the interval
 * of an estimate by method schedule. As a file: schedule.json (docs/formats/schedule.md).
 */
#ifndef SHIMGEN_ESTIMATE_TUNE_SCHEDULE_MODEL_H
#define SHIMGEN_ESTIMATE_TUNE_SCHEDULE_MODEL_H

#include "shim-xml/shimxml.h"
#include "shimgen/estimate/estimate.h"
#include "shimgen/estimate/tune/tune.h"

/* Estimates below so many cycles are of short runs: their calls, first misses and what measuring adds weigh more, and what is
 * off by a few cycles is off by much. They have an interval of their own, if there are programs enough on either side for
 * intervals of the full level (regress/validate/conformal.h). */
enum { SCHEDULE_SHORT_RUN = 3000 };

struct schedule_row {
    char *program, *region; /* owned; region as the dataset has it, perhaps "" */
    bool optimised, test;
    double measured;       /* [cycles] */
    double estimated;      /* by the values of the file; for a test program they are values that it had no part in */
    double left_out;       /* by values fitted without the program; for a test program as `estimated` */
    double without_events; /* the same without the misses and mispredictions of its profile */
};
/* Everything is owned; schedule_model_free. */
struct schedule_model {
    char *shim; /* the file with the values, without its folder; of what data: */
    char *data_name;
    uint64_t data_hash;
    struct {
        char *name;
        double factor;
    } * factors;
    size_t n_factors;
    struct regress_errors before, training, left_out, test; /* n 0: not known */
    struct schedule_row *rows;
    size_t n_rows;
    /* Of the left-out errors of the programs fitted on, by regress/validate/conformal.h: of each kind of code of which
     * there are two programs at least, with events and without; short runs apart where there are enough of them. */
    struct shimxml_interval *intervals;
    size_t n_intervals;
    char *worst_of[4]; /* storage of the errors' worst_of */
};
/* Fitted values are those of the SHIM file `shim`, rows those of `d`. */
void schedule_model_make(struct schedule_model **out, const struct tune_result *r, const struct tune_programs *t,
                         const struct regress_data *d, const char *shim);
/* The same model gives the same bytes. */
enum status schedule_model_write(const struct schedule_model *m, const char *path, struct error *e) MUST_CHECK;
enum status schedule_model_read(struct schedule_model **out, const char *path, struct error *e) MUST_CHECK;
void schedule_model_free(struct schedule_model *m); /* NULL is fine */

/* Most of what the region executes is in functions whose variables are not in memory. */
bool schedule_is_optimised(const struct irprof_profile *p, size_t region);
/* What is known of the simulated misses and mispredictions of a profile. */
enum schedule_events_in { SCHEDULE_NO_EVENTS, SCHEDULE_SOME_EVENTS, SCHEDULE_EVENTS };
enum schedule_events_in schedule_events_in(const struct irprof_profile *p);
/* Of the rows of test programs that this interval is for, how many there are and how many are within. */
void schedule_model_coverage(size_t *n, size_t *within, const struct schedule_model *m, size_t interval);
/* Errors of the rows of one level ("O2") that took SCHEDULE_SHORT_RUN cycles or more: of training programs by values fitted
 * without them, of test programs by those of the file. n 0: there are none. worst_of is borrowed from the model. */
struct regress_errors schedule_model_errors(const struct schedule_model *m, const char *level, bool test);

#endif
