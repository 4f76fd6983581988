/*
 * columns.h - columns that describe the data flow of a region, besides the counts of keys (docs/formats/dataset.md,
 * docs/method/dataflow.md). Internal to irprof.
 */
#ifndef IRPROF_REPORT_COLUMNS_H
#define IRPROF_REPORT_COLUMNS_H

#include "irprof/irprof.h"

enum { COLUMNS_MAX = 40 };

/* NULL past the last. Static. */
const char *columns_name(size_t i);
/* Into values[COLUMNS_MAX], in the order of the names. */
void columns_count(const struct irprof_profile *p, size_t region, uint64_t *values);

#endif
