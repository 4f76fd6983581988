/*
 * compiled_miss.h - what the misses that a profile has (irprof's --memory) cost on a board's model. Internal to the
 * method compiled.
 *
 * A load that may go anywhere waits for its line. Lines that follow each other are fetched ahead, and stores wait in
 * their buffer: these cost time only as far as lines come in more slowly than the loop around them goes on. Loads that
 * may go anywhere and miss as often as if they went from line to line, do.
 */
#ifndef SHIMGEN_ESTIMATE_COMPILED_COMPILED_MISS_H
#define SHIMGEN_ESTIMATE_COMPILED_COMPILED_MISS_H

#include <stdbool.h>

#include "sim/core/core_model.h"
#include "irprof/irprof.h"

/* Accesses of a part that can miss, weighed as in step_costs. */
struct miss_accesses {
    double near_loads, far_loads, stores;
    double far_bytes; /* that the far loads read */
    double waits;     /* of the far loads: those waited for when all miss */
    double misses;    /* used inside */
};
/* What is to be taken of the misses. */
enum miss_case {
    MISS_COLD, /* all of them */
    MISS_WARM, /* what fits into a cache has been in it before */
    MISS_WORST /* all, and each is waited for: no stream is seen, nothing hides another */
};
/* Adds up in cycles[p->n_parts] what misses cost. `plain`: [p->n_parts] cycles without them. False: the profile has no
 * misses (it was not recorded with --memory). `memory`: [p->n_parts] how much of it lines from memory cost, all else being
 * the second level's; NULL: nobody asks. */
bool miss_costs(double *cycles, double *memory, const struct irprof_profile *p, const struct irprof_region *region,
                const struct miss_accesses *accesses, const double *plain, const struct iss_model *model,
                enum miss_case which);

#endif
