/* costs_method.h - which of a SHIM file's values a method takes (docs/formats/shim-file.md). Part of costs.h. */
#ifndef SHIMGEN_ESTIMATE_COSTS_METHOD_H
#define SHIMGEN_ESTIMATE_COSTS_METHOD_H

#include "shimgen/estimate/costs.h"

/* `sum` and `operand` take the costs of counts where the file has such, any other method the times, multiplied by the
 * file's factors. */
void costs_take_for(struct costs *c, const char *method);

#endif
