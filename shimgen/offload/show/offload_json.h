/* offload_json.h - what is worth an accelerator as JSON (docs/formats/accelerator.md). */
#ifndef SHIMGEN_OFFLOAD_SHOW_OFFLOAD_JSON_H
#define SHIMGEN_OFFLOAD_SHOW_OFFLOAD_JSON_H

#include "shimgen/offload/offload.h"

enum status offload_json(const struct offload_print *p, const char *output, struct error *e) MUST_CHECK;

#endif
