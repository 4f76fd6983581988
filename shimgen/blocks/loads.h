/* loads.h - what share of a core's time the steps of each rate take. */
#ifndef SHIMGEN_BLOCKS_LOADS_H
#define SHIMGEN_BLOCKS_LOADS_H

#include "shimgen/blocks/blocks.h"

/* The steps of one function, every `period_s`. */
struct blocks_rate {
    char *function; /* owned */
    double period_s;
    double *mean, *worst; /* owned; of each core [cycles a step] */
};
struct blocks_loads {
    struct blocks_rate *at; /* owned */
    size_t n;
};
/* "10ms", "250us", "0.5s": true, and seconds. */
bool blocks_period(const char *text, double *seconds);
/* periods: "10ms", of the steps shown; "step0=1ms,step1=10ms": of several. ERR_USAGE: no period. ERR_INPUT: the profile has
 * no such steps; a core has no clock. blocks_loads_release. */
enum status blocks_loads_make(struct blocks_loads *out, const struct blocks *b, const char *periods,
                              struct error *e) MUST_CHECK;
void blocks_loads_release(struct blocks_loads *l);
/* Of a core's time, 1 is all of it. */
double blocks_load(const struct blocks *b, const struct blocks_rate *r, size_t core, double cycles);

#endif
