/*
 * trust.h - how accurate an estimate is: its interval, from the model's errors on held-out programs, and whether the
 * program is like those that the model was fitted on.
 */
#ifndef SHIMGEN_ESTIMATE_INTERVALS_TRUST_H
#define SHIMGEN_ESTIMATE_INTERVALS_TRUST_H

#include "regress/regress.h"
#include "shimgen/estimate/estimate.h"
#include "shimgen/estimate/intervals/familiar.h"
#include "shimgen/estimate/tune/schedule_model.h"

/* What is known of the values that estimates are made of. Everything is owned. */
struct trust {
    struct regress_model *model;     /* of method sum and operand; or NULL */
    struct schedule_model *schedule; /* of method schedule; or NULL */
    /* Of the model, of the schedule's, else of the SHIM file; owned. None: `why_none` says why, a sentence, owned */
    struct shimxml_interval *intervals;
    size_t n_intervals;
    char *why_none;
    bool need_events; /* there are none for estimates without simulated misses and mispredictions; the core has them */
    struct familiar familiar; /* what the programs fitted on had, as far as they are known */
};
/* model: model.json, of a schedule schedule.json; shim: the file whose values are used. dataset: the table that it was
 * fitted on, or NULL. ERR_INPUT: the model is not one of this method, or of another table. trust_release in any case.
 */
enum status trust_read(struct trust *out, const char *model, const char *dataset, const struct estimator *method,
                       const char *shim, struct error *e) MUST_CHECK;
/* The intervals that the SHIM file has for its own method (costs: of one of its cores; shim: its name). */
void trust_of_shim(struct trust *out, const struct costs *costs, const struct estimator *method, const char *shim);
/* Those that a board's description has for method compiled; none with a `core`, the model file of another timing. */
void trust_of_board(struct trust *out, const char *board, const char *core);
void trust_release(struct trust *t);
double trust_level(const struct trust *t); /* the greatest of the intervals; 0: there are none */

/* What decides which interval is the one of an estimate. */
struct trust_kind {
    enum shimxml_code code;
    enum schedule_events_in events;
    double whole; /* cycles that the whole is estimated at: a part is judged as what it is a part of */
};
struct trust_kind trust_kind_of(const struct irprof_profile *p, size_t region, double whole);
/* The board's cycles of an estimate, or of a part of it, are within [*low, *high] with the probability that is
 * returned; 0: not known, then both are NAN. A side without a bound is NAN. */
double trust_interval(double *low, double *high, const struct trust *t, const struct trust_kind *kind, double cycles);
/* A sentence about the interval, where it is not that of such code and events; NULL: it is. The caller frees. */
char *trust_remark(const struct trust *t, const struct trust_kind *kind);
/* Notes in the estimate: what it rests on that the model never saw, or hardly, or not in such a mix. */
void trust_note(struct estimate *est, const struct trust *t);

#endif
