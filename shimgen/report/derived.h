/*
 * derived.h - figures that several sections need: the relevant prediction of a row, its error, the evaluation that the
 * headline uses, rankings.
 */
#ifndef SHIMGEN_REPORT_DERIVED_H
#define SHIMGEN_REPORT_DERIVED_H

#include <stddef.h>

#include "shimgen/report/report.h"

#define SCHEME_TEST "test programs"

/* (predicted - measured) / measured; unknown when either is, or when nothing was measured. */
double relative_error(double predicted, double measured);
/* The prediction by a model that has not seen the program: for a test program its prediction. */
double heldout_prediction(const struct report_program *p);
double heldout_error(const struct report_program *p);
/* The error on a training program of the model fitted on it; unknown for a test program. */
double training_error(const struct report_program *p);

bool is_chosen(const struct report *r, const struct report_evaluation *v);
/* The chosen model where nothing stands in the way: judged by cross-validation (the headline), and on test programs.
 * NULL: there is none. The headline falls back to the test programs. */
const struct report_evaluation *headline_evaluation(const struct report *r);
const struct report_evaluation *test_evaluation(const struct report *r);
/* The best baseline under the same scheme; NULL: none. */
const struct report_evaluation *baseline_evaluation(const struct report *r, const char *scheme);

/* Indices 0 … n-1 ordered by `key`, largest first; unknown keys last, equal ones in their given order. The caller
 * frees. */
size_t *order_descending(size_t n, double (*key)(const void *data, size_t i), const void *data);

/* The q-quantile (0 <= q <= 1) of n values, by linear interpolation; unknown for n = 0. Sorts `values`. */
double quantile(double *values, size_t n, double q);

size_t count_role(const struct report *r, enum report_role role);
/* Texts that may be missing. */
const char *text_or(const char *text, const char *otherwise);
bool has_text(const char *text);

#endif
