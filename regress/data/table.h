/* table.h - what the solvers see: counts of variables per row of the data. */
#ifndef REGRESS_DATA_TABLE_H
#define REGRESS_DATA_TABLE_H

#include "regress/regress.h"

struct table {
    const struct regress_data *data; /* borrowed */
    struct regress_classes *classes; /* owned; `each` rules written out for the keys of the data */
    size_t n, p;                     /* rows of the data, variables */
    double *counts;                  /* n x p, row by row; rows that were not asked for are 0 */
    bool *is_key;                    /* per column: rules apply to it */
    size_t *variable_of;             /* per column; REGRESS_NONE: not a key, ignored, or (when lenient) unknown */
};

/* `target` is never a key, nor are cycles. rows NULL: all. lenient: a key that no rule matches is no fault as long as
 * its count is 0 (for predictions). ERR_INPUT: a key without a rule, a negative count of a key (where the
 * classification sees keys only). ERR_UNSUPPORTED, these data do not have what it needs: an event of its formulas is
 * missing (all of them are named), or a formula divides by zero in a row (it is named). table_free the result. */
enum status table_make(struct table **out, const struct regress_data *d, const struct regress_classes *c,
                       const char *target, const struct regress_rows *rows, bool lenient, struct error *e) MUST_CHECK;
void table_free(struct table *t);

#endif
