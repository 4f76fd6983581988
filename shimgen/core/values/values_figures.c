/* values_figures.c - what a SHIM file tells of a core beside its instructions: branches, caches, memory. */
#include <math.h>
#include <string.h>

#include "shimgen/core/values/values.h"

/* NAN: the SHIM file does not say. */
static double cache_figure(const struct shimxml_cache *c, const char *key)
{
    double found = !c                         ? 0
                   : strcmp(key, "size") == 0 ? c->bytes
                   : strcmp(key, "ways") == 0 ? (double)c->ways
                   : strcmp(key, "line") == 0 ? (double)c->line
                                              : 0;
    return found > 0 ? found : NAN;
}

static const struct shimxml_cache *instruction_cache(const struct values *v)
{
    for (size_t i = 0; i < v->system->n_caches; i++)
        if (v->system->caches[i].core == v->core && strcmp(v->system->caches[i].type, "INSTRUCTION") == 0)
            return &v->system->caches[i];
    return NULL;
}

/* Branches that random numbers decide: half of them are mispredicted, and half of them execute what they are across.
 * What decides was just computed, so that such a branch is executed as late as it can be. */
static double misprediction(const struct values *v)
{
    struct value far;
    const struct costs *c = &v->costs;
    size_t br;
    if (!costs_has(c, IR_BR, &br) || c->latency[br].worst <= c->latency[br].typical)
        return NAN;
    double random = value_named(&far, v, "br.cond:far") ? far.pitch - v->issue / 2 : c->latency[br].worst;
    return fmax(1, round(2 * (random - c->latency[br].typical)) - v->branch_late);
}

/* A load of what was just stored: the store's Latency is from store to load to store. */
static double forwarding(const struct values *v)
{
    struct value store;
    return value_named(&store, v, "store.i64 store") ? fmax(0, round(store.latency) - v->load_to_data) : NAN;
}

enum { INSTRUCTION_SIZE = 4 }; /* [bytes] the longest of the targets in order */

/* Cycles of a call by this way and its return, measured in pairs of which each has half. */
static double both_ways(const struct values *v, const char *names)
{
    struct value half;
    return value_named(&half, v, names) ? 2 * half.latency : NAN;
}

/* A loop's branch is taken again and again. Instructions are assumed to be fetched as fast as they can issue, and jumps
 * through a register to take as long as the mean of a call and a return. */
static double fetch_figure(const struct values *v, const char *key)
{
    struct value jump, again;
    double call = both_ways(v, "call.direct call"), through = both_ways(v, "call.indirect");
    double taken = value_named(&jump, v, "br.cond:taken") ? round(jump.pitch) : round(call / 2);
    double back = fmax(1, round(call - taken));
    if (strcmp(key, "mispredicted") == 0)
        return misprediction(v);
    if (strcmp(key, "bytes") == 0)
        return INSTRUCTION_SIZE * v->width;
    if (strcmp(key, "same_taken") == 0)
        return value_named(&again, v, "br") ? round(again.latency) : NAN;
    return strcmp(key, "taken") == 0           ? taken
           : strcmp(key, "return") == 0        ? back
           : strcmp(key, "jump_register") == 0 ? round(through / 2)
           : strcmp(key, "call_register") == 0 ? fmax(1, round(through - back))
                                               : NAN;
}

/* As many lines are underway as arrive while the core waits for one. */
static double data_figure(const struct values *v, const char *key)
{
    const struct costs *c = &v->costs;
    if (strcmp(key, "forward") == 0 || strcmp(key, "forward_wide") == 0)
        return forwarding(v);
    bool known = strcmp(key, "outstanding") == 0 && c->n_refills > 1 && c->streams[1].typical > 0;
    return known ? fmax(1, round(c->refills[1].typical / c->streams[1].typical)) : NAN;
}

static double level_figure(const struct values *v, const char *section, const char *key)
{
    const struct costs *c = &v->costs;
    const struct shimxml_cache *first = shimxml_next_cache(v->system, v->core, 0);
    const struct shimxml_cache *second = first ? shimxml_next_cache(v->system, v->core, first) : NULL;
    bool latency = strcmp(key, "latency") == 0, pitch = strcmp(key, "pitch") == 0;
    if (strcmp(section, "l1d") == 0)
        return latency ? 0 : cache_figure(first, key);
    if (strcmp(section, "l2") == 0 && (latency || pitch))
        return c->n_refills ? fmax(1, round((latency ? c->refills : c->streams)[0].typical)) : NAN;
    if (strcmp(section, "l2") == 0)
        return cache_figure(second, key);
    if (strcmp(section, "memory") == 0 && c->n_refills > 1 && c->clock_hz > 0)
        return (strcmp(key, "latency_ns") == 0 ? c->refills : c->streams)[1].typical / c->clock_hz * 1e9;
    return NAN;
}

double core_values_figure(const struct values *v, const char *section, const char *key)
{
    if (strcmp(key, "clock_hz") == 0)
        return v->costs.clock_hz > 0 ? v->costs.clock_hz : NAN;
    if (strcmp(section, "fetch") == 0)
        return fetch_figure(v, key);
    if (strcmp(section, "data") == 0)
        return data_figure(v, key);
    if (strcmp(section, "l1i") == 0)
        return cache_figure(instruction_cache(v), key);
    return level_figure(v, section, key);
}
