/* curve.h - what a model gains from one, two ... cores, and what limits it. */
#ifndef SHIMGEN_MAP_SEARCH_CURVE_H
#define SHIMGEN_MAP_SEARCH_CURVE_H

#include "shimgen/map/search/search.h"

enum map_limit {
    MAP_LIMIT_PATH,      /* a chain of blocks that wait for each other */
    MAP_LIMIT_BLOCK,     /* one block takes at least half of the step */
    MAP_LIMIT_TRANSFERS, /* if transfers took no time, the step would be at least 5 % shorter */
    MAP_LIMIT_WORK       /* the cores are busy */
};
struct map_point {
    struct map_problem problem; /* owned */
    struct map_result result;   /* owned; makespan INFINITY: no mapping on so few cores meets the demands */
    enum map_limit limit;
    size_t block;      /* the longest that the end waits for */
    size_t arc;        /* the transfer that the end waits for longest, else the costliest; MAP_NONE: none */
    double without;    /* the step that was found if transfers took no time */
    double transfers;  /* that the end waits for */
    double path_bound; /* critical path, with the transfers that demands enforce */
};
struct map_curve {
    VEC(struct map_point) points; /* on 1, 2 ... cores */
    size_t *cores;                /* owned; of the machine, in the order in which they are taken */
    size_t n_cores;
    double single;      /* all blocks on the fastest core */
    size_t single_core; /* of the machine */
};
struct map_curve_wish {
    struct map_demands demands;
    struct map_effort effort;
    size_t most_cores; /* 0: all that are not left free */
    double stop_at;    /* no more cores when a step takes no longer; 0: all */
};
/* ERR_INPUT: as map_search, on all cores. map_curve_release in any case. */
enum status map_curve_make(struct map_curve *out, const struct map_graph *g, const struct map_machine *m,
                           const struct map_curve_wish *wish, struct error *e) MUST_CHECK;
void map_curve_release(struct map_curve *c);
/* Says of a plan what limits it. */
void map_point_judge(struct map_point *point);
const char *map_limit_name(enum map_limit limit); /* static */

#endif
