/* model_widths.h - what a model says of an instruction by width. Private to shim-xml. */
#ifndef SHIMXML_VALUES_MODEL_WIDTHS_H
#define SHIMXML_VALUES_MODEL_WIDTHS_H

#include "shim-xml/values/merge_model.h"

struct width_value {
    struct shimxml_widths widths;
    bool shown;                          /* the model has executed keys of these widths */
    struct shimxml_range pitch, latency; /* where it is shown */
    size_t variable;                     /* of the commonest key; MODEL_NONE: none */
};
/* The widths of an instruction: of its commonest form first, then those of the keys that the model (NULL: none) has
 * executed. Returns their number; the caller frees *out. */
size_t model_widths(struct width_value **out, const struct model *m, const char *name);

#endif
