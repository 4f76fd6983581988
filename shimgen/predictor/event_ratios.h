/* event_ratios.h - what was simulated while the samples were counted, held against what the board's counters found. */
#ifndef SHIMGEN_PREDICTOR_EVENT_RATIOS_H
#define SHIMGEN_PREDICTOR_EVENT_RATIOS_H

#include <stdbool.h>

#include "base/alloc.h"
#include "shimgen/units/outputs.h"
#include "base/error.h"

/* Simulated over measured, of the regions whose measured rate tells anything: EVENTS_LEAST events and more. */
struct events_ratio {
    size_t n;                 /* regions */
    double median, low, high; /* 5 % and 95 % quantiles; NaN where n is 0 */
};
enum { EVENTS_LEAST = 100 };
enum events_of { EVENTS_ALL, EVENTS_UNSEEN, EVENTS_TEST, EVENTS_OF_N };
struct events_row {
    const char *event;                       /* static: "L1D_CACHE_REFILL" */
    char *predictor;                         /* owned: of BR_MIS_PRED; NULL: of other events */
    bool chosen;                             /* this predictor is */
    struct events_ratio ratios[EVENTS_OF_N]; /* all; programs that the predictor was not chosen on; test programs */
};
struct events_table {
    VEC(struct events_row) rows; /* of what is simulated and measured; none: nothing is both */
    char *why;                   /* owned: why this predictor; NULL: no build says it */
};
/* From simulated.csv, measurements.csv, domains.csv and predictor.json of a build. Files that are not there: no rows.
 */
enum status events_compare(struct events_table *out, const struct outputs *o, struct error *e) MUST_CHECK;
void events_release(struct events_table *t);

#endif
