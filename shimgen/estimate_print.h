/* estimate_print.h - the lines of an estimate as text, CSV or JSON. */
#ifndef SHIMGEN_ESTIMATE_PRINT_H
#define SHIMGEN_ESTIMATE_PRINT_H

#include "base/alloc.h"
#include "shimgen/estimate.h"

/* A part of a program. Texts are owned by whoever made the line. */
struct estimate_line {
    char *program, *region;
    char *what; /* function, file:line, or "" for the whole region */
    uint64_t instructions;
    struct cycles cycles;
    double share; /* of the region's cycles */
};
typedef VEC(struct estimate_line) estimate_lines;

/* format: text, csv or json; kind: what a line is ("function", "line", ...; heads the CSV column); path NULL or "-":
 * standard output. */
enum status estimate_print(const estimate_lines *lines, const struct costs *c, const char *shim, const char *format,
                           const char *kind, const char *path, struct error *e) MUST_CHECK;

#endif
