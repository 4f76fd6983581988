/*
 * draws.h - is a mapping still good when the blocks' cycles are others? Cycles are drawn from the blocks' intervals, the
 * logarithm normally distributed, each block by itself; its factor is the same on all cores.
 */
#ifndef SHIMGEN_MAP_SEARCH_DRAWS_H
#define SHIMGEN_MAP_SEARCH_DRAWS_H

#include "shimgen/map/search/search.h"

struct map_draws {
    size_t n;         /* 0: no block has an interval */
    size_t blocks;    /* that have one */
    size_t near;      /* draws in which the mapping takes at most 5 % more than the best that was found */
    double low, high; /* nine of ten draws take between */
};
void map_draw(struct map_draws *out, const struct map_plan *plan, const struct map_problem *p, size_t n_draws,
              double seconds);

#endif
