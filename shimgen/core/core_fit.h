/*
 * core_fit.h - the figures of a core that explain what its trials took: values are tried one after the other, and each is
 * kept if the pipeline with it comes closer to what was measured. A figure's interval is all values that explain the
 * trials as well; a figure that no trial depends on is not observable.
 */
#ifndef SHIMGEN_CORE_CORE_FIT_H
#define SHIMGEN_CORE_CORE_FIT_H

#include "shimgen/core/fit_values.h"

enum status core_fit_make(struct core_fit *f, const struct core_run *run, struct error *e) MUST_CHECK;
void core_fit_release(struct core_fit *f);
/* How far the model is from a trial, in units of what can be told; NAN: it did not run. */
double core_fit_error(struct core_fit *f, size_t trial);
/* NULL: the class was not measured, or has no such figure. */
const struct core_found *core_fit_of(const struct core_fit *f, enum core_figure_kind kind, size_t kernel, int need);

#endif
