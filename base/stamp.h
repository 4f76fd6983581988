/*
 * stamp.h - stamps: a small file that records a hash of a step's inputs and a hash of each file the step made. While
 * all of them match, the step can be skipped. Changed inputs and damaged results are told apart.
 *
 * The text: the inputs' hash in 16 hexadecimal digits, then a line for each result: hash, space, name. A file that does
 * not exist has '-' instead of a hash.
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
    bool there; /* false: the file does not exist */
};
/* A result as it is now. `path` is borrowed; its last part is the name. */
struct stamp_made stamp_made_of(const char *path);

enum stamp_state {
    STAMP_STALE,   /* no stamp, or one of other inputs */
    STAMP_DAMAGED, /* same inputs, but a result has changed since */
    STAMP_FRESH
};
/* Compares a stamp with inputs and results. If STAMP_DAMAGED is returned, *damaged is the name of the first changed
 * result, borrowed from `made`; "" if it cannot be told. damaged may be NULL. */
enum stamp_state stamp_check(const char *path, uint64_t inputs, const struct stamp_made *made, size_t n,
                             const char **damaged);
enum status stamp_write(const char *path, uint64_t inputs, const struct stamp_made *made, size_t n,
                        struct error *e) MUST_CHECK;

#endif
