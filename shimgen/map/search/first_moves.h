/* first_moves.h - which block of a mapping to move first. */
#ifndef SHIMGEN_MAP_SEARCH_FIRST_MOVES_H
#define SHIMGEN_MAP_SEARCH_FIRST_MOVES_H

#include "shimgen/map/search/search.h"

struct map_move {
    size_t group, core; /* all blocks of the group, to this core of the problem */
    double makespan;    /* then */
};
struct map_moves {
    VEC(struct map_move) at; /* those that gain, the best first; at most `most` */
};
/* plan: of a problem in which blocks are free to move. */
void map_moves_find(struct map_moves *out, const struct map_plan *plan, const struct map_problem *p, size_t most);
void map_moves_release(struct map_moves *m);

#endif
