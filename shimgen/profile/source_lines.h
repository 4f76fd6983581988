/* source_lines.h - the source line of each machine instruction of an executable, from its debug information. */
#ifndef SHIMGEN_PROFILE_SOURCE_LINES_H
#define SHIMGEN_PROFILE_SOURCE_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct source_line {
    char *file;    /* owned; where it was written, also if it was inlined; NULL: not known */
    unsigned line; /* 0: the compiler made one instruction of several lines, or not known */
};
/* Of each address; out: n of them, to be released also after an error. ERR_SYSTEM: LLVM's symbolizer is not installed or
 * fails. */
enum status source_lines(struct source_line *out, const char *program, const uint64_t *addresses, size_t n,
                         struct error *e) MUST_CHECK;
void source_lines_release(struct source_line *lines, size_t n);

#endif
