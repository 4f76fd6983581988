/* predictor_text.h - a predictor of branches as text: what --branches takes, what profiles and SHIM files say. */
#ifndef IRPROF_PROFILE_PREDICTOR_TEXT_H
#define IRPROF_PROFILE_PREDICTOR_TEXT_H

#include "base/str.h"
#include "sim/branch/branch.h"

struct irprof_predictor {
    struct sim_predictor_kind kind;
    unsigned place_bits; /* low bits of a branch's number that it sees; 0: history alone decides */
};

/* "bimodal:12", "gshare:12:8", "gshare:12:8:PLACE_BITS", "tournament:GLOBAL_BITS:LOCAL_BITS",
 * "tage:BASE_BITS:TAGGED_BITS:TABLES:LONGEST". What is wrong with the text as a phrase; NULL: nothing. */
const char *predictor_read(struct irprof_predictor *out, const char *text, size_t length);
/* Appends that text. */
void predictor_describe(struct str *text, const struct irprof_predictor *p);

#endif
