/* costs_method.c - which of a SHIM file's values a method takes: costs of counts, or times with their factors. */
#include "shimgen/estimate/costs_method.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "shim-xml/shimxml.h"
#include "shimgen/estimate/schedule/schedule_factors.h"

static const char *behind(const char *name, const char *prefix)
{
    size_t n = strlen(prefix);
    return strncmp(name, prefix, n) == 0 ? name + n : 0;
}

static bool has_fitted(const struct costs *c)
{
    for (size_t i = 0; i < c->names.n; i++)
        if (behind(c->names.keys[i], SHIMXML_FITTED))
            return true;
    return false;
}

/* Those for counts by their plain names, or all others but the factors. */
static void take(struct costs *to, const struct costs *from, bool fitted)
{
    for (size_t i = 0; i < from->names.n; i++) {
        const char *name = from->names.keys[i], *plain = behind(name, SHIMXML_FITTED);
        if (fitted ? plain != 0 : !plain && !behind(name, SHIMXML_FACTOR))
            costs_add(to, fitted ? plain : name, from->pitch[i], from->latency[i]);
    }
}

/* False: the file has none. One that is not there is 1. */
static bool read_factors(double *by, const struct costs *c)
{
    bool any = false;
    for (size_t k = 0; k < SCHEDULE_FACTORS; k++) {
        char *name = schedule_factor_instruction(k);
        size_t i;
        bool there = map_get(&c->names, name, &i);
        by[k] = there ? c->latency[i].typical : 1;
        any |= there;
        free(name);
    }
    return any;
}

static void scale(struct costs *c, const double *by)
{
    struct costs from;
    schedule_say_misprediction(c);
    costs_copy(&from, c);
    schedule_scale(c, &from, by);
    costs_release(&from);
}

void costs_take_for(struct costs *c, const char *method)
{
    double by[SCHEDULE_FACTORS];
    bool counts = method && (strcmp(method, "sum") == 0 || strcmp(method, "operand") == 0);
    c->has_fitted = has_fitted(c);
    bool fitted = counts && c->has_fitted, scaled = read_factors(by, c) && !counts;
    struct costs all = *c;
    c->names = (struct map){0};
    c->pitch = c->latency = 0;
    take(c, &all, fitted);
    map_release(&all.names);
    free(all.pitch);
    free(all.latency);
    if (scaled)
        scale(c, by);
}
