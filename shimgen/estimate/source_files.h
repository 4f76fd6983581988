/* source_files.h - the sources of a profile: where they are now, and whether they are what was compiled. Internal to
 * estimate, and of what stands above it.
 */
#ifndef SHIMGEN_ESTIMATE_SOURCE_FILES_H
#define SHIMGEN_ESTIMATE_SOURCE_FILES_H

#include "base/error.h"
#include "irprof/irprof.h"

/* Where the file is: below `folder` by as much of its path as leads to a file, else as it was; NULL: not there. folder
 * may be NULL. The caller frees. */
char *source_find(const char *path, const char *folder);

/* The path without ".", ".." after a folder, and double slashes: two that name one file are equal then. The caller frees. */
char *source_plain(const char *path);
/* So many parts at the end of both paths are the same: 1: only the file's name. */
size_t source_common(const char *a, const char *b);

enum source_state {
    SOURCE_SAME,    /* byte for byte what was compiled */
    SOURCE_CHANGED, /* it is not */
    SOURCE_MIXED,   /* parts of the program were compiled from different states of it */
    SOURCE_NEWER,   /* the profile has no checksum of it; it was written after the profile */
    SOURCE_UNKNOWN  /* nor was it */
};
/* Of the profile's file with this number, which is at `path` now. ERR_SYSTEM: it cannot be read. */
enum status source_compare(enum source_state *state, const struct irprof_profile *p, size_t file, const char *path,
                           struct error *e) MUST_CHECK;

#endif
