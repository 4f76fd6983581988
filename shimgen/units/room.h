/* room.h - room on the disk for what a build writes: asked before it starts and while it runs. */
#ifndef SHIMGEN_UNITS_ROOM_H
#define SHIMGEN_UNITS_ROOM_H

#include <stdint.h>

#include "base/error.h"

/* Left for the files that come last: SHIM files, tables, the report [bytes]. */
#define ROOM_RESERVE ((uint64_t)8 << 20)

/* ERR_SYSTEM, with what to do: less than `needed` bytes and the reserve are free where `folder` is (or is to be), or
 * nothing can be written there. */
enum status room_check(const char *folder, uint64_t needed, struct error *e) MUST_CHECK;
/* Of all files below it [bytes]; 0: it is not there. */
uint64_t room_used(const char *folder);
/* "12 MB", "1.3 GB"; the caller frees. */
char *room_text(uint64_t bytes);

#endif
