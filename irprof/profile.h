/*
 * profile.h - what the reader's two halves share: profile.c puts an irprof_profile
 * together, description.c takes one module's description apart. Internal to irprof.
 */
#ifndef IRPROF_PROFILE_H
#define IRPROF_PROFILE_H

#include "base/alloc.h"
#include "base/map.h"
#include "irprof/container.h"
#include "irprof/irprof.h"

/* A value that follows from earlier ones (docs/formats/profile.md). */
struct profile_term {
    size_t value;
    bool negative;
};
struct profile_derived {
    size_t first_term, n_terms;
};
/* The values of one module. */
struct profile_values {
    size_t n_counters;
    VEC(struct profile_derived) derived;
    VEC(struct profile_term) terms;
};

/* The profile in the making. */
struct profile_builder {
    const char *path;
    struct map keys, files;
    VEC(struct irprof_module) modules;
    VEC(struct irprof_function) functions;
    VEC(struct irprof_segment) segments;
    VEC(struct irprof_part) parts;
    VEC(struct irprof_item) items;
    VEC(size_t) values; /* of each segment: the number of the value that counts it, in its module */
    VEC(struct profile_values) module_values;
};

/* Takes in one module. ERR_INPUT: its description is not what the format says. */
enum status description_parse(struct profile_builder *b, const struct container_module *m, struct error *e) MUST_CHECK;

#endif
