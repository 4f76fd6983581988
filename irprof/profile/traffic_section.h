/* traffic_section.h - the part of a profile file that has the traffic between places of the source (struct irprof_traffic).
 * Internal to irprof. */
#ifndef IRPROF_PROFILE_TRAFFIC_SECTION_H
#define IRPROF_PROFILE_TRAFFIC_SECTION_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "irprof/irprof.h"

/* What is still to be read of a file. */
struct cursor {
    const char *at;
    size_t left;
};
/* The next n bytes; NULL: there are not so many. */
const char *cursor_take(struct cursor *c, uint64_t n);
uint32_t cursor_u32(const char *at);
uint64_t cursor_u64(const char *at);

/* NULL: it is right; otherwise what is wrong with it. traffic_free *out in any case. */
const char *traffic_read(struct irprof_traffic **out, struct cursor *c);
/* The bytes of the file; NULL: none. */
uint64_t traffic_size(const struct irprof_traffic *t);
void traffic_format(struct str *out, const struct irprof_traffic *t);
/* Adds that of another run; *into may be NULL. False: the sums do not fit. */
bool traffic_add(struct irprof_traffic **into, const struct irprof_traffic *from);
void traffic_free(struct irprof_traffic *t); /* NULL is allowed */

#endif
