/* ports.h - which ports of a core are occupied in which cycles, from now on to some thousand cycles ahead. */
#ifndef SIM_CORE_PORTS_H
#define SIM_CORE_PORTS_H

#include "sim/core/core_model.h"

enum { PORTS_AHEAD = 4096 };

struct ports {
    uint64_t taken[ISS_PORTS][PORTS_AHEAD / 64]; /* a ring, a bit for each cycle */
    uint64_t used[ISS_PORTS];                    /* operations so far */
    int64_t now;                                 /* a multiple of 64; what is before it is forgotten */
};
/* No operation will begin before `cycle` any more. */
void ports_advance(struct ports *p, int64_t cycle);
/* An operation takes the first cycles, `at` or later, in which a port of its own is free as long as it needs it; of
 * several ports the one that has been used least. The cycle in which it begins; beyond PORTS_AHEAD all are free. */
int64_t ports_take(struct ports *p, const struct iss_use *use, int64_t at);

#endif
