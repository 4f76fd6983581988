/* micro_time.h - microbenchmarks timed by a model of a core (docs/formats/iss-model.md) instead of run on a board. */
#ifndef SHIMGEN_PROBES_MICRO_TIME_H
#define SHIMGEN_PROBES_MICRO_TIME_H

#include "boards/boards.h"
#include "samples/micro/micro.h"
#include "sim/core/core_model.h"

/* Adds what the model gives for each region of these cases, compiled into `executable`; a case whose path through the
 * code is not known without running it is left out. ERR_INPUT: no executable, or of another architecture. */
enum status micro_time(struct measurements *into, const struct micro_set *set, const size_t *which, size_t n,
                       const char *executable, const struct iss_model *model, struct error *e) MUST_CHECK;

#endif
