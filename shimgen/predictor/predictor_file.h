/* predictor_file.h - what the choice of a predictor hands to predictor.json. Private to predictors.c and
 * predictor_file.c; predictors.h has the public calls. */
#ifndef SHIMGEN_PREDICTOR_PREDICTOR_FILE_H
#define SHIMGEN_PREDICTOR_PREDICTOR_FILE_H

#include "shimgen/predictor/predictors.h"

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

#endif
