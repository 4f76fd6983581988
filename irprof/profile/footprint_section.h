/* footprint_section.h - the part of a profile file that has what bytes functions touch (struct irprof_footprint). Internal
 * to irprof. */
#ifndef IRPROF_PROFILE_FOOTPRINT_SECTION_H
#define IRPROF_PROFILE_FOOTPRINT_SECTION_H

#include "base/alloc.h"
#include "irprof/profile/windows_section.h"

enum { FOOT_TOUCHED, FOOT_WRITTEN, FOOT_NEEDED, FOOT_LEFT, FOOT_BYTES };
struct container_foot_row {
    size_t module;     /* of the container */
    uint32_t function; /* number in its description */
    uint64_t bytes[FOOT_BYTES];
};
struct container_footprint {
    uint32_t flaws;
    VEC(struct container_foot_row) rows; /* no two of one function */
};

/* NULL: it is right; otherwise what is wrong with it. footprint_free *out in any case. slots: modules as they stand in
 * the file. */
const char *footprint_read(struct container_footprint **out, struct cursor *at, const struct container_slot *slots,
                           size_t n_slots);
void footprint_free(struct container_footprint *f); /* NULL is allowed */
/* The bytes of the file; NULL: none. */
uint64_t footprint_size(const struct container_footprint *f);
void footprint_format(struct str *out, const struct container_footprint *f);
/* Adds that of another run; to[i]: which module here module i of the other is. False: the sums do not fit. */
bool footprint_add(struct container_footprint **into, const struct container_footprint *from, const size_t *to);
/* Sets p->footprint; its functions are there. ERR_INPUT: one is not. */
enum status footprint_adopt(struct irprof_profile *p, const struct container_footprint *f, struct error *e) MUST_CHECK;

#endif
