/*
 * micro_table.h - micro.csv: what the microbenchmarks found of each instruction, case by
 * case. docs/formats/micro.md. Method: docs/method/micro.md.
 */
#ifndef SHIMGEN_ESTIMATE_TUNE_MICRO_TABLE_H
#define SHIMGEN_ESTIMATE_TUNE_MICRO_TABLE_H

#include "base/alloc.h"
#include "base/error.h"
#include "samples/micro/micro.h"

enum micro_use {
    MICRO_TYPICAL, /* stands for ordinary code, among the cases of its key and quantity */
    MICRO_RANGE,   /* another condition: one end of what the instruction can cost */
    MICRO_APART    /* says nothing of the instruction alone: a pair, a load that misses */
};
struct micro_row {
    char *key, *condition; /* "udiv.i32", "chain,large" */
    enum micro_quantity quantity;
    char *event;             /* of which the values are: "CPU_CYCLES", "CORE_CYCLES_EST" */
    double value, low, high; /* [events] of one instruction of the key; the interval of micro_fit.h; none below 0 */
    double copy;             /* of all that a copy executes: `value` and what `with` costs */
    double loop;             /* of a pass without copies, as fitted */
    char *with;              /* keys of what else a copy executes; "" nothing */
    enum micro_share share;
    double instructions; /* machine instructions of a copy; 0: it makes no code */
    char *code, *calls;  /* their mnemonics; functions they call */
    bool even;           /* the code of all copies is alike; else the value is of something else */
    enum micro_use use;
    unsigned runs;
};
struct micro_table {
    VEC(struct micro_row) rows;
    VEC(char *) notes; /* sentences: what was not measured and why; not in the file */
};

enum status micro_table_write(const struct micro_table *t, const char *path, struct error *e) MUST_CHECK;
/* Refuses, with file and line: a missing column, an empty key, condition, or event, text or NaN in a number's place, a
 * negative value, low > value or value > high, a word that is none of its column's, a row given twice, no row. */
enum status micro_table_read(struct micro_table *out, const char *path, struct error *e) MUST_CHECK;
void micro_table_release(struct micro_table *t);

/* NULL: none. Borrowed. condition NULL: the typical one. */
const struct micro_row *micro_table_find(const struct micro_table *t, const char *key, const char *condition,
                                         enum micro_quantity quantity, const char *event);
/* The row of the same key, condition, quantity and event, or NULL. */
struct micro_row *micro_table_row(struct micro_table *t, const struct micro_row *like);
/* "latency", "pitch": as in the file; static. */
const char *micro_quantity_name(enum micro_quantity q);

#endif
