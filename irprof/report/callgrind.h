/*
 * callgrind.h - costs by function and line in callgrind's format, for KCachegrind,
 * QCachegrind and callgrind_annotate (docs/formats/callgrind.md; the format: valgrind's
 * manual, "Callgrind Format Specification"). What the costs are, the caller says: irprof
 * writes counts, shimgen cycles.
 */
#ifndef IRPROF_REPORT_CALLGRIND_H
#define IRPROF_REPORT_CALLGRIND_H

#include <stdio.h>

#include "irprof/irprof.h"

/* All borrowed. Texts are written on one line each. */
struct callgrind {
    const char *creator;      /* "irprof" */
    const char *program;      /* its name */
    const char *const *about; /* what is said of the costs, NULL-terminated */
    const struct irprof_profile *profile;
    bool mangled;  /* names of C++ functions as the linker has them */
    size_t region; /* index; a usable one */
    size_t n_costs;
    const char *const *names;  /* of each cost, without spaces: "Ir" */
    const char *const *titles; /* of each cost, for people; NULL: it has none */
    const uint64_t *parts;     /* what each part of the profile cost in the region: n_parts times n_costs numbers. Their
                                  sums fit in 64 bits */
};
void irprof_callgrind(const struct callgrind *c, FILE *f);

#endif
