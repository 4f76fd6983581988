/*
 * evaluate.h - what the classifications and solvers are worth on a board's dataset, and
 * the models: one of instructions, which goes into the SHIM file, and one of whole programs.
 *
 * Training programs are those whose manifest says so; test programs are never fitted on and never looked at when
 * the model is chosen: that is done on the training programs alone, by leaving each program out in turn.
 */
#ifndef SHIMGEN_VALUES_EVALUATE_H
#define SHIMGEN_VALUES_EVALUATE_H

#include "base/error.h"
#include "regress/regress.h"
#include "samples/manifest.h"

struct evaluation {
    struct regress_rows train, test;
    struct regress_crossval *left_out; /* each training program left out in turn; NULL: not compared (yet) */
    struct regress_crossval *tested;   /* fitted on all training rows, on the test rows; NULL: no test programs */
    struct regress_model *model;
    size_t chosen; /* its line in `left_out` (and in `tested`); REGRESS_NONE: its classification was not compared */
    struct regress_model
        *programs; /* of whole programs, by the code of the target; NULL: the dataset does not have it */
    size_t best;   /* its line; REGRESS_NONE: none */
};
struct evaluation_spec {
    const char *classes, *solver; /* the model's; NULL: the defaults */
    bool compare;                 /* every classification there is with ols, nnls and shrink; else the model's own */
};

/* The model alone: all that a SHIM file needs. evaluation_release frees, whatever came out. */
enum status evaluation_fit(struct evaluation *out, const struct regress_data *d, const struct samples *s,
                           const struct evaluation_spec *spec, struct error *e) MUST_CHECK;
/* The model of whole programs. */
enum status evaluation_fit_programs(struct evaluation *v, const struct regress_data *d, struct error *e) MUST_CHECK;
/* left_out and tested. What cannot be read, computed or fitted is an unavailable line there, not an error. */
enum status evaluation_compare(struct evaluation *v, const struct regress_data *d, const struct evaluation_spec *spec,
                               struct error *e) MUST_CHECK;
void evaluation_release(struct evaluation *v);

#endif
