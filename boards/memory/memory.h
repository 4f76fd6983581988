/*
 * memory.h - from what the probes of memory measured to cycles per access: the table
 * memory.csv (docs/formats/memory.md). Method: docs/method/memory.md.
 *
 *     measurements_new(), board_measure(b, access, MEMORY_ACCESS_IDLE, ...), ...
 *     memory_evaluate(&table, measurements, core, e)         once for each core that was measured on
 *     memory_write(&table, "memory.csv", e)
 *     memory_release(&table)
 *
 * Units: [cycles] of the measurements' cycle event.
 */
#ifndef BOARDS_MEMORY_MEMORY_H
#define BOARDS_MEMORY_MEMORY_H

#include <stdbool.h>

#include "boards/boards.h"

/* What the measured programs are called in the measurements. */
#define MEMORY_ACCESS_IDLE "memory/access@idle"
#define MEMORY_ACCESS_BUSY "memory/access@busy" /* all other cores stream through memory meanwhile */
#define MEMORY_PAIR_IDLE   "memory/pair@idle"
#define MEMORY_PAIR_BUSY   "memory/pair@busy"

enum memory_quantity { MEMORY_LATENCY, MEMORY_PITCH };
struct memory_row {
    int core;    /* that was measured on */
    char *place; /* "L1", "L2" ..., "memory"; of messages the other core: "core 2" */
    char *order; /* "near", "far" (points.h); "" of messages */
    char access; /* 'R', 'W'; 'M' of messages */
    int bytes;   /* of one access */
    enum memory_quantity quantity;
    double best;    /* the least run, other cores idle */
    double typical; /* the centre of the runs, other cores idle */
    double worst;   /* the centre, other cores busy; not below typical. NAN: not measured */
    double spread;  /* of a run's typical value: 1.4826 times the median absolute deviation */
    unsigned runs;  /* that count */
};
struct memory_table {
    char *event; /* "CPU_CYCLES": what the cycles are; NULL while there are no rows */
    VEC(struct memory_row) rows;
    VEC(char *) notes; /* sentences: what was not measured and why, what spreads */
};
#define MEMORY_SPREADS 0.2 /* of the typical value: more is noted */

/* Appends the rows of one core. Of a core of which there are only messages they alone; else what is not there beside
 * MEMORY_ACCESS_IDLE was not measured, and a note says so. ERR_INPUT, and nothing appended: a region is missing or has
 * no run, no cycles were counted, or the cycles are another event's than those in the table. */
enum status memory_evaluate(struct memory_table *into, const struct measurements *m, int core,
                            struct error *e) MUST_CHECK;
enum status memory_write(const struct memory_table *t, const char *path, struct error *e) MUST_CHECK;
void memory_release(struct memory_table *t);

#endif
