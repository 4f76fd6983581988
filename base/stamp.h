/*
 * stamp.h - a small file beside what a step has made: a hash of what it was made of, and one
 * of each thing made. While all of them hold the step can be skipped. Inputs that have
 * changed, and a made file that was damaged since, are told apart.
 *
 * The text: the inputs' hash in 16 hexadecimal digits, then a line for each thing made:
 * its hash, a blank and its name. A file that is not there has '-' in place of a hash.
 */
#ifndef BASE_STAMP_H
#define BASE_STAMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct stamp_made {
    const char *name; /* borrowed; without a line break */
    uint64_t hash;
    bool there; /* false: the step made none */
};
/* A file that was made, as it is now. `path` is borrowed; its last part is the name. */
struct stamp_made stamp_made_of(const char *path);

enum stamp_state {
    STAMP_STALE,   /* there is none, or it is of other inputs */
    STAMP_DAMAGED, /* the inputs are the same, what was made is not what it was */
    STAMP_FRESH
};
/* *damaged: the name of the first thing that is not what it was, borrowed from `made`; "" where it cannot be told; left
 * alone unless STAMP_DAMAGED is returned. damaged may be NULL. */
enum stamp_state stamp_check(const char *path, uint64_t inputs, const struct stamp_made *made, size_t n,
                             const char **damaged);
enum status stamp_write(const char *path, uint64_t inputs, const struct stamp_made *made, size_t n,
                        struct error *e) MUST_CHECK;

#endif
