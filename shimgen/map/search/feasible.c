/* feasible.c - is there any mapping that meets the demands? */
#include <math.h>
#include <stdlib.h>

#include "shimgen/map/search/search.h"

enum { TRIES_MOST = 200000 };

struct trying {
    const struct map_problem *p;
    size_t *core_of;
    size_t tries;
};

/* The next group: the one that fits on fewest cores, so that contradictions are found early. */
static size_t next_group(const struct trying *t, size_t *n_fits)
{
    size_t best = MAP_NONE;
    *n_fits = MAP_NONE;
    for (size_t g = 0; g < t->p->n_groups && *n_fits; g++) {
        size_t n = 0;
        if (t->core_of[g] != MAP_NONE)
            continue;
        for (size_t c = 0; c < t->p->n_cores; c++)
            n += map_group_fits(t->p, g, c, t->core_of);
        if (n >= *n_fits)
            continue;
        *n_fits = n;
        best = g;
    }
    return best;
}

static int try_groups(struct trying *t)
{
    size_t n, g = next_group(t, &n);
    int found = 0;
    if (g == MAP_NONE)
        return 1;
    for (size_t c = 0; c < t->p->n_cores && found == 0; c++) {
        if (!map_group_fits(t->p, g, c, t->core_of))
            continue;
        if (++t->tries > TRIES_MOST)
            return -1;
        t->core_of[g] = c;
        found = try_groups(t);
        if (found != 1)
            t->core_of[g] = MAP_NONE;
    }
    return found;
}

int map_feasible(size_t *core_of, const struct map_problem *p)
{
    struct trying t = {p, core_of, 0};
    for (size_t g = 0; g < p->n_groups; g++)
        core_of[g] = MAP_NONE;
    return try_groups(&t);
}
