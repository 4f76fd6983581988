/* offload_json.c - prints offload candidates as JSON. */
#include "shimgen/offload/show/offload_json.h"

#include <math.h>

#include "base/json.h"
#include "shimgen/offload/show/offload_time.h"

static json_t *ratio(const struct offload_ratio *r)
{
    json_t *o = json_object();
    json_put_real(o, "value", r->value);
    json_put(o, "no_data_demanded", json_boolean(r->no_data));
    json_put_text(o, "state", offload_state_name(r->state));
    return o;
}

static json_t *index_of(const char *name, double value, enum offload_state state)
{
    json_t *o = json_object();
    json_put_real(o, name, value);
    json_put_text(o, "state", offload_state_name(state));
    return o;
}

static json_t *threshold(const struct offload_threshold *t)
{
    json_t *o = json_object();
    json_put_real(o, "value", t->value);
    json_put_text(o, "source", t->source);
    return o;
}

static json_t *accelerator(const struct accelerator *a)
{
    json_t *o = json_object(), *t = json_object();
    json_put_text(o, "name", a->name);
    json_put_text(o, "link", a->link_name);
    json_put_text(o, "host", a->host_name);
    json_put_real(o, "local_memory", (double)a->local.size);
    json_put(t, "intensity", threshold(&a->intensity));
    json_put(t, "integer_intensity", threshold(&a->integer_intensity));
    json_put(t, "rate", threshold(&a->rate));
    json_put(t, "functions", threshold(&a->functions));
    json_put(t, "share", threshold(&a->share));
    json_put(o, "thresholds", t);
    return o;
}

static json_t *costs(const struct offload_table *t, const double *values)
{
    static const char *const names[OFFLOAD_COSTS] = {"instructions", "flops",           "integer_operations",
                                                     "bytes",        "bytes_beyond_l2", "seconds",
                                                     "seconds_best", "seconds_worst"};
    json_t *o = json_object();
    for (int k = 0; k < OFFLOAD_COSTS; k++)
        json_put_real(o, names[k], offload_knows(t, (enum offload_cost)k) ? values[k] : NAN);
    return o;
}

static json_t *obstacles(unsigned bits)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < OFFLOAD_OBSTACLES; i++)
        if (bits >> i & 1)
            json_array_append_new(list, json_string(offload_obstacle_name(i)));
    return list;
}

