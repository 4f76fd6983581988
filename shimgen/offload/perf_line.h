/*
 * perf_line.h - the lines of `perf script`, one by one: samples with their event, how much of it they stand for, time and
 * the function; after a sample with a call chain one line for each frame.
 */
#ifndef SHIMGEN_OFFLOAD_PERF_LINE_H
#define SHIMGEN_OFFLOAD_PERF_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

enum { PERF_LINE_MAX = 1 << 20 };

enum perf_kind {
    PERF_END,    /* of the file */
    PERF_SAMPLE, /* time, event, period; function where the line has it */
    PERF_FRAME,  /* function, object: the sample's own first, then who called it */
    PERF_BLANK   /* ends a call chain */
};
struct perf_file {
    FILE *f;
    const char *path; /* borrowed */
    unsigned long line;
    char *text; /* owned */
    size_t size;
    /* the line at hand; texts are valid until the next line */
    double time;          /* [s] */
    double period;        /* of the event */
    const char *event;    /* without modifiers: "cycles" of "cycles:u" */
    const char *function; /* "[unknown]" without a symbol; NULL: the sample's line has none, frames follow */
    const char *object;   /* the program or library; "" unknown */
};
enum status perf_open(struct perf_file *p, const char *path, struct error *e) MUST_CHECK;
void perf_close(struct perf_file *p);
/* ERR_INPUT: a line that `perf script` does not write. */
enum status perf_next(enum perf_kind *kind, struct perf_file *p, struct error *e) MUST_CHECK;

#endif
