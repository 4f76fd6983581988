/* map_json.c - writes a mapping as JSON. */
#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "shimgen/map/show/map_show.h"

static const char *block_name(const struct map_report *r, size_t block)
{
    return r->graph->blocks.at[block].name;
}

static json_t *schedule_json(const struct map_report *r)
{
    const struct map_plan *plan = &r->point->result.plan;
    json_t *list = json_array();
    for (size_t i = 0; i < plan->n; i++) {
        size_t b = plan->sequence[i];
        json_t *o = json_object();
        json_put_text(o, "block", block_name(r, b));
        json_put_text(o, "core", map_core_of(r, b));
        if (r->pipeline) {
            json_put(o, "stage", json_integer((json_int_t)r->pipeline->stage[b] + 1));
        } else {
            json_put_real(o, "start", plan->start[b]);
            json_put_real(o, "end", plan->end[b]);
        }
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *transfers_json(const struct map_report *r)
{
    const struct map_problem *p = &r->point->problem;
    json_t *list = json_array();
    for (size_t i = 0; i < p->n_arcs; i++) {
        const struct map_arc *a = &p->arcs[i];
        size_t from = map_core_index(r, a->from), to = map_core_index(r, a->to);
        if (from == to)
            continue;
        json_t *o = json_object();
        json_put_text(o, "from", block_name(r, a->from));
        json_put_text(o, "to", block_name(r, a->to));
        json_put_real(o, "bytes", a->bytes);
        json_put(o, "delay", json_integer(a->delay));
        json_put_real(o, "time", map_arc_cost(p, i, from, to));
        json_array_append_new(list, o);
    }
    return list;
}

static void put_limit(json_t *o, const struct map_point *point)
{
    const struct map_problem *p = &point->problem;
    json_put_text(o, "limited_by", map_limit_name(point->limit));
    json_put_text(o, "limiting_block", p->graph->blocks.at[point->block].name);
    if (point->arc != MAP_NONE)
        json_put(o, "limiting_transfer",
                 json_pack("[s, s]", p->graph->blocks.at[p->arcs[point->arc].from].name,
                           p->graph->blocks.at[p->arcs[point->arc].to].name));
    json_put_real(o, "waits_for_data", point->transfers);
    json_put_real(o, "critical_path", point->path_bound);
    json_put_real(o, "without_communication", point->without);
}

static void put_result(json_t *o, const struct map_report *r, const struct map_point *point)
{
    json_put_real(o, "step", point->result.plan.makespan);
    json_put_real(o, "speedup", map_speedup(r, point->result.plan.makespan));
    json_put_real(o, "least", point->result.bound);
    json_put(o, "proved", json_boolean(point->result.proved));
    json_put_real(o, "gap", map_gap(point));
    put_limit(o, point);
}

static json_t *curve_json(const struct map_report *r)
{
    json_t *list = json_array();
    for (size_t i = 0; i < r->curve->points.n; i++) {
        const struct map_point *p = &r->curve->points.at[i];
        json_t *o = json_object();
        json_put(o, "cores", json_integer((json_int_t)i + 1));
        if (isinf(p->result.plan.makespan))
            json_put(o, "step", json_null());
        else
            put_result(o, r, p);
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *cores_json(const struct map_report *r)
{
    json_t *list = json_array();
    for (size_t c = 0; c < r->point->problem.n_cores; c++) {
        const struct map_core *core = &r->machine->cores.at[r->point->problem.cores[c]];
        json_t *o = json_object();
        json_put_text(o, "name", core->name);
        json_put_real(o, "clock", core->clock_hz > 0 ? core->clock_hz : NAN);
        json_put_real(o, "busy", map_busy(r, c));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *moves_json(const struct map_report *r)
{
    const struct map_problem *p = &r->point->problem;
    json_t *list = json_array();
    for (size_t i = 0; i < r->moves->at.n; i++) {
        const struct map_move *m = &r->moves->at.at[i];
        json_t *o = json_object(), *blocks = json_array();
        for (size_t k = p->members.first[m->group]; k < p->members.first[m->group + 1]; k++)
            json_array_append_new(blocks, json_text(block_name(r, p->members.at[k])));
        json_put(o, "blocks", blocks);
        json_put_text(o, "core", r->machine->cores.at[p->cores[m->core]].name);
        json_put_real(o, "step", m->makespan);
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *groups_json(const struct map_report *r)
{
    json_t *list = json_array();
    for (size_t i = 0; i < r->graph->groups.n; i++) {
        json_t *o = json_object(), *blocks = json_array();
        for (size_t k = 0; k < r->graph->groups.at[i].blocks.n; k++)
            json_array_append_new(blocks, json_text(block_name(r, r->graph->groups.at[i].blocks.at[k])));
        json_put(o, "blocks", blocks);
        json_put_text(o, "reason", r->graph->groups.at[i].reason);
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *notes_json(const struct map_report *r)
{
    json_t *list = json_array();
    for (size_t i = 0; i < r->graph->notes.n; i++)
        json_array_append_new(list, json_text(r->graph->notes.at[i]));
    for (size_t i = 0; i < r->machine->notes.n; i++)
        json_array_append_new(list, json_text(r->machine->notes.at[i]));
    return list;
}

static json_t *pipeline_json(const struct map_report *r)
{
    const struct map_pipeline *l = r->pipeline;
    json_t *o = json_object();
    json_put_real(o, "period", l->period);
    json_put_real(o, "least_period", l->bound);
    json_put_real(o, "latency", l->latency);
    json_put(o, "stages", json_integer((json_int_t)l->stages));
    return o;
}

static json_t *draws_json(const struct map_draws *d)
{
    json_t *o = json_object();
    json_put(o, "draws", json_integer((json_int_t)d->n));
    json_put(o, "blocks", json_integer((json_int_t)d->blocks));
    json_put_real(o, "within_5_percent", (double)d->near / (double)d->n);
    json_put_real(o, "low", d->low);
    json_put_real(o, "high", d->high);
    return o;
}

json_t *map_data(const struct map_report *r)
{
    json_t *all = json_object(), *mapping = json_object();
    json_put_text(all, "graph", r->graph->name);
    json_put_text(all, "shim", r->machine->path);
    json_put_text(all, "unit", r->machine->unit);
    json_put_real(all, "one_core", r->curve->single);
    json_put_real(all, "period", r->period > 0 ? r->period : NAN);
    put_result(all, r, r->point);
    if (r->best)
        json_put_real(all, "best_step", r->best->result.plan.makespan);
    json_put(all, "cores", cores_json(r));
    for (size_t b = 0; b < r->graph->blocks.n; b++)
        json_put_text(mapping, block_name(r, b), map_core_of(r, b));
    json_put(all, "mapping", mapping);
    json_put(all, "schedule", schedule_json(r));
    json_put(all, "transfers", transfers_json(r));
    json_put(all, "together", groups_json(r));
    if (r->pipeline)
        json_put(all, "pipeline", pipeline_json(r));
    if (r->moves)
        json_put(all, "moves", moves_json(r));
    json_put(all, "curve", curve_json(r));
    if (r->draws && r->draws->n)
        json_put(all, "drawn", draws_json(r->draws));
    json_put(all, "notes", notes_json(r));
    return all;
}

enum status map_json(const struct map_report *r, const char *path, struct error *e)
{
    json_t *all = map_data(r);
    enum status s = json_write(all, path, e);
    json_decref(all);
    return s;
}
