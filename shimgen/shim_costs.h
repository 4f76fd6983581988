/* shim_costs.h - the instruction costs of a core, from a SHIM file. */
#ifndef SHIMGEN_SHIM_COSTS_H
#define SHIMGEN_SHIM_COSTS_H

#include "base/error.h"
#include "shimgen/estimate.h"

/* core: name or id of a MasterComponent; NULL: the first processing unit that has an instruction set. costs_release.
 * ERR_INPUT: no such core (the message names those there are), no instruction set. */
enum status costs_from_shim(struct costs *out, const char *path, const char *core, struct error *e) MUST_CHECK;

#endif
