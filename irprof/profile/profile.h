/*
 * profile.h - shared by the files of the reader: description.c parses the description of a module, counter_values.c computes
 * counts, profile.c builds an irprof_profile. Internal to irprof.
 */
#ifndef IRPROF_PROFILE_PROFILE_H
#define IRPROF_PROFILE_PROFILE_H

#include "base/alloc.h"
#include "base/map.h"
#include "irprof/profile/container.h"
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

/* An event count: `times` times its value. */
struct profile_event_site {
    bool own;     /* has a value of its own; else its segment's */
    size_t value; /* when own */
    uint32_t times;
};
struct profile_loop {
    size_t iterations, repeats;
};
/* Which value says it, in the module of the thing that is counted; parallel to the profile's arrays. */
struct profile_counted {
    VEC(size_t) segments;
    VEC(size_t) edges;
    VEC(struct profile_event_site) event_sites;
    VEC(struct profile_loop) loops;
};
/* A function that is called: one of the profile's, or a name. */
struct profile_callee {
    uint32_t function; /* IRPROF_NONE: by name */
    uint32_t name;     /* in `callees` of the builder; when by name */
};

/* The profile in the making. */
struct profile_builder {
    const char *path;
    size_t description_bytes; /* of all modules; no array can have more elements */
    struct map keys, files, events, callees;
    VEC(char *) checksums; /* owned; of each file, as in irprof_profile */
    VEC(struct irprof_module) modules;
    VEC(struct irprof_function) functions;
    VEC(struct irprof_segment) segments;
    VEC(struct irprof_part) parts;
    VEC(struct irprof_item) items;
    VEC(struct irprof_instruction) instructions;
    VEC(struct irprof_operand) operands;
    VEC(struct irprof_access) accesses;
    VEC(struct irprof_base) bases;
    VEC(struct irprof_event_site) event_sites;
    VEC(struct irprof_edge) edges;
    VEC(struct irprof_loop) loops;
    VEC(struct irprof_call) calls;
    VEC(struct profile_callee) called; /* of each call */
    VEC(struct profile_values) values; /* of each module */
    struct profile_counted counted;
};

/* Takes in one module. ERR_INPUT: its description is not what the format says. */
enum status description_parse(struct profile_builder *b, const struct container_module *m, struct error *e) MUST_CHECK;

/* Fills the regions of *p, whose other arrays are complete. ERR_INPUT: the counts do not fit. */
enum status values_fill_regions(struct irprof_profile *p, const struct profile_builder *b, const struct container *c,
                                struct error *e) MUST_CHECK;

/* What these counts of all counters mean, as a region called "window". */
void values_fill_window(const struct irprof_profile *p, const struct profile_builder *b, const struct container *c,
                        const uint64_t *counts, struct irprof_region *out);

/* After it, keys, events and parts complete: ERR_INPUT where counts are there that no run can have. */
enum status plausible_check(const struct irprof_profile *p, const struct profile_builder *b, const struct container *c,
                            struct error *e) MUST_CHECK;

#endif
