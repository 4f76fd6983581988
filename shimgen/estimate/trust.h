/*
 * trust.h - how far an estimate may be off: the interval that a model's errors on
 * programs left out of its fit give, and whether a program is like those it was fitted on.
 */
#ifndef SHIMGEN_TRUST_H
#define SHIMGEN_TRUST_H

#include "regress/regress.h"
#include "shimgen/estimate/estimate.h"

/* cycles within [*low, *high] with probability m->level; NAN where that side is unbounded or not known. */
void trust_interval(double *low, double *high, const struct regress_model *m, double cycles);
/* Notes in the estimate: what it rests on that the model never saw, or hardly. */
void trust_domain(struct estimate *est, const struct regress_model *m);

#endif
