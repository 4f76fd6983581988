/* target.h - what fuzz targets share. */
#ifndef FUZZ_TARGET_H
#define FUZZ_TARGET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "tests/fuzz/fuzz.h"

/* A path in a folder that vanishes at the end; the caller frees. */
char *target_path(const char *name);
/* Writes a file there; the caller frees its path. */
char *target_file(const char *name, const void *bytes, size_t n);
/* True: it was read. What was refused has a reason, whose text steers no terminal; else the program ends. Releases e.
 */
bool target_passed(enum status s, struct error *e);
/* Both files are there and have the same bytes; else the program ends: `what` says of what. */
void target_same(const char *a, const char *b, const char *what);

#endif
