/*
 * event_limits.h - counts of events that no run of a program can have, whoever counted or simulated them. The limits are
 * wide: what breaks one is no measurement, but a damaged table, a counter that was overwritten, or columns that were
 * exchanged.
 */
#ifndef BASE_EVENT_LIMITS_H
#define BASE_EVENT_LIMITS_H

/* The count of an event in one program and region; NAN: it is not known. */
typedef double event_count_fn(const void *context, const char *event);

/* What is wrong with the counts: "3300000000000 BR_MIS_PRED, but 946511 CPU_CYCLES: a cycle has one misprediction at
 * most". The caller frees. NULL: a run can have them. `context` is handed to `count`. */
char *event_limits_broken(event_count_fn *count, const void *context);

/* The most that a count can be: the cycles of a core in a month (at 3.4 GHz). Up to here a double holds whole numbers
 * exactly. */
#define EVENT_MOST 0x1p53

#endif
