/* coverage_print.h - a coverage as text, CSV or JSON (docs/formats/coverage.md). */
#ifndef SHIMGEN_COVERAGE_COVERAGE_PRINT_H
#define SHIMGEN_COVERAGE_COVERAGE_PRINT_H

#include "shimgen/coverage/sample_coverage.h"

/* What is said about the table besides. */
struct coverage_about {
    const char *data;    /* its path */
    const char *classes; /* name of the classification */
    bool keys;           /* text: every key, too */
    bool pool;           /* a pool was given */
};
/* format: text, csv, json. path "-": standard output. */
enum status coverage_print(const struct coverage *c, const struct coverage_about *about, const char *format,
                           const char *path, struct error *e) MUST_CHECK;

#endif
