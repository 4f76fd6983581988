/* shim_simulated.h - what is simulated of a core while a program is counted, as its SHIM file says. */
#ifndef SHIMGEN_SHIM_SIMULATED_H
#define SHIMGEN_SHIM_SIMULATED_H

#include "base/error.h"
#include "boards/boards.h"

/* Where neither the command nor the SHIM file says which predictor. */
#define PREDICTOR_DEFAULT "gshare:12:8"

/* Adds --branches and --switches where the file's annotations say them. ERR_INPUT: such a predictor cannot be. */
enum status shim_predictor(struct board_args *list, const char *shim, struct error *e) MUST_CHECK;
/* Adds the caches of a core (NULL: as shim_core chooses), its prefetcher and its predictor (else PREDICTOR_DEFAULT).
 * Caches that cannot be told are left out, and *why says so (the caller frees; NULL: all is known); if `strict` that is
 * ERR_INPUT. */
enum status shim_simulated(struct board_args *list, const char *shim, const char *core, bool strict, char **why,
                           struct error *e) MUST_CHECK;

#endif
