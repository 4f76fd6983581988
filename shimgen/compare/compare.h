/*
 * compare.h - what became slower: two tables of cycles (CSV of `shimgen estimate` or `shimgen blocks`) row by row.
 *
 *     compare_tables(&c, &request, e)
 *     compare_print(&c, ...)
 *     compare_release(&c)
 *
 * Rows are the same if all columns agree that say what a row is about and that both tables have: program, region, core,
 * and function, loop, block, line or part; of model blocks their kind, model and name. The program does not count where
 * each table has one: it may have been given another name.
 */
#ifndef SHIMGEN_COMPARE_COMPARE_H
#define SHIMGEN_COMPARE_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/alloc.h"
#include "base/error.h"

struct compare_request {    /* borrowed texts */
    const char *old, *new_; /* files */
    const char *column;     /* the number that is compared: "cycles" */
    bool budget;            /* `old` has upper limits: what it does not name is left out, and there are no totals */
    double limit;           /* in percent: a total may grow by so much; NAN: by any amount */
    double row_limit;       /* likewise a single row */
};
enum compare_change { COMPARE_SAME, COMPARE_FASTER, COMPARE_SLOWER, COMPARE_NEW, COMPARE_GONE };
struct compare_row {
    char *what;           /* owned; what tells it from the other rows, "(program) controller_step" */
    double before, after; /* 0 where it is not there */
    enum compare_change change;
    bool total;  /* the sum over a region, on a core */
    bool apart;  /* both have an interval, and these do not overlap */
    bool beyond; /* it grew by more than it may */
};
struct compare {
    const struct compare_request *request;
    VEC(struct compare_row) rows; /* totals first, then the greatest change first */
    size_t n_beyond;
};
/* ERR_INPUT: not such a table; nothing that both have; a row of one is several of the other. compare_release in any
 * case. */
enum status compare_tables(struct compare *out, const struct compare_request *q, struct error *e) MUST_CHECK;
void compare_release(struct compare *c);

/* (after - before) / before in percent; NAN: before is 0. */
double compare_percent(const struct compare_row *r);
const char *compare_change_name(enum compare_change c); /* "slower" */

/* format: text, csv, json or markdown; all: rows that are the same, too; path "-": standard output. */
enum status compare_print(const struct compare *c, const char *format, bool all, const char *path,
                          struct error *e) MUST_CHECK;

#endif
