/* fit_begin.h - the figures that a fit begins with, from single trials. */
#ifndef SHIMGEN_CORE_FIT_BEGIN_H
#define SHIMGEN_CORE_FIT_BEGIN_H

#include "shimgen/core/fit_values.h"

/* Sets all of the model; the trials have run. */
void core_begin(struct core_fit *f);

#endif
