/* search.c - searches the mapping with the shortest makespan: the list scheduler, then changes, then all mappings. */
#include "shimgen/map/search/search.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "base/proc.h"

/* With more blocks than EXACT_BLOCKS the proof would not end. */
enum { EXACT_BLOCKS = 40, EXACT_NODES = 20000000, WORK = 40000000, CHANGES_MOST = 200000, QUICK = 100 };

struct map_clock map_clock_start(double seconds)
{
    return (struct map_clock){proc_clock_s() + seconds};
}

bool map_clock_over(const struct map_clock *c)
{
    return proc_clock_s() > c->end;
}

/* So many changes that they take about half a second, whatever the size. */
static size_t n_changes(const struct map_problem *p, const struct map_effort *effort)
{
    size_t n = WORK / (8 * (p->n + p->n_now + 1));
    n = n > CHANGES_MOST ? CHANGES_MOST : n;
    return effort->quick ? n / QUICK + 100 : n;
}

static void take_if_better(struct map_plan *best, struct map_plan *other, const struct map_problem *p)
{
    if (map_plan_allowed(other, p) && map_plan_run(other, p, best->makespan) < best->makespan)
        map_plan_copy(best, other);
}

/* All blocks on one core, for each core: a mapping must not be worse than that. */
static void try_single(struct map_plan *best, struct map_plan *other, const struct map_problem *p)
{
    for (size_t c = 0; c < p->n_cores; c++) {
        for (size_t b = 0; b < p->n; b++)
            other->core[b] = c;
        take_if_better(best, other, p);
    }
}

static enum status start_from_demands(struct map_plan *best, const struct map_problem *p, struct error *e)
{
    size_t *core_of = xcalloc(p->n_groups, sizeof *core_of);
    int found = map_feasible(core_of, p);
    for (size_t b = 0; found == 1 && b < p->n; b++)
        best->core[b] = core_of[p->group[b]];
    free(core_of);
    if (found == 1) {
        map_heft_sequence(best, p);
        map_plan_run(best, p, INFINITY);
        return OK;
    }
    return error_set(e, ERR_INPUT, AT_FILE(p->graph->path),
                     found == 0
                         ? "no mapping on %zu cores meets all demands (on, together, apart, free, load)"
                         : "no mapping on %zu cores was found that meets all demands (on, together, apart, free, load)",
                     p->n_cores);
}

static enum status start_plan(struct map_plan *best, const struct map_problem *p, const struct map_plan *start,
                              struct error *e)
{
    struct map_plan other;
    enum status s = OK;
    map_plan_init(&other, p);
    if (map_heft(&other, p) && map_plan_allowed(&other, p))
        map_plan_copy(best, &other);
    else
        s = start_from_demands(best, p, e);
    map_heft_sequence(&other, p);
    if (!s)
        try_single(best, &other, p);
    if (!s && start) {
        map_plan_copy(&other, start);
        take_if_better(best, &other, p);
    }
    map_plan_release(&other);
    return s;
}

enum status map_search(struct map_result *out, const struct map_problem *p, const struct map_effort *effort,
                       const struct map_plan *start, struct error *e)
{
    struct map_clock clock = map_clock_start(effort->seconds);
    *out = (struct map_result){.bound = map_lower_bound(p)};
    map_plan_init(&out->plan, p);
    enum status s = start_plan(&out->plan, p, start, e);
    if (s)
        return s;
    map_local(&out->plan, p, n_changes(p, effort), out->bound, &clock);
    if (!effort->quick && p->n <= EXACT_BLOCKS)
        out->proved = map_exact(&out->plan, p, EXACT_NODES, out->bound, &clock);
    if (out->plan.makespan <= out->bound * (1 + 1e-12))
        out->proved = true;
    if (out->proved)
        out->bound = out->plan.makespan;
    map_plan_sort(&out->plan, p);
    return OK;
}

void map_result_release(struct map_result *r)
{
    map_plan_release(&r->plan);
}
