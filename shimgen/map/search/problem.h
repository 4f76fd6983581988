/*
 * problem.h - what a search works on: blocks as numbers, their times on some cores, what their edges cost, which blocks
 * share a core. And a plan: a core and a place in the sequence for each block, and the times that follow.
 *
 * A plan is made by starting blocks in the order of its sequence, each as soon as its core is free and all that it waits
 * for has arrived. Every schedule in which no block could start earlier without another order is one of these, so the
 * best of them is the best of all.
 */
#ifndef SHIMGEN_MAP_SEARCH_PROBLEM_H
#define SHIMGEN_MAP_SEARCH_PROBLEM_H

#include "shimgen/map/mapping.h"

struct map_arc {
    size_t from, to;
    double bytes;
    long delay;
};
/* Lists of numbers for 0 ... n-1: those of i are at[first[i]] ... at[first[i + 1] - 1]. */
struct map_lists {
    size_t *first, *at; /* owned */
};
struct map_problem {
    const struct map_graph *graph;
    const struct map_machine *machine;
    size_t n, n_cores;
    size_t *cores;            /* owned; in the machine */
    double *time;             /* owned; [block * n_cores + core]; INFINITY: it must not run there */
    double *free_time;        /* owned; the same without demands */
    double *load;             /* owned; time a step on the average: of blocks that run in each n-th step an n-th */
    struct map_arc *arcs;     /* owned; of the same step first */
    size_t n_arcs, n_now;     /* all; those of the same step */
    struct map_lists in, out; /* of each block: its arcs of the same step */
    size_t n_classes;         /* of pairs of cores with the same costs; class 0: one core */
    unsigned *class_of;       /* owned; [from * n_cores + to] */
    double *cost;             /* owned; [arc * n_classes + class] */
    size_t *order;            /* owned; blocks, none before one that it waits for */
    double *tail;             /* owned; from the begin of a block to the end, at least */
    size_t *group;            /* owned; of each block: blocks of one group share a core */
    size_t n_groups;
    struct map_lists members, apart; /* of each group: its blocks; groups that must be on other cores */
    double most_load;                /* of a core [time a step]; INFINITY */
};
struct map_demands {
    const struct map_rules *rules; /* may be NULL */
    const size_t *fixed;           /* core (of the machine) of each block, or MAP_NONE; may be NULL */
    double period;                 /* 0: none. Of a load limit */
};
/* On these cores of the machine. ERR_INPUT: a block without cycles for a core; a demand that cannot be met.
 * map_problem_release in any case. */
enum status map_problem_make(struct map_problem *out, const struct map_graph *g, const struct map_machine *m,
                             const size_t *cores, size_t n_cores, const struct map_demands *d,
                             struct error *e) MUST_CHECK;
/* Sets tail: the longest path to the end, by the least time of each block. Again after times were changed. */
void map_problem_tails(struct map_problem *p);
void map_problem_release(struct map_problem *p);

static inline double map_arc_cost(const struct map_problem *p, size_t arc, size_t from, size_t to)
{
    return p->cost[arc * p->n_classes + p->class_of[from * p->n_cores + to]];
}
/* Can the group be on this core, beside groups that have theirs (core_of[group], MAP_NONE: not yet)? */
bool map_group_fits(const struct map_problem *p, size_t group, size_t core, const size_t *core_of);
double map_group_load(const struct map_problem *p, size_t group, size_t core);
/* The least that any plan takes: paths with their transfers, and work shared by all cores. */
double map_lower_bound(const struct map_problem *p);
/* The first of the two: paths alone. */
double map_path_bound(const struct map_problem *p);

struct map_plan {
    size_t n, n_cores;
    size_t *core;     /* owned; of each block; index in problem's cores */
    size_t *sequence; /* owned */
    double *start, *end;
    double *busy_until; /* of each core */
    double makespan;
};
void map_plan_init(struct map_plan *out, const struct map_problem *p); /* map_plan_release */
void map_plan_copy(struct map_plan *to, const struct map_plan *from);  /* both are initialised */
void map_plan_release(struct map_plan *plan);
/* Sets the times from cores and sequence. Stops with INFINITY when it is sure to take `most` or more. */
double map_plan_run(struct map_plan *plan, const struct map_problem *p, double most);
/* Puts the sequence in the order of the starts. */
void map_plan_sort(struct map_plan *plan, const struct map_problem *p);
/* Does it meet all demands? */
bool map_plan_allowed(const struct map_plan *plan, const struct map_problem *p);
/* Time of all blocks on a core. */
double map_plan_work(const struct map_plan *plan, const struct map_problem *p, size_t core);

/* What the last block to end waited for, from the begin: a chain without a gap but transfers. */
struct map_chain_link {
    size_t block;
    size_t arc;  /* it started when this arrived; MAP_NONE: when its core was free, or at the begin */
    double wait; /* of the transfer; 0 */
};
struct map_chain {
    VEC(struct map_chain_link) links;
    double work, transfers;
};
void map_plan_chain(struct map_chain *out, const struct map_plan *plan, const struct map_problem *p);
void map_chain_release(struct map_chain *c);

#endif
