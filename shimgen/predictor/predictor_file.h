/* predictor_file.h - the file predictor.json of a build (o->predictor): which predictor of branches was chosen, and why.
 * predictors.h chooses. */
#ifndef SHIMGEN_PREDICTOR_PREDICTOR_FILE_H
#define SHIMGEN_PREDICTOR_PREDICTOR_FILE_H

#include "base/error.h"
#include "boards/boards.h"
#include "shimgen/units/outputs.h"

/* All borrowed. */
struct predictor_choice {
    const char *chosen, *other, *why; /* NULL: none */
    size_t regions;                   /* that were judged; 0: no choice was made */
    size_t n_candidates;
    const char *const *candidates; /* their names */
    const double *loss;
    size_t n_programs;
    const char *const *programs; /* it was chosen on: "paper/sum" */
};
/* With what else `simulate` says. */
enum status predictor_file_write(const struct predictor_choice *c, const struct board_args *simulate,
                                 const struct outputs *o, struct error *e) MUST_CHECK;

/* The value of an option of irprof instrument; NULL: it is not among them. */
const char *simulated_value(const struct board_args *a, const char *option);

/* What the file says. */
struct predictors {
    char *chosen, *other, *why; /* of branches; owned; NULL: none */
    char **programs;            /* it was chosen on, NULL-terminated: "paper/sum"; owned */
    char *switches, *prefetcher, *policy,
        *spills; /* what else is simulated, as in the annotations; owned; NULL: none */
};
/* All NULL where there is no such file. */
enum status predictors_read(struct predictors *out, const struct outputs *o, struct error *e) MUST_CHECK;
void predictors_release(struct predictors *p);
/* Writes them into a SHIM file as annotations. */
enum status predictors_annotate(const char *shim, const struct outputs *o, struct error *e) MUST_CHECK;

#endif
