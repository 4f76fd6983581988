/*
 * callgrind_line.h - the lines of callgrind's format, one by one (valgrind's manual, "Callgrind Format Specification"):
 * compressed names, relative positions, costs. Knows nothing of functions.
 */
#ifndef SHIMGEN_OFFLOAD_CALLGRIND_LINE_H
#define SHIMGEN_OFFLOAD_CALLGRIND_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/map.h"
#include "base/str.h"

enum { CALLGRIND_EVENTS = 32, CALLGRIND_LINE_MAX = 1 << 20 };

enum callgrind_kind {
    CALLGRIND_END,    /* of the file */
    CALLGRIND_HEADER, /* "key: value" */
    CALLGRIND_NAME,   /* "key=name": fn, fl, ob ... */
    CALLGRIND_CALLS,  /* "calls=": the costs that follow are the callee's */
    CALLGRIND_JUMP,   /* "jump=", "jcnd=": the costs that follow are none, and say where the jump stands */
    CALLGRIND_COSTS
};
struct callgrind_file {
    FILE *f;
    const char *path; /* borrowed */
    unsigned long line;
    char *text; /* the line; owned */
    size_t size;
    struct map ids; /* "fn 12" -> index in `names` */
    struct str key; /* scratch */
    char **names;   /* owned */
    size_t n_names;
    bool has_address, has_line; /* positions of a line of costs */
    size_t n_events;            /* set by the reader of the header */
    /* the line at hand */
    const char *word, *value; /* HEADER, NAME: key; value. The name is whole. Valid until the next line */
    uint64_t calls;           /* CALLS; JUMP: how often it was taken */
    uint64_t address, source; /* COSTS; source: the line */
    uint64_t target;          /* JUMP: address */
    uint64_t costs[CALLGRIND_EVENTS];
};
enum status callgrind_open(struct callgrind_file *c, const char *path, struct error *e) MUST_CHECK;
void callgrind_close(struct callgrind_file *c);
/* Reads the next line that is not empty. ERR_INPUT: it is none of the format. */
enum status callgrind_next(enum callgrind_kind *kind, struct callgrind_file *c, struct error *e) MUST_CHECK;

#endif
