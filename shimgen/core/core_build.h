/* core_build.h - a SHIM file for a core that only a model file describes: no board, no run. */
#ifndef SHIMGEN_CORE_CORE_BUILD_H
#define SHIMGEN_CORE_CORE_BUILD_H

#include <stddef.h>

#include "base/error.h"

/* Makes <folder>/NAME.shim.xml and micro.csv (folder NULL: out/NAME; NAME: of the model file), and prints them with what
 * they rest on. */
enum status core_build(const char *core, const char *folder, size_t workers, struct error *e) MUST_CHECK;

#endif
