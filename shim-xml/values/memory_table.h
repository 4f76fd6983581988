/* memory_table.h - memory.csv (docs/formats/memory.md) as the writing into a document needs it. Private to shim-xml. */
#ifndef SHIMXML_VALUES_MEMORY_TABLE_H
#define SHIMXML_VALUES_MEMORY_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/alloc.h"
#include "shim-xml/shimxml.h"

struct memory_value {
    long core;    /* the operating system's number, MasterComponent/@pid */
    char *place;  /* "L1", "memory"; of messages "core 2" */
    char *order;  /* "near", "far", "" */
    long partner; /* of messages: the other core */
    char access;  /* 'R', 'W', 'M' */
    long bytes;
    struct shimxml_range pitch, latency; /* typical NAN: no such row yet */
    unsigned long line;
};
struct memory_values {
    char *event;
    VEC(struct memory_value) at; /* a value for each pair of rows, latency and pitch */
    double spread;               /* the greatest, in parts of the typical value; 0: none is given */
    char *spread_of;             /* "memory near, latency of R 4"; NULL: none is given */
};
/* Refuses, with file and line: a missing column, text or NaN in a number's place, a negative value or one beyond single
 * precision, best > typical or typical > worst, a row given twice, latency without pitch or pitch without latency,
 * several events. memory_values_free. */
enum status memory_values_read(struct memory_values **out, const char *path, struct error *e) MUST_CHECK;
void memory_values_free(struct memory_values *v);
/* NULL: none. Borrowed. */
const struct memory_value *memory_values_find(const struct memory_values *v, long core, const char *place,
                                              const char *order, char access, long bytes);

#endif
