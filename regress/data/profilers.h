/*
 * profilers.h - tables of profilers of graphics processors as a dataset: a row for each kernel, a column for each counter
 * (docs/formats/profilers.md). Internal to regress.
 *
 *     struct profilers t = {0};
 *     s = profilers_add(&t, "sobel", "sobel.ncu.csv", e)      once for each table
 *     profilers_write(&t, f, say), profilers_release(&t)
 */
#ifndef REGRESS_DATA_PROFILERS_H
#define REGRESS_DATA_PROFILERS_H

#include <stdio.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"

/* The time of a launch in nanoseconds, whatever the profiler calls it. */
#define PROFILERS_TIME "time_ns"

struct profilers_cell {
    double sum;
    double launches; /* of which it is the sum */
};
struct profilers {
    struct map rows;    /* "PROGRAM\nKERNEL" */
    struct map columns; /* counters */
    struct map places;  /* "ROW COLUMN": number of the cell */
    VEC(struct profilers_cell) cells;
};

/* Reads what ncu --csv, nvprof --csv, rocprof or rocprofv3 has written. ERR_INPUT: it is none of these, or a value is no
 * number; with the line. */
enum status profilers_add(struct profilers *t, const char *program, const char *path, struct error *e) MUST_CHECK;
/* As CSV, means of all launches. `say` is called with each column that is left out since a kernel lacks it. */
void profilers_write(const struct profilers *t, FILE *f, void (*say)(const char *column, const char *kernel));
void profilers_release(struct profilers *t);

#endif
