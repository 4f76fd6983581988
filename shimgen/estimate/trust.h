/*
 * trust.h - how far an estimate may be off: the interval that a model's errors on
 * programs left out of its fit give, and whether a program is like those it was fitted on.
 */
#ifndef SHIMGEN_TRUST_H
#define SHIMGEN_TRUST_H

#include "regress/regress.h"
#include "shimgen/estimate/estimate.h"
#include "shimgen/estimate/leverage.h"
#include "shimgen/estimate/schedule_model.h"

/* What is known of the values that estimates are made of. Everything is owned. */
struct trust {
    struct regress_model *model;     /* of method sum and operand; or NULL */
    struct schedule_model *schedule; /* of method schedule; or NULL */
    struct leverage leverage;        /* of the model's rows; without a dataset empty */
    bool has_leverage;
    struct map keys;  /* of the programs fitted on, as far as they are known; -> index into */
    size_t *programs; /* how many of them had it; few_groups: enough, or not known */
};
/* model: model.json, of a schedule schedule.json; shim: the file whose values are used. dataset: the table that it was
 * fitted on, or NULL. ERR_INPUT: the model is not one of this method, or of another table. trust_release in any case.
 */
enum status trust_read(struct trust *out, const char *model, const char *dataset, const struct estimator *method,
                       const char *shim, struct error *e) MUST_CHECK;
void trust_release(struct trust *t);
double trust_level(const struct trust *t); /* of the intervals; 0: there are none */

/* cycles of the estimate, or of a part of it, within [*low, *high] with that probability; NAN where that side is
 * unbounded or not known. optimised: schedule_is_optimised of the region. */
void trust_interval(double *low, double *high, const struct trust *t, bool optimised, double cycles);
/* Notes in the estimate: what it rests on that the model never saw, or hardly, or not in such a mix. */
void trust_note(struct estimate *est, const struct trust *t);

#endif
