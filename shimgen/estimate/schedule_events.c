/* What the values of instructions do not hold: misses of caches and mispredicted branches, where the profile has them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#include "shimgen/estimate/schedule.h"

/* A core that begins again with the right instructions loses so many additions' time, where the file does not show it.
 */
static const double lost_in_order = 7, lost_ahead = 14;

/* How much longer a conditional branch takes at worst; that is one that was mispredicted, if it is long. */
double schedule_misprediction(const struct costs *c)
{
    size_t br, add;
    double known = map_get(&c->names, "br", &br) ? c->latency[br].worst - c->latency[br].typical : 0;
    double times = costs_goes_ahead(c) ? lost_ahead : lost_in_order;
    double usual = map_get(&c->names, "add", &add) ? c->latency[add].typical * times : 0;
    return known > usual / 4 ? known : usual;
}

void schedule_events(struct estimate *out, const struct schedule *s)
{
    static const char *const names[] = {"L1D_CACHE_REFILL", "L2D_CACHE_REFILL", "BR_MIS_PRED"};
    const struct irprof_profile *p = s->p;
    const struct costs *costs = out->costs;
    struct cycles each[3] = {{0}}, streams[3] = {{0}};
    bool there[3] = {false};
    for (size_t k = 0; k < costs->n_refills; k++) {
        each[k] = costs->refills[k];
        streams[k] = costs->streams[k];
    }
    double lost = schedule_misprediction(costs);
    each[2] = (struct cycles){lost, lost, lost};
    float *waiting = xcalloc(p->n_parts, sizeof *waiting);
    schedule_misses(s, waiting);
    for (size_t e = 0; e < p->n_events; e++)
        for (size_t k = 0; k < 3; k++)
            there[k] |= strcmp(p->events[e], names[k]) == 0;
    for (size_t i = 0; i < p->n_parts; i++)
        for (size_t h = p->parts[i].first_happening; h < p->parts[i].first_happening + p->parts[i].n_happenings; h++)
            for (size_t k = 0; k < 3; k++)
                if (strcmp(p->events[p->happenings[h].event], names[k]) == 0) {
                    double waits = k == 2 ? 1 : (double)waiting[i], times = (double)s->region->happened[h];
                    cycles_add(&out->parts[i], &each[k], times * waits);
                    cycles_add(&out->parts[i], &streams[k], times * (1 - waits));
                }
    free(waiting);
    if (!there[0])
        estimate_note(
            out, "cache misses are not in the profile, hence not in the estimate: 'shimgen profile' simulates the SHIM "
                 "file's caches");
    else if (!costs->n_refills)
        estimate_note(out, "the SHIM file does not say what cache misses cost: they are not in the estimate");
    if (!there[2])
        estimate_note(out, "mispredicted branches are not in the profile, hence not in the estimate: 'shimgen profile "
                           "--branches gshare:12:8' simulates them");
}
