/* result_private.h - names in the pack that a task leaves; between who writes and who reads it. */
#ifndef SHIMGEN_FARM_RESULT_PRIVATE_H
#define SHIMGEN_FARM_RESULT_PRIVATE_H

#include <stdbool.h>

#define RESULT_KIND       "task"
#define RESULT_ROWS       "measurements.csv"
#define RESULT_CONDITIONS "conditions.json"
#define RESULT_LOSSES     "losses.csv"
#define RESULT_UNITS      "units/"

/* A file of a unit's folder that belongs into a result: profile, IR, lists of headers, stamps of building and counting,
 * hashes of programs. */
bool result_wants(const char *file);

#endif
