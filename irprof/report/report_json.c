/* report_json.c - reports as JSON. Names are checked once, at the end: jansson refuses text that is not UTF-8. */
#include <stdlib.h>

#include "irprof/report/formats.h"

json_t *json_count(uint64_t n)
{
    return json_integer((json_int_t)n); /* the profile's reader refuses numbers of more than 63 bits */
}

void json_function(json_t *o, const struct section *s, uint32_t function)
{
    char *readable = section_readable(s, function);
    json_object_set_new(o, "function", json_string_nocheck(section_function(s, function)));
    if (readable)
        json_object_set_new(o, "readable", json_string_nocheck(readable));
    free(readable);
}

void json_place(json_t *o, const struct section *s, uint32_t file, uint32_t line)
{
    if (file == IRPROF_NONE)
        return;
    json_object_set_new(o, "file", json_string_nocheck(section_file(s, file)));
    if (line)
        json_object_set_new(o, "line", json_count(line));
}

void json_events(json_t *o, const struct section *s, const uint64_t *counts)
{
    if (!s->profile->n_events)
        return;
    json_t *events = json_object();
    for (size_t i = 0; i < s->profile->n_events; i++)
        json_object_set_new_nocheck(events, s->profile->events[i], json_count(counts[i]));
    json_object_set_new(o, "events", events);
}

static json_t *json_row(const struct section *s, const struct irprof_row *row, enum report_by by)
{
    json_t *o = json_object(), *keys = json_object();
    if (by == REPORT_FUNCTION || by == REPORT_BLOCK)
        json_function(o, s, row->function);
    if (by == REPORT_BLOCK)
        json_object_set_new(o, "block", json_count(row->block));
    if (by != REPORT_OPCODE)
        json_place(o, s, row->file, row->line);
    if (by == REPORT_FUNCTION || by == REPORT_BLOCK)
        json_object_set_new(o, by == REPORT_FUNCTION ? "calls" : "entries", json_count(row->entries));
    json_object_set_new(o, "instructions", json_count(row->total));
    json_events(o, s, row->events);
    for (size_t i = 0; i < row->n_counts; i++)
        json_object_set_new_nocheck(keys, s->profile->keys[row->counts[i].key], json_count(row->counts[i].count));
    json_object_set_new(o, "keys", keys);
    return o;
}

static json_t *json_rows(const struct section *s, enum report_by by)
{
    if (by == REPORT_BRANCH)
        return branches_json(s);
    if (by == REPORT_LOOP)
        return loops_json(s);
    json_t *rows = json_array();
    for (size_t i = 0; i < s->groups->n_rows; i++)
        json_array_append_new(rows, json_row(s, &s->groups->rows[i], by));
    return rows;
}

static json_t *json_section(const struct section *s, enum report_by by)
{
    const struct irprof_region *region = section_region(s);
    json_t *o = json_object();
    json_object_set_new(o, "program", json_string_nocheck(s->program));
    json_object_set_new(o, "profile", json_string_nocheck(s->profile->path));
    json_object_set_new(o, "runs", json_count(s->profile->runs));
    if (s->profile->once)
        json_object_set_new(o, "once", json_string(s->profile->once));
    json_object_set_new(o, "region", json_string_nocheck(region->name));
    json_object_set_new(o, "entries", json_count(region->entries));
    json_object_set_new(o, "instructions", json_count(s->total));
    json_events(o, s, s->events);
    if (region->clamped)
        json_object_set_new(o, "clamped", json_count(region->clamped));
    if (by != REPORT_REGION)
        json_object_set_new(o, "rows", json_rows(s, by));
    return o;
}

enum status sections_json(const struct sections *s, FILE *f, struct error *e)
{
    json_t *all = json_array();
    for (size_t i = 0; i < s->all.n; i++)
        json_array_append_new(all, json_section(&s->all.at[i], s->by));
    char *text = json_dumps(all, JSON_INDENT(2));
    json_decref(all);
    if (!text)
        return error_set(e, ERR_INPUT, NOWHERE, "a name in the profile is not UTF-8: use --format csv");
    fprintf(f, "%s\n", text);
    free(text);
    return OK;
}
