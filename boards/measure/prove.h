/*
 * prove.h - counters are proved before they are believed: which events count what they
 * must, and which of them do so together. Pure judgement: launches come from the caller,
 * in tests from a table. docs/method/measuring.md says what is concluded and why.
 */
#ifndef BOARDS_MEASURE_PROVE_H
#define BOARDS_MEASURE_PROVE_H

#include "boards/measure/result.h"

struct set_event {
    char *name;
    char *spec;               /* "NAME=type:config", as SHIM_MEASURE_EVENTS takes it */
    double sentinel;          /* the least that a sentinel showed while the set was proved */
    VEC(double) inside, pair; /* of the launches that calibrated in full */
};
/* Events that are counted in one launch, and how often a launch of it was calibrated in full. */
struct counter_set {
    VEC(struct set_event) events; /* the first is the cycles, unless the set holds one event that counts only alone */
    unsigned full, odd;           /* launches calibrated in full; in a row, with other overhead than those showed */
};
struct lost_event {
    char *name, *why;
};
struct counter_plan {
    VEC(struct counter_set) sets; /* empty: no performance counters, or the cycles failed */
    VEC(struct lost_event) lost;  /* events that are not measured at all */
    VEC(char *) remarks;          /* why there is more than one set, in words */
    bool opened;                  /* the cycles could be opened and read */
    size_t launches;              /* that the proof took */
};

/* One launch that proves the group of these events ("NAME=type:config,..."). *out NULL: it gave no result. */
typedef enum status prove_launch(void *context, const char *events, struct run_result **out, struct error *e);

/* The plan for `events`, in their order of importance, the cycles first. ERR_* only from `launch`. Release it always.
 */
enum status prove_counters(struct counter_plan *plan, const char *events, prove_launch *launch, void *context,
                           struct error *e) MUST_CHECK;
void counter_plan_release(struct counter_plan *plan);
/* SHIM_MEASURE_EVENTS of a set; the caller frees. */
char *counter_set_spec(const struct counter_set *set);

/* Does what a launch's sentinels showed fit the set? Else the name of the first event that counts no more, in *dead
 * (borrowed from the set). A launch that opened other events than the set's does not fit either. */
bool sentinels_hold(const struct counter_set *set, const struct run_result *r, const char **dead);

#endif
