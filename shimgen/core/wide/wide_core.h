/*
 * wide_core.h - the figures of a core that issues out of order, from trials that ran on it (wide_trials.h): latencies from
 * chains, ports from streams and pairs (port_sets.h), and the figures of fetch and window with which the model of such a
 * core (sim/core/wide.h) explains their trials best. An interval is all values that explain them as well.
 */
#ifndef SHIMGEN_CORE_WIDE_WIDE_CORE_H
#define SHIMGEN_CORE_WIDE_WIDE_CORE_H

#include "shimgen/core/board_core.h"
#include "shimgen/core/core_file.h"

struct wide_core {
    const struct core_run *run;
    struct core_measured measured;
    struct core_timing timing;
    struct str intervals; /* lines of [interval] */
    double *predicted;    /* of each trial, by all figures; NAN: its code cannot be followed. Owned */
    double *errors; /* how far that is from what was measured, in units of what can be told; NAN likewise. Owned */
    size_t explained, tried; /* trials */
    size_t spread;           /* trials whose repetitions differ so much that figures may be wrong */
};
/* `figures`: what is found of the whole core is put there. `folder`: for a draft. wide_core_release, also after an error. */
enum status wide_core_find(struct wide_core *w, const struct core_run *run, struct core_figures *figures,
                           const char *folder, struct error *e) MUST_CHECK;
void wide_core_release(struct wide_core *w);
/* "on host, 1100 of 1200 trials explained; ...", as a file and all outputs say it; the caller frees. */
char *wide_core_origin(const struct wide_core *w, const struct board *b);
/* The model file, named after the board. */
enum status wide_core_write(const struct wide_core *w, const struct board *b, const struct core_figures *figures,
                            const char *path, struct error *e) MUST_CHECK;

#endif
