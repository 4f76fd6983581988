/* map_text.c - prints a mapping as text; texts that all outputs share. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "shimgen/map/show/map_show.h"

size_t map_core_index(const struct map_report *r, size_t block)
{
    return r->pipeline ? r->pipeline->core[block] : r->point->result.plan.core[block];
}

const char *map_core_of(const struct map_report *r, size_t block)
{
    return r->machine->cores.at[r->point->problem.cores[map_core_index(r, block)]].name;
}

double map_busy(const struct map_report *r, size_t core)
{
    const struct map_problem *p = &r->point->problem;
    double sum = 0, of = r->pipeline ? r->pipeline->period : r->point->result.plan.makespan;
    for (size_t b = 0; b < p->n; b++)
        if (map_core_index(r, b) == core)
            sum += (r->pipeline ? p->load : p->free_time)[b * p->n_cores + core];
    return of > 0 ? sum / of : 0;
}

double map_gap(const struct map_point *point)
{
    double takes = point->result.plan.makespan;
    return point->result.proved || !(takes > 0) ? 0 : 1 - point->result.bound / takes;
}

double map_speedup(const struct map_report *r, double time)
{
    return time > 0 ? r->curve->single / time : 1;
}

char *map_limit_text(const struct map_point *point)
{
    const struct map_problem *p = &point->problem;
    const struct map_plan *plan = &point->result.plan;
    const struct map_block *b = &p->graph->blocks.at[point->block];
    double whole = plan->makespan > 0 ? plan->makespan : 1,
           share = 100 * (plan->end[point->block] - plan->start[point->block]) / whole;
    if (point->limit != MAP_LIMIT_TRANSFERS)
        return xasprintf("%s, longest block '%s' (%.0f %%)", map_limit_name(point->limit), b->name, share);
    const struct map_arc *a = &p->arcs[point->arc];
    return xasprintf("%s (%.6g without its cost), %s '%s' to '%s'", map_limit_name(point->limit), point->without,
                     point->transfers > 0 ? "longest wait" : "costliest", p->graph->blocks.at[a->from].name,
                     p->graph->blocks.at[a->to].name);
}

static void put_head(const struct map_report *r, FILE *f)
{
    const struct map_point *p = r->point;
    const char *unit = r->machine->unit;
    double takes = p->result.plan.makespan;
    fprintf(f, "%s: %zu blocks, %zu edges; %s\n", r->graph->name, r->graph->blocks.n, r->graph->edges.n,
            path_basename(r->machine->path));
    fprintf(f, "on one core, %s: %.6g %s a step\n", r->machine->cores.at[r->curve->single_core].name, r->curve->single,
            unit);
    fprintf(f, "on %zu core%s%s%s: %.6g %s a step, %.2f times as fast", p->problem.n_cores,
            p->problem.n_cores == 1 ? "" : "s", r->mapping ? ", as mapped by " : "", r->mapping ? r->mapping : "",
            takes, unit, map_speedup(r, takes));
    if (r->best)
        fprintf(f, "\nthe best mapping found: %.6g %s, %.2f times as fast", r->best->result.plan.makespan, unit,
                map_speedup(r, r->best->result.plan.makespan));
    const struct map_point *judged = r->best ? r->best : p;
    if (judged->result.proved)
        fprintf(f, "; no mapping is faster\n");
    else
        fprintf(f, "; the best takes at least %.6g %s (gap %.1f %%)\n", judged->result.bound, unit,
                100 * map_gap(judged));
    char *limit = map_limit_text(p);
    fprintf(f, "limited by: %s\n", limit);
    free(limit);
    if (r->fewest)
        fprintf(f, "%zu core%s: the fewest found for a period of %g %s\n", p->problem.n_cores,
                p->problem.n_cores == 1 ? "" : "s", r->period, unit);
    else if (r->period > 0)
        fprintf(f, "period %g %s: %s\n", r->period, unit,
                takes <= r->period ? "a step ends within it" : "a step does NOT end within it");
}

static void put_schedule(const struct map_report *r, FILE *f)
{
    const struct map_problem *p = &r->point->problem;
    const struct map_plan *plan = &r->point->result.plan;
    for (size_t c = 0; c < p->n_cores; c++) {
        fprintf(f, "\ncore %s: busy %.0f %%", r->machine->cores.at[p->cores[c]].name, 100 * map_busy(r, c));
        if (r->period > 0)
            fprintf(f, ", load %.0f %% of the period", 100 * map_plan_work(plan, p, c) / r->period);
        fprintf(f, "\n");
        for (size_t i = 0; i < p->n; i++) {
            size_t b = plan->sequence[i];
            if (plan->core[b] == c)
                fprintf(f, "%12.4f %12.4f  %s\n", plan->start[b], plan->end[b], r->graph->blocks.at[b].name);
        }
    }
}

static void put_transfers(const struct map_report *r, FILE *f)
{
    const struct map_problem *p = &r->point->problem;
    const struct map_plan *plan = &r->point->result.plan;
    bool first = true;
    for (size_t i = 0; i < p->n_now; i++) {
        const struct map_arc *a = &p->arcs[i];
        if (plan->core[a->from] == plan->core[a->to])
            continue;
        if (first)
            fprintf(f, "\nbetween cores:\n%12s %12s\n", r->machine->unit, "bytes");
        first = false;
        fprintf(f, "%12.4f %12g  %s -> %s\n", map_arc_cost(p, i, plan->core[a->from], plan->core[a->to]), a->bytes,
                r->graph->blocks.at[a->from].name, r->graph->blocks.at[a->to].name);
    }
}

static void put_pipeline(const struct map_report *r, FILE *f)
{
    const struct map_problem *p = &r->point->problem;
    const struct map_pipeline *l = r->pipeline;
    fprintf(f, "\npipelined on %zu cores: a step each %.6g %s (%.2f times as often), each takes %.6g %s in %zu stage%s",
            p->n_cores, l->period, r->machine->unit, map_speedup(r, l->period), l->latency, r->machine->unit, l->stages,
            l->stages == 1 ? "" : "s");
    fprintf(f, "; the period is at least %.6g %s\n", l->bound, r->machine->unit);
    for (size_t c = 0; c < p->n_cores; c++) {
        fprintf(f, "\ncore %s: busy %.0f %%\n%12s\n", r->machine->cores.at[p->cores[c]].name, 100 * map_busy(r, c),
                "stage");
        for (size_t i = 0; i < p->n; i++)
            if (l->core[p->order[i]] == c)
                fprintf(f, "%12zu  %s\n", l->stage[p->order[i]] + 1, r->graph->blocks.at[p->order[i]].name);
    }
}

static void put_curve(const struct map_report *r, FILE *f)
{
    fprintf(f, "\n%5s %12s %9s %9s %7s  %s\n", "cores", r->machine->unit, "speed-up", "at most", "gap", "limited by");
    for (size_t i = 0; i < r->curve->points.n; i++) {
        const struct map_point *p = &r->curve->points.at[i];
        if (isinf(p->result.plan.makespan)) {
            fprintf(f, "%5zu %12s %9s %9s %7s  no mapping meets the demands\n", i + 1, "-", "-", "-", "-");
            continue;
        }
        char *limit = map_limit_text(p);
        fprintf(f, "%5zu %12.6g %9.2f %9.2f %6.1f%%  %s\n", i + 1, p->result.plan.makespan,
                map_speedup(r, p->result.plan.makespan), map_speedup(r, p->result.bound), 100 * map_gap(p), limit);
        free(limit);
    }
}

static void put_moves(const struct map_report *r, FILE *f)
{
    const struct map_problem *p = &r->point->problem;
    if (!r->moves->at.n)
        fprintf(f, "\nno block gains by moving alone\n");
    for (size_t i = 0; i < r->moves->at.n; i++) {
        const struct map_move *m = &r->moves->at.at[i];
        size_t n = p->members.first[m->group + 1] - p->members.first[m->group];
        fprintf(f, "%smove '%s'", i ? "" : "\nwhat to move first:\n",
                r->graph->blocks.at[p->members.at[p->members.first[m->group]]].name);
        if (n > 1)
            fprintf(f, " and %zu that stay with it", n - 1);
        fprintf(f, " to %s: %.6g %s, %.1f %% less\n", r->machine->cores.at[p->cores[m->core]].name, m->makespan,
                r->machine->unit, 100 * (1 - m->makespan / r->point->result.plan.makespan));
    }
}

static void put_units(const struct map_report *r, FILE *f)
{
    bool first = true;
    for (size_t b = 0; b < r->graph->blocks.n; b++) {
        if (!r->graph->blocks.at[b].why)
            continue;
        fprintf(f, "%s  %s\n", first ? "\nnot apart:\n" : "", r->graph->blocks.at[b].why);
        first = false;
    }
}

static void put_groups(const struct map_report *r, FILE *f)
{
    for (size_t i = 0; i < r->graph->groups.n; i++) {
        const struct map_group *g = &r->graph->groups.at[i];
        fprintf(f, "%s", i ? "" : "\non one core:\n");
        for (size_t k = 0; k < g->blocks.n; k++)
            fprintf(f, "%s%s", k ? ", " : "  ", r->graph->blocks.at[g->blocks.at[k]].name);
        fprintf(f, "%s%s\n", g->reason ? ": " : "", g->reason ? g->reason : "");
    }
}

void map_text(const struct map_report *r, FILE *f)
{
    put_head(r, f);
    if (r->pipeline) {
        put_pipeline(r, f);
    } else {
        put_schedule(r, f);
        put_transfers(r, f);
    }
    put_units(r, f);
    put_groups(r, f);
    if (r->moves)
        put_moves(r, f);
    put_curve(r, f);
    if (r->draws && r->draws->n)
        fprintf(
            f,
            "\ncycles drawn %zu times from the intervals of %zu blocks: in %.0f %% of the draws this mapping takes at "
            "most 5 %% more than the best; nine of ten take %.6g to %.6g %s\n",
            r->draws->n, r->draws->blocks, 100 * (double)r->draws->near / (double)r->draws->n, r->draws->low,
            r->draws->high, r->machine->unit);
}
