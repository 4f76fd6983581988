/* wide_table.h - counts as one wide table: a row per program and region, a column per key. Internal to irprof. */
#ifndef IRPROF_REPORT_WIDE_TABLE_H
#define IRPROF_REPORT_WIDE_TABLE_H

#include <stdio.h>

#include "base/alloc.h"
#include "base/map.h"
#include "irprof/irprof.h"

/* Columns beside the keys (docs/formats/dataset.md). */
struct table_extras {
    bool branches;   /* branch.taken, branch.not_taken, branch.case, branch.default (of switches) */
    bool loops;      /* loop.entries, loop.iterations */
    bool dataflow;   /* near.*, folded.*, constant.*, chain.*: columns.h */
    bool events;     /* each by its name; a row whose profile did not record it has an empty cell */
    bool sizes;      /* SIZE_memcpy ...: likewise */
    bool predictors; /* the events of further predictors (BR_MIS_PRED:...), too */
};
struct table {
    struct table_extras extras;
    struct map columns; /* in the order they were met */
    struct map names;   /* "program\nregion" of all rows */
    VEC(struct table_row) rows;
};

void table_init(struct table *t, const struct table_extras *extras);
void table_release(struct table *t);
/* Adds a row. `program` and the profile are borrowed until the table is written. ERR_INPUT: the region's counts cannot
 * be used, or there is such a row already. */
enum status table_add(struct table *t, const char *program, const struct irprof_profile *p, size_t region,
                      struct error *e) MUST_CHECK;
/* CSV; columns in the order of their names: events, which are in capitals, come first. */
void table_write(const struct table *t, FILE *f);

#endif
