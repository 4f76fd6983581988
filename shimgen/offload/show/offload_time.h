/* offload_time.h - what a program does when: a row for each window of its run. */
#ifndef SHIMGEN_OFFLOAD_SHOW_OFFLOAD_TIME_H
#define SHIMGEN_OFFLOAD_SHOW_OFFLOAD_TIME_H

#include <stdio.h>

#include "shimgen/offload/offload.h"

/* What happened in a window, all functions together. */
struct offload_moment {
    double costs[OFFLOAD_COSTS];
    double intensity, integer_intensity; /* INFINITY: no data demanded; NAN: not known */
    double rate;                         /* bytes a second; NAN: not known */
    enum offload_state state;            /* of the rate */
    uint32_t busiest;                    /* function; OFFLOAD_WHOLE: none does anything */
    double share;                        /* of the window's work */
    size_t needed;                       /* functions that do the threshold's share of it */
};
void offload_moment(struct offload_moment *out, const struct offload_table *t, const struct accelerator *a,
                    const struct offload_window *w);

void offload_time_text(const struct offload_print *p, FILE *f);
void offload_time_csv(const struct offload_print *p, FILE *f);

#endif
