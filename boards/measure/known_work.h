/*
 * known_work.h - counters are proved before they are believed: which events count what they
 * must, and which of them do so together. Pure judgement: launches come from the caller,
 * in tests from a table. docs/method/measuring.md says what is concluded and why.
 */
#ifndef BOARDS_MEASURE_KNOWN_WORK_H
#define BOARDS_MEASURE_KNOWN_WORK_H

#include "boards/measure/result.h"

struct set_event {
    char *name;
    char *spec;      /* "NAME=type:config", as SHIM_MEASURE_EVENTS takes it */
    double sentinel; /* the least that a sentinel showed while the set was proved */
    /* Overhead of the counter in each calibrated launch: what an empty region counts, and what a region adds around it. */
    VEC(double) inside, pair;
};
/* Events that are counted together in one launch. */
struct counter_set {
    VEC(struct set_event) events; /* the first is the cycles, unless the set holds one event that counts only alone */
    unsigned full;                /* launches whose overhead was calibrated in full */
    unsigned odd;                 /* latest launches, one after the other, whose overhead differs from theirs */
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

/* True if the launch opened the events of the set and their sentinels still count. Otherwise *dead is the name of the first
 * event that no longer counts (borrowed from the set). */
bool sentinels_hold(const struct counter_set *set, const struct run_result *r, const char **dead);

#endif