static json_t *loops(const struct offload_function *f)
{
    json_t *list = json_array();
    for (size_t i = 0; i < f->loops.n; i++) {
        json_t *o = json_object();
        json_put_text(o, "file", f->loops.at[i].file);
        json_put(o, "line", json_integer((json_int_t)f->loops.at[i].line));
        json_put(o, "depth", json_integer(f->loops.at[i].depth));
        json_put_real(o, "entered", f->loops.at[i].entered);
        json_put_real(o, "iterations", f->loops.at[i].iterations);
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *inside(const struct offload_table *t, const struct offload_candidate *c)
{
    json_t *list = json_array();
    for (size_t i = 0; i < c->inside.n; i++) {
        json_t *o = json_object();
        json_put_text(o, "function", t->functions.at[c->inside.at[i].function].name);
        json_put_real(o, "share", c->inside.at[i].share);
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *footprint(const double *bytes)
{
    json_t *o = json_object();
    for (int i = 0; i < OFFLOAD_FOOTPRINT; i++)
        json_put_real(o, offload_bytes_name((enum offload_bytes)i), bytes[i]);
    return o;
}

static json_t *candidate(const struct offload_table *t, const struct offload_candidate *c)
{
    json_t *o = json_object(), *bound = json_object();
    json_put_text(o, "function", c->function == OFFLOAD_WHOLE ? NULL : t->functions.at[c->function].name);
    json_put_text(o, "verdict", offload_verdict_name(c->verdict));
    json_put_text(o, "rests_on", c->on_integers ? "integers" : "floats");
    json_put(o, "intensity", ratio(&c->intensity));
    json_put(o, "integer_intensity", ratio(&c->integer_intensity));
    json_t *peak = index_of("at_least", c->rate, c->rate_state);
    json_put(peak, "window", c->peak == SIZE_MAX ? json_null() : json_integer((json_int_t)c->peak + 1));
    json_put(o, "peak_rate", peak);
    json_put(o, "functions_needed", index_of("value", (double)c->needed, c->needed_state));
    json_put(o, "functions", json_integer((json_int_t)c->working));
    json_put_real(o, "share", c->share);
    json_put_real(o, "self_share", c->self_share);
    json_put_real(o, "calls", c->calls);
    json_put_real(bound, "value", c->bound);
    json_put_real(bound, "low", c->bound_low);
    json_put_real(bound, "high", c->bound_high);
    json_put(o, "speedup_bound", bound);
    json_put_real(o, "rank_from", c->rank_from ? (double)c->rank_from : NAN);
    json_put_real(o, "rank_to", c->rank_to ? (double)c->rank_to : NAN);
    json_put(o, "costs", costs(t, c->costs));
    json_put(o, "footprint", footprint(c->footprint));
    json_put(o, "obstacles", obstacles(c->obstacles));
    json_put(o, "inside", inside(t, c));
    return o;
}

static json_t *functions(const struct offload_table *t)
{
    json_t *list = json_array();
    for (size_t i = 0; i < t->functions.n; i++) {
        const struct offload_function *f = &t->functions.at[i];
        json_t *o = json_object(), *fp = json_object();
        json_put_text(o, "name", f->name);
        json_put_text(o, "file", f->file);
        json_put_real(o, "calls", f->calls);
        json_put(o, "self", costs(t, f->self));
        for (int w = 0; w < OPERATIONS_WIDTHS; w++) {
            json_t *lanes = json_array();
            for (int l = 0; l < OPERATIONS_LANES; l++)
                json_array_append_new(lanes, json_real(f->operations.fp[w][l]));
            json_put(fp, operations_width_name((enum operations_width)w), lanes);
        }
        json_put(o, "lane_operations", fp);
        json_put(o, "obstacles", obstacles(f->obstacles));
        json_put(o, "loops", loops(f));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *windows(const struct offload_table *t, const struct accelerator *a)
{
    json_t *list = json_array();
    for (size_t i = 0; i < t->windows.n; i++) {
        const struct offload_window *w = &t->windows.at[i];
        json_t *o = json_object(), *spent = json_array();
        struct offload_moment m;
        offload_moment(&m, t, a, w);
        json_put_real(o, "begin", w->begin);
        json_put_real(o, "seconds", w->seconds);
        json_put(o, "rate", index_of("value", m.rate, m.state));
        json_put(o, "costs", costs(t, m.costs));
        for (size_t k = w->first; k < w->first + w->n; k++) {
            json_t *one = json_object();
            json_put_text(one, "function", t->functions.at[t->spent.at[k].function].name);
            json_put(one, "self", costs(t, t->spent.at[k].costs));
            json_array_append_new(spent, one);
        }
        json_put(o, "functions", spent);
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *report(const struct offload_report *r, const struct accelerator *a)
{
    const struct offload_judgement *j = r->judgement;
    json_t *o = json_object(), *roots = json_array(), *notes = json_array();
    json_put_text(o, "program", r->table->program);
    json_put_text(o, "input", r->table->kind);
    json_put(o, "whole", candidate(r->table, &j->whole));
    for (size_t i = 0; i < j->roots.n; i++)
        json_array_append_new(roots, candidate(r->table, &j->roots.at[i]));
    json_put(o, "candidates", roots);
    json_put(o, "smallest", j->smallest == OFFLOAD_WHOLE ? json_null() : json_integer(j->smallest));
    json_put(o, "functions", functions(r->table));
    if (r->table->windows.n) {
        json_put_text(o, "window_size", r->table->window_size);
        json_put(o, "windows", windows(r->table, a));
    }
    for (size_t i = 0; i < r->table->notes.n; i++)
        json_array_append_new(notes, json_text(r->table->notes.at[i]));
    json_put(o, "notes", notes);
    return o;
}

enum status offload_json(const struct offload_print *p, const char *output, struct error *e)
{
    json_t *o = json_object(), *programs = json_array();
    json_put(o, "accelerator", accelerator(p->accelerator));
    json_put_text(o, "rule", offload_rule());
    for (size_t i = 0; i < p->n; i++)
        json_array_append_new(programs, report(&p->reports[i], p->accelerator));
    json_put(o, "programs", programs);
    enum status s = json_write(o, output, e);
    json_decref(o);
    return s;
}
