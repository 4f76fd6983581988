/* wide_trials.h - trials of a core that issues out of order, made once it is known what single kinds take: two kinds
 * side by side, slots at dispatch, and what is underway while something takes long. */
#ifndef SHIMGEN_CORE_WIDE_WIDE_TRIALS_H
#define SHIMGEN_CORE_WIDE_WIDE_TRIALS_H

#include "shimgen/core/trials.h"

#define WIDE_SLOTS_ALONE "slots/alone" /* the trial of what takes slots only; "CLASS/slots": a class among these */
enum wide_order { WIDE_UNKNOWN, WIDE_IN_ORDER, WIDE_OUT_OF_ORDER };
/* Out of order, a result and what waits for it take no longer than streams of both: the wait is hidden with nothing
 * between. By measured trials. */
enum wide_order wide_order_of(const struct core_trials *t);
/* Does the kernel's stream tell of ports? */
bool wide_has_ports(const struct core_trials *t, const struct core_kernel *k);
/* Can the target's table measure such a core? */
bool wide_can_measure(const struct core_trials *t);
/* Adds the trials; those of single kinds have run. */
void wide_trials_add(struct core_trials *t);
/* The name of a pair's trial; the caller frees. */
char *wide_pair_name(const struct core_kernel *a, const struct core_kernel *b);

#endif
