/* import_measurements.c - takes the user's own measurements for counted programs. */
#include "shimgen/build/import_measurements.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/csv.h"
#include "base/file.h"
#include "base/str.h"

#define WHOLE_PROGRAM "(program)" /* counts outside all regions; never measured */

struct import {
    const struct board *b;
    const struct outputs *o;
    char *path;             /* of the table */
    struct measurements *m; /* NULL: there is none */
    const char *event;      /* the event that counts cycles */
    struct csv *counts;
    size_t program, region; /* columns of the counts */
    size_t regions;         /* number of counted regions */
    size_t missing;         /* number of counted regions without cycles */
};

static bool is_measured(const struct import *i, size_t row)
{
    return i->m &&
           measurements_find(i->m, csv_cell(i->counts, row, i->program), csv_cell(i->counts, row, i->region), i->event);
}

static bool is_region(const struct import *i, size_t row)
{
    return strcmp(csv_cell(i->counts, row, i->region), WHOLE_PROGRAM) != 0;
}

static void count_missing(struct import *i)
{
    for (size_t row = 0; row < i->counts->n_rows; row++) {
        i->regions += is_region(i, row);
        i->missing += is_region(i, row) && !is_measured(i, row);
    }
}

/* Writes the rows that are wanted: the same columns, without values. */
static enum status write_wanted(const struct import *i, struct error *e)
{
    struct outfile o;
    enum status s = outfile_open(&o, i->o->wanted, e);
    if (s)
        return s;
    fputs("program,region,event,value,stddev,runs\n", o.f);
    for (size_t row = 0; row < i->counts->n_rows; row++) {
        if (!is_region(i, row) || is_measured(i, row))
            continue;
        csv_put(o.f, csv_cell(i->counts, row, i->program));
        fputc(',', o.f);
        csv_put(o.f, csv_cell(i->counts, row, i->region));
        fprintf(o.f, ",%s,,0,1\n", i->event);
    }
    return outfile_commit(&o, e);
}

static enum status no_table(const struct import *i, struct error *e)
{
    enum status s = write_wanted(i, e);
    if (s)
        return s;
    return error_set(e, ERR_INPUT, AT_FILE(i->path),
                     "the table of measurements is not there; %s lists the %zu regions to measure: fill in the cycles "
                     "and bring it by that name or by --measurements (docs/boards.md, 'measured elsewhere')",
                     i->o->wanted, i->regions);
}

static enum status rows_missing(const struct import *i, struct error *e)
{
    struct str first = STR_INIT;
    size_t named = 0;
    enum status s = write_wanted(i, e);
    for (size_t row = 0; !s && row < i->counts->n_rows && named < 5; row++)
        if (is_region(i, row) && !is_measured(i, row))
            str_addf(&first, "%s%s region %s", named++ ? ", " : "", csv_cell(i->counts, row, i->program),
                     csv_cell(i->counts, row, i->region));
    if (!s)
        s = error_set(e, ERR_INPUT, AT_FILE(i->path),
                      "%zu of %zu regions have no %s: %s%s; %s has their rows to be filled in; without "
                      "--strict they are left out, --programs chooses",
                      i->missing, i->regions, i->event, str_text(&first), i->missing > named ? " ..." : "",
                      i->o->wanted);
    str_release(&first);
    return s;
}

/* ---- facts about a table made elsewhere ---- */

static void set(char **to, const char *text)
{
    free(*to);
    *to = xstrdup(text);
}

static void describe(const struct import *i)
{
    struct conditions *c = &i->m->conditions;
    char date[32], *nature = xasprintf("imported from %s", path_basename(i->path));
    time_t now = time(0);
    struct tm tm;
    strftime(date, sizeof date, "%Y-%m-%d", gmtime_r(&now, &tm));
    set(&c->board, i->b->name);
    set(&c->date, date);
    set(&c->cpu, i->b->cpu);
    set(&c->architecture, i->b->target);
    set(&c->cycle_event, i->event);
    set(&c->cycle_nature, nature);
    set(&c->cache, i->b->cache == BOARD_WARM ? "warm" : "cold");
    set(&c->cache_method, "as the table's maker did it");
    set(&c->clock_source, i->b->clock_hz > 0 ? "board.ini" : "");
    c->clock_hz = i->b->clock_hz;
    free(nature);
}

static enum status read_table(struct import *i, struct error *e)
{
    i->event = "CPU_CYCLES";
    if (!file_exists(i->path))
        return OK;
    enum status s = measurements_read(&i->m, i->path, 0, e);
    const char *event = s ? 0 : measurements_cycle_event(i->m);
    if (!s && !event)
        return error_set(e, ERR_INPUT, AT_FILE(i->path), "no row has the event CPU_CYCLES: give the cycles this event");
    if (!s)
        i->event = event;
    return s;
}

static enum status read_counts(struct import *i, struct error *e)
{
    enum status s = csv_read(&i->counts, i->o->counts, e);
    if (!s)
        s = csv_need(i->counts, "program", &i->program, e);
    return s ? s : csv_need(i->counts, "region", &i->region, e);
}

static enum status import(struct import *i, bool keep_going, struct error *e)
{
    enum status s = read_counts(i, e);
    if (!s)
        s = read_table(i, e);
    if (s)
        return s;
    count_missing(i);
    if (!i->m)
        return no_table(i, e);
    if (i->missing == i->regions)
        return error_set(e, ERR_INPUT, AT_FILE(i->path),
                         "none of its programs and regions was counted; use the names in %s", i->o->counts);
    if (i->missing && !keep_going)
        return rows_missing(i, e);
    s = i->missing ? write_wanted(i, e) : remove_tree(i->o->wanted, e);
    if (s)
        return s;
    describe(i);
    return measurements_write(i->m, i->o->measurements, i->o->conditions, e);
}

enum status import_measurements(const struct board *b, const struct outputs *o, bool keep_going, size_t *missing,
                                struct error *e)
{
    struct import i = {.b = b, .o = o, .path = board_measurements_path(b)};
    enum status s = import(&i, keep_going, e);
    *missing = i.missing;
    csv_free(i.counts);
    measurements_free(i.m);
    free(i.path);
    return s;
}

bool import_only(const struct board *b)
{
    return b->how == BOARD_IMPORT || b->how == BOARD_COMMAND;
}

enum status import_refuse(const struct board *b, struct error *e)
{
    if (b->how == BOARD_COMMAND)
        return error_set(
            e, ERR_UNSUPPORTED, NOWHERE,
            "%s is a part without an operating system: only the samples are measured on it, by 'shimgen build "
            "%s' or by a kit (docs/kit.md)",
            b->name, b->name);
    return error_set(e, ERR_UNSUPPORTED, NOWHERE,
                     "%s is measured elsewhere: 'shimgen build %s' lists the regions to measure and takes the table "
                     "(docs/boards.md, 'measured elsewhere')",
                     b->name, b->name);
}
