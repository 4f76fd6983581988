/* first_moves.c - tries each group of blocks on each other core: what does it gain? */
#include "shimgen/map/search/first_moves.h"

#include <math.h>
#include <stdlib.h>

static int compare_moves(const void *a, const void *b)
{
    const struct map_move *x = a, *y = b;
    if (x->makespan != y->makespan)
        return x->makespan < y->makespan ? -1 : 1;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return x->core < y->core ? -1 : x->core > y->core;
}

/* The better of two orders: the present one, and that of HEFT's ranks. */
static double moved(struct map_plan *other, const struct map_plan *plan, const struct map_problem *p, size_t group,
                    size_t core)
{
    map_plan_copy(other, plan);
    for (size_t k = p->members.first[group]; k < p->members.first[group + 1]; k++)
        other->core[p->members.at[k]] = core;
    if (!map_plan_allowed(other, p))
        return INFINITY;
    double takes = map_plan_run(other, p, INFINITY);
    map_heft_sequence(other, p);
    return fmin(takes, map_plan_run(other, p, INFINITY));
}

void map_moves_find(struct map_moves *out, const struct map_plan *plan, const struct map_problem *p, size_t most)
{
    struct map_plan other;
    *out = (struct map_moves){0};
    map_plan_init(&other, p);
    for (size_t g = 0; g < p->n_groups; g++) {
        size_t now = plan->core[p->members.at[p->members.first[g]]];
        for (size_t c = 0; c < p->n_cores; c++) {
            double takes = c == now ? INFINITY : moved(&other, plan, p, g, c);
            if (takes < plan->makespan * (1 - 1e-9))
                vec_push(&out->at, (struct map_move){g, c, takes});
        }
    }
    if (out->at.n)
        qsort(out->at.at, out->at.n, sizeof *out->at.at, compare_moves);
    out->at.n = out->at.n > most ? most : out->at.n;
    map_plan_release(&other);
}

void map_moves_release(struct map_moves *m)
{
    vec_release(&m->at);
}
