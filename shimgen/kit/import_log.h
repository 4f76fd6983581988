/* import_log.h - shimgen board import-log: the text of a kit, as measurements.csv. */
#ifndef SHIMGEN_KIT_IMPORT_LOG_H
#define SHIMGEN_KIT_IMPORT_LOG_H

#include <stddef.h>

#include "base/error.h"

struct import_order {
    const char *const *logs; /* paths */
    size_t n;
    const char *out;  /* of the table; beside it, as NAME.conditions.json, its conditions */
    const char *part; /* ID of the part whose lines are taken; NULL: there is one */
};
/* Prints what came, what was repaired and what is still missing. Nothing is written on an error. */
enum status import_log(const struct import_order *o, struct error *e) MUST_CHECK;

#endif
