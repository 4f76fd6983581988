/* print_estimate.h - the lines of estimates as text, CSV or JSON. */
#ifndef SHIMGEN_ESTIMATE_PRINT_ESTIMATE_H
#define SHIMGEN_ESTIMATE_PRINT_ESTIMATE_H

#include "base/alloc.h"
#include "shimgen/estimate/estimate.h"
#include "shimgen/estimate/intervals/trust.h"

/* A part of a program on one core. Texts are owned by whoever made the line. */
struct estimate_line {
    char *program, *region;
    char *what;     /* function, file:line, ..., or "" for the whole region */
    char *readable; /* the same, with the name that the function has in its source (C++); NULL: as `what` */
    size_t core;    /* index */
    uint64_t instructions;
    struct cycles cycles, with_callees;
    struct causes causes;  /* of cycles.typical */
    unsigned known_causes; /* as of the estimate */
    double share;          /* of the region's cycles */
    double low, high;      /* of cycles, by errors on programs left out (trust.h); NAN: not known */
    double level;          /* of that interval; 0: there is none */
};
typedef VEC(struct estimate_line) estimate_lines;

/* An instruction of a program that the core's model has no figures for (struct unmeasured). Owned texts. */
struct estimate_lack {
    char *program, *region;
    size_t core; /* index */
    struct unmeasured of;
};
typedef VEC(struct estimate_lack) estimate_lacks;
void estimate_lacks_add(estimate_lacks *lacks, const struct estimate *est, size_t core);
void estimate_lacks_release(estimate_lacks *lacks);

/* A line for each row of the estimate; trust: for the intervals. */
void estimate_lines_add(estimate_lines *lines, const struct estimate *est, size_t core, enum estimate_by by,
                        const struct trust *trust);
void estimate_lines_release(estimate_lines *lines);

struct estimate_table {
    estimate_lines lines; /* of a program and region, core by core; the largest first */
    estimate_lacks lacks; /* method compiled, in the same order */
    const struct costs *cores;
    size_t n_cores;
    const char *shim, *method;
    const char *kind; /* what a line is: "function", "line" ...; heads the CSV column */
    double level;     /* of the intervals; 0: there are none */
    bool ranges;      /* estimates by the SHIM file's best and worst values, too */
    bool mangled;     /* functions have the names that the linker has, without readable ones */
};

/* format: text, csv or json; path NULL or "-": standard output. */
enum status estimate_print(const struct estimate_table *t, const char *format, const char *path,
                           struct error *e) MUST_CHECK;

#endif
