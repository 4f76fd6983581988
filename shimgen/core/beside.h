/* beside.h - two model files of a core, figure by figure: what was measured, and what is known otherwise. */
#ifndef SHIMGEN_CORE_BESIDE_H
#define SHIMGEN_CORE_BESIDE_H

#include <stdio.h>

#include "base/error.h"

/* CSV of each figure that the first file tells with an interval, or says is not observable, and of those that only the
 * second one has; then, as lines with '#', how many are within their interval. ERR_INPUT: a file cannot be read, they
 * are of two architectures, or the first has no intervals. */
enum status core_beside(FILE *to, const char *path, const char *other, struct error *e) MUST_CHECK;

#endif
