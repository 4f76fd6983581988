/* shim_simulated.h - what is simulated of a core while a program is counted, as its SHIM file says. */
#ifndef SHIMGEN_PROFILE_SHIM_SIMULATED_H
#define SHIMGEN_PROFILE_SHIM_SIMULATED_H

#include "base/error.h"
#include "boards/boards.h"
#include "sim/cache/cache.h"

/* Where neither the command nor the SHIM file says which predictor. */
#define PREDICTOR_DEFAULT "gshare:12:8"

/* What the annotations of a SHIM file say, each checked: owned; NULL: nothing. */
struct shim_said {
    char *predictor, *switches, *prefetcher, *spills; /* as options of irprof instrument take them */
    enum sim_replacement l1d, l2;                     /* of the caches; SIM_LRU where nothing is said */
};
/* Of this core (NULL: the first that has instructions). ERR_INPUT: such a predictor or policy cannot be. */
enum status shim_said_read(struct shim_said *out, const char *shim, const char *core, struct error *e) MUST_CHECK;
void shim_said_release(struct shim_said *s);

/* Adds the caches of a core (NULL: as shim_core chooses), its prefetcher, its predictor (else PREDICTOR_DEFAULT), and
 * the target whose spills are counted: the options that the values of the file were fitted with. Caches that cannot be
 * told are left out, and *why says so (the caller frees; NULL: all is known); if `strict` that is ERR_INPUT. */
enum status shim_simulated(struct board_args *list, const char *shim, const char *core, bool strict, char **why,
                           struct error *e) MUST_CHECK;

#endif
