/*
 * search.h - the best mapping for the makespan of a step: a list scheduler first, then all mappings where they are few
 * enough, else changes of the best one.
 */
#ifndef SHIMGEN_MAP_SEARCH_SEARCH_H
#define SHIMGEN_MAP_SEARCH_SEARCH_H

#include "shimgen/map/search/problem.h"

struct map_effort {
    double seconds; /* at most */
    bool quick;     /* a hundredth of the changes that are tried, and no proof: one of many draws */
};
struct map_result {
    struct map_plan plan; /* makespan INFINITY: none was found */
    double bound;         /* no plan takes less */
    bool proved;          /* it is the best */
};
/* ERR_INPUT: no mapping meets the demands, or none was found in the time. map_result_release in any case. start: a plan
 * to begin with, or NULL. */
enum status map_search(struct map_result *out, const struct map_problem *p, const struct map_effort *effort,
                       const struct map_plan *start, struct error *e) MUST_CHECK;
void map_result_release(struct map_result *r);

/* ---- its parts ---- */

struct map_clock {
    double end; /* [s] */
};
struct map_clock map_clock_start(double seconds);
bool map_clock_over(const struct map_clock *c);

/* A core for each group that meets all demands, the rest left open. 1: found; 0: there is none; -1: not found. */
int map_feasible(size_t *core_of, const struct map_problem *p);
/* HEFT: Topcuoglu, Hariri, Wu, IEEE TPDS 13(3), 2002. False: it met a group for which no core was left. */
bool map_heft(struct map_plan *out, const struct map_problem *p);
/* Blocks in the order of HEFT's ranks, on the plan's cores. */
void map_heft_sequence(struct map_plan *plan, const struct map_problem *p);
/* Betters the plan, if it can; n_changes are tried. */
void map_local(struct map_plan *best, const struct map_problem *p, size_t n_changes, double bound,
               const struct map_clock *clock);
/* All plans, but those that cannot be better than the plan. True: the plan is now the best of all. */
bool map_exact(struct map_plan *best, const struct map_problem *p, size_t n_nodes, double bound,
               const struct map_clock *clock);

#endif
