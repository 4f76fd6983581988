/* print_json.c - prints block costs as JSON. */
#include <stdlib.h>

#include "base/json.h"
#include "shimgen/blocks/print_blocks.h"
#include "shimgen/page/html.h"

/* Names of files and functions may contain any bytes. */
static json_t *text(const char *s)
{
    char *clean = s ? html_clean_utf8(s) : 0;
    json_t *t = clean ? json_string(clean) : json_null();
    free(clean);
    return t;
}

static void put_interval(json_t *o, const struct blocks_print *p, size_t core, double cycles)
{
    double low, high, level = blocks_interval(&low, &high, p, core, cycles);
    if (!(level > 0))
        return;
    json_put_real(o, "level", level);
    json_put_real(o, "low", low);
    json_put_real(o, "high", high);
}

static void put_us(json_t *o, const struct blocks *b, size_t core, const char *name, double cycles)
{
    if (b->request->cores[core].clock_hz > 0)
        json_put_real(o, name, blocks_us(b, core, cycles));
}

static json_t *step_json(const struct blocks_print *p, size_t core, const struct blocks_step *s)
{
    json_t *o = json_pack("{s:f, s:f, s:f}", "mean", s->mean, "best", s->best, "worst", s->worst);
    put_interval(o, p, core, s->mean);
    put_us(o, p->blocks, core, "us", s->mean);
    return o;
}

static json_t *cycles_json(const struct blocks_print *p, const struct cycles *c, const struct blocks_step *steps)
{
    json_t *all = json_array();
    for (size_t i = 0; i < p->blocks->request->n_cores; i++) {
        json_t *one = json_pack("{s:o, s:f}", "core", text(p->blocks->request->cores[i].core), "cycles", c[i].typical);
        put_interval(one, p, i, c[i].typical);
        put_us(one, p->blocks, i, "us", c[i].typical);
        if (p->ranges) {
            json_put_real(one, "best", c[i].best);
            json_put_real(one, "worst", c[i].worst);
        }
        if (steps)
            json_object_set_new(one, "step", step_json(p, i, &steps[i]));
        json_array_append_new(all, one);
    }
    return all;
}

static void put_inclusive(json_t *cores, const struct blocks_row *row)
{
    for (size_t i = 0; i < json_array_size(cores); i++) {
        json_t *core = json_array_get(cores, i), *step = json_object_get(core, "step");
        json_put_real(core, "inclusive", row->inclusive[i]);
        if (step && row->step_inclusive)
            json_put_real(step, "inclusive", row->step_inclusive[i]);
    }
}

static json_t *instances_json(const struct blocks *b, const struct blocks_instances *list)
{
    json_t *all = json_array();
    for (size_t i = 0; i < list->n; i++) {
        const struct blocks_instance *n = &list->at[i];
        const struct block *k = &b->tree.blocks.at[n->block];
        json_t *cores = json_array();
        for (size_t core = 0; core < b->request->n_cores; core++)
            json_array_append_new(cores, json_pack("{s:o, s:f, s:f}", "core", text(b->request->cores[core].core),
                                                   "cycles", n->self[core], "inclusive", n->inclusive[core]));
        json_array_append_new(all, json_pack("{s:o, s:o, s:o, s:o, s:f, s:b, s:o}", "type", text(k->type), "name",
                                             text(k->name), "model", text(k->model), "path", text(n->path), "calls",
                                             n->calls, "exact", (int)n->exact, "cores", cores));
    }
    return all;
}

