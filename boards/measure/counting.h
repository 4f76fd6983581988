/*
 * counting.h - what a set of measurements knows of the board's counters: which events are counted in which launches,
 * and what a region costs each event. Found before the first launch, kept for all programs, found again when a counter
 * fails.
 */
#ifndef BOARDS_MEASURE_COUNTING_H
#define BOARDS_MEASURE_COUNTING_H

#include "boards/run/run.h"
#include "boards/measure/known_work.h"

struct counting {
    bool known; /* `plan` holds, also when it has no sets: then launches ask for all events and get what there is */
    struct counter_plan plan;
    VEC(struct lost_event) dropped; /* events that died too often */
};
struct counting *counting_new(void);
void counting_free(struct counting *c);

/* The board's events as SHIM_MEASURE_EVENTS takes them, without those that were dropped; the caller frees. */
char *counting_events(const struct counting *c, const struct board *b, const char *root);
/* Proves the counters with the program that is on `place`: it must be linked with the measuring runtime. settings: its
 * environment but for the events, NULL-terminated. A program without a result is no error: there is no plan then. */
enum status counting_prove(struct counting *c, struct runner *place, const struct board *b, int core,
                           const char *const *settings, struct error *e) MUST_CHECK;
void counting_reset(struct counting *c); /* the plan: it is made again before the next launch */
/* The event is not measured any more. */
void counting_drop(struct counting *c, const char *event, const char *why);

/* doctor_counters.c: proves them with a program that does nothing else, on `place`, NULL: this machine. Nothing is said
 * where that cannot run. */
void doctor_counters(struct runner *place, const struct board *b, struct findings *out);

/* ---- what a region costs ---- */

/* Shall the next launch of the set calibrate in full? The first three do, and more until their spread is below 5 % or
 * eight have; then three in a row that saw another overhead make the next one do it again. */
bool calibration_wanted(const struct counter_set *set);
/* Takes over what a launch measured; one that only had a glance gets the overhead that is known. */
void calibration_take(struct counter_set *set, struct run_result *r);

#endif
