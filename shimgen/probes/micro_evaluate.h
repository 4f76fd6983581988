/* micro_evaluate.h - from the measured regions of the microbenchmarks, and from what the back end made of them, to
 * cycles of an instruction. */
#ifndef SHIMGEN_PROBES_MICRO_EVALUATE_H
#define SHIMGEN_PROBES_MICRO_EVALUATE_H

#include "boards/boards.h"
#include "shimgen/estimate/tune/micro_table.h"

/* Fills *out with a row for each of the cases which[0..n) of the set and each kind of cycles in the measurements (the
 * cycle event, BOARD_CORE_ESTIMATE). codes[i] is of case which[i]. What a copy executes besides is taken off with its
 * own values, so the order of the cases does not matter. A case that has no result is noted. ERR_INPUT: no cycles were
 * counted, or no case has a result. micro_table_release. */
enum status micro_evaluate(struct micro_table *out, const struct micro_set *set, const size_t *which, size_t n,
                           const struct micro_code *codes, const struct measurements *m, struct error *e) MUST_CHECK;

#endif