static json_t *row_json(const struct blocks_print *p, const struct blocks_row *row)
{
    const struct block *k = row->block;
    json_t *o = json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:s}", "kind", blocks_kind_name(k->kind), "type",
                          text(k->type), "name", text(k->name), "label", text(k->label), "model", text(k->model),
                          "system", text(k->system), "file", text(row->path), "line", (json_int_t)k->line, "state",
                          blocks_state_name(row->state));
    json_t *counts =
        json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "executions", (json_int_t)row->executions, "instructions",
                  (json_int_t)row->instructions, "read_bytes", (json_int_t)row->read, "written_bytes",
                  (json_int_t)row->written, "copies", (json_int_t)row->copies, "merged", (json_int_t)row->merged,
                  "inlined", (json_int_t)row->inlined, "moved", (json_int_t)row->moved);
    json_object_update(o, counts);
    json_decref(counts);
    json_object_set_new(o, "cores", cycles_json(p, row->cycles, row->steps));
    put_inclusive(json_object_get(o, "cores"), row);
    if (p->blocks->request->measured)
        json_object_set_new(o, "measured", json_integer((json_int_t)row->measured));
    const char *parent = blocks_parent(p->blocks, k);
    if (parent)
        json_object_set_new(o, "parent", text(parent));
    json_object_set_new(o, "incorporates", text(k->incorporates));
    json_object_set_new(o, "phases", text(k->phases));
    char *readable = blocks_readable(p, row);
    if (readable)
        json_object_set_new(o, "readable", text(readable));
    free(readable);
    return o;
}

static json_t *loads_json(const struct blocks_print *p)
{
    json_t *all = json_array();
    const struct blocks *b = p->blocks;
    for (size_t i = 0; i < p->loads->n; i++) {
        const struct blocks_rate *r = &p->loads->at[i];
        json_t *cores = json_array();
        for (size_t core = 0; core < b->request->n_cores; core++)
            json_array_append_new(cores, json_pack("{s:o, s:f, s:f}", "core", text(b->request->cores[core].core),
                                                   "mean", blocks_load(b, r, core, r->mean[core]), "worst",
                                                   blocks_load(b, r, core, r->worst[core])));
        json_array_append_new(
            all, json_pack("{s:o, s:f, s:o}", "function", text(r->function), "period_s", r->period_s, "cores", cores));
    }
    return all;
}

json_t *blocks_data(const struct blocks_print *p)
{
    const struct blocks *b = p->blocks;
    const struct blocks_request *q = b->request;
    json_t *all = json_pack("{s:o, s:o, s:o, s:s, s:I}", "shim", text(p->shim), "program", text(q->profile->program),
                            "region", text(q->profile->regions[q->region].name), "method", q->method->name,
                            "instructions", (json_int_t)b->instructions);
    if (b->step) {
        size_t n;
        const char *name = blocks_step_name(b, &n);
        json_object_set_new(all, "step",
                            json_pack("{s:o, s:I, s:I, s:b}", "function", json_stringn_nocheck(name, n), "steps",
                                      (json_int_t)b->n_steps, "ways", (json_int_t)b->n_kinds, "complete",
                                      (int)b->step_kinds_complete));
    }
    json_object_set_new(all, "total", cycles_json(p, b->total, b->steps));
    if (q->measured)
        json_object_set_new(all, "measured", json_integer((json_int_t)b->measured));
    json_t *rows = json_array(), *notes = json_array();
    for (size_t i = 0; i < b->n_rows; i++)
        json_array_append_new(rows, row_json(p, &b->rows[i]));
    for (size_t i = 0; i < b->notes.n; i++)
        json_array_append_new(notes, text(b->notes.at[i]));
    json_object_set_new(all, "blocks", rows);
    json_object_set_new(all, "notes", notes);
    if (p->loads && p->loads->n)
        json_object_set_new(all, "loads", loads_json(p));
    json_object_set_new(all, "instances", instances_json(b, &b->instances));
    if (b->steps)
        json_object_set_new(all, "step_instances", instances_json(b, &b->step_instances));
    return all;
}

enum status blocks_json(const struct blocks_print *p, const char *path, struct error *e)
{
    json_t *all = blocks_data(p);
    enum status s = json_write(all, path, e);
    json_decref(all);
    return s;
}
