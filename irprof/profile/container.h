/*
 * container.h - a profile file taken apart, without looking into the descriptions:
 * modules with their counters, regions with theirs. What irprof.h's reader and
 * `irprof merge` are made of. Internal to irprof.
 */
#ifndef IRPROF_PROFILE_CONTAINER_H
#define IRPROF_PROFILE_CONTAINER_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"
#include "irprof/irprof.h"

struct container_module {
    uint64_t build_id;
    const unsigned char *description; /* borrowed from the bytes parsed */
    size_t description_size;
    size_t first_counter; /* of the module, in the arrays of counts */
    size_t n_counters;
};
struct container_region {
    char *name; /* owned */
    uint32_t flaws;
    uint64_t entries;
    uint64_t *counts; /* owned; n_counters */
};
/* What bytes functions touch (footprint_section.h). */
struct container_footprint;
/* The run in windows (windows_section.h). */
struct container_windows;
struct container {
    const char *path; /* borrowed; for messages */
    struct str bytes; /* owned */
    char *program;    /* owned */
    uint32_t end, end_signal;
    uint32_t once; /* enum format_once; of merged runs one of theirs */
    uint64_t runs;
    struct container_module *modules; /* no two with the same build id: a module loaded twice is added up */
    size_t n_modules;
    uint64_t *counts; /* of the whole run; n_counters */
    size_t n_counters;
    struct container_region *regions;
    size_t n_regions;
    struct irprof_traffic *traffic;        /* owned; NULL: none */
    struct container_windows *windows;     /* owned; NULL: none */
    struct container_footprint *footprint; /* owned; NULL: none */
};

/* Checks length, marks, checksum, build ids and all sizes. Takes `bytes` over, also on failure; `path` is borrowed.
 * container_release *c. */
enum status container_parse(struct container *c, struct str *bytes, const char *path, struct error *e) MUST_CHECK;
enum status container_read(struct container *c, const char *path, struct error *e) MUST_CHECK;
void container_release(struct container *c);

/* Adds the runs in `from` to `into`. ERR_INPUT: another program or build, or a sum that does not fit. */
enum status container_add(struct container *into, const struct container *from, struct error *e) MUST_CHECK;

/* The bytes of the file. */
void container_format(struct str *out, const struct container *c);

#endif
