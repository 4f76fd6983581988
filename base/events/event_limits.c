/* event_limits.c - limits that event counts must keep relative to each other. */
#include "base/events/event_limits.h"

#include <math.h>
#include <stddef.h>

#include "base/alloc.h"

/* `event` is at most `times` x `per` + `apart`. The summand is needed because the cost of measuring is subtracted from
 * each count separately. The factor is needed because a prefetcher, or an instruction that clears a block, brings
 * several lines with one access. No core retires as many instructions in a cycle. */
static const struct {
    const char *event, *per;
    double times;
    const char *why;
} limits[] = {
    {"L1D_CACHE_REFILL", "L1D_CACHE", 8, "an access refills 8 lines at most"},
    {"L2D_CACHE_REFILL", "L2D_CACHE", 8, "an access refills 8 lines at most"},
    {"L1D_CACHE_REFILL", "CPU_CYCLES", 4, "a cycle refills 4 lines at most"},
    {"L2D_CACHE_REFILL", "CPU_CYCLES", 4, "a cycle refills 4 lines at most"},
    {"BR_MIS_PRED", "CPU_CYCLES", 1, "a cycle has one misprediction at most"},
    {"INST_RETIRED", "CPU_CYCLES", 16, "a cycle retires 16 instructions at most"},
};
enum { APART = 4096 };

static const char *const counted[] = {"CPU_CYCLES", "INST_RETIRED",     "L1D_CACHE",  "L1D_CACHE_REFILL",
                                      "L2D_CACHE",  "L2D_CACHE_REFILL", "BR_MIS_PRED"};

char *event_limits_broken(event_count_fn *count, const void *context)
{
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) {
        double n = count(context, counted[i]);
        if (n > EVENT_MOST)
            return xasprintf("%.15g %s: more than any run can have", n, counted[i]);
    }
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        double n = count(context, limits[i].event), per = count(context, limits[i].per);
        if (n > limits[i].times * per + APART) /* false if one of the two is unknown (NaN) */
            return xasprintf("%.15g %s, but %.15g %s: %s", n, limits[i].event, per, limits[i].per, limits[i].why);
    }
    return NULL;
}
