/* over_time.h - what a program does when: the shares of its functions, and the bytes that it demands. */
#ifndef SHIMGEN_OFFLOAD_SHOW_OVER_TIME_H
#define SHIMGEN_OFFLOAD_SHOW_OVER_TIME_H

#include "base/str.h"
#include "shimgen/offload/offload.h"

/* Nothing, if the table has no windows with times. `threshold` [bytes a second] is a line; `number` is in the names of
 * the drawings. */
void over_time_draw(struct str *out, const struct offload_table *t, double threshold, size_t number);

#endif
