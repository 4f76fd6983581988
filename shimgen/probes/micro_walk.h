/*
 * micro_walk.h - a function with a loop, executed on a model of a core without running it: which instruction follows
 * which is seen from the code, and from the values of registers that follow from constants.
 */
#ifndef SHIMGEN_PROBES_MICRO_WALK_H
#define SHIMGEN_PROBES_MICRO_WALK_H

#include <stdbool.h>

#include "shimgen/estimate/compiled/compiled_elf.h"
#include "sim/core/core_model.h"

/* Cycles of an iteration of the function's last loop, in its steady state. False: the path through the code depends on
 * data, leads into a library, or is not known to the decoder; or there is no loop. */
bool micro_walk(double *cycles, const struct elf *program, const struct elf_function *function,
                const struct iss_model *model);

#endif
