/* prior_values.h - values of instructions for which a model has no evidence, from a table (docs/formats/shim.md,
 * merge). Private to shim-xml. */
#ifndef SHIMXML_VALUES_PRIOR_VALUES_H
#define SHIMXML_VALUES_PRIOR_VALUES_H

#include <stdbool.h>

#include "base/alloc.h"
#include "shim-xml/shimxml.h"

struct given_value {
    char *instruction;
    bool latency;
    struct shimxml_range value;
    char *like;   /* the value of this instruction, whatever it is, is to be taken; NULL: `value` */
    char *source; /* a few words, for the comment: "Measured by microbenchmarks" */
};
struct given_values {
    VEC(struct given_value) at;
};
/* Refuses, with file and line: a missing column, an instruction that SHIM's list does not have, text or NaN in a
 * number's place, a negative value or one beyond single precision, best > typical or typical > worst, numbers beside
 * `like`, `like` of itself or in a circle, a row given twice, no row. values_free. */
enum status values_read(struct given_values **out, const char *path, struct error *e) MUST_CHECK;
void values_free(struct given_values *v);
/* NULL: none; v may be NULL. Borrowed. */
const struct given_value *values_find(const struct given_values *v, const char *instruction, bool latency);

#endif
