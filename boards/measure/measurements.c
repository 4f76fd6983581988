/* measurements.c - the table of measurements: in memory, and as measurements.csv. */
#include "boards/boards.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/events/event_limits.h"
#include "base/file.h"
#include "base/map.h"
#include "boards/measure/conditions.h"
#include "boards/measure/counting.h"

struct measurements *measurements_new(void)
{
    struct measurements *m = xcalloc(1, sizeof *m);
    conditions_init(&m->conditions);
    return m;
}

static void row_release(struct measurement *r)
{
    free(r->program);
    free(r->region);
    free(r->event);
}

void measurements_free(struct measurements *m)
{
    if (!m)
        return;
    for (size_t i = 0; i < m->rows.n; i++)
        row_release(&m->rows.at[i]);
    for (size_t i = 0; i < m->programs.n; i++)
        free(m->programs.at[i].program);
    vec_release(&m->rows);
    vec_release(&m->programs);
    conditions_release(&m->conditions);
    counting_free(m->counting);
    free(m);
}

void measurements_cut(struct measurements *m, size_t rows, size_t programs)
{
    for (; m->rows.n > rows; m->rows.n--)
        row_release(&m->rows.at[m->rows.n - 1]);
    for (; m->programs.n > programs; m->programs.n--)
        free(m->programs.at[m->programs.n - 1].program);
}

const struct measurement *measurements_find(const struct measurements *m, const char *program, const char *region,
                                            const char *event)
{
    for (size_t i = 0; i < m->rows.n; i++) {
        const struct measurement *r = &m->rows.at[i];
        if (strcmp(r->program, program) == 0 && strcmp(r->region, region) == 0 && strcmp(r->event, event) == 0)
            return r;
    }
    return 0;
}

static const char *const cycle_events[] = {"CPU_CYCLES", "TSC_CYCLES", "CNTVCT_CYCLES", "RDTIME_CYCLES",
                                           "MONOTONIC_NS"};
enum { N_CYCLE_EVENTS = sizeof cycle_events / sizeof *cycle_events };

bool board_is_cycle_event(const char *event)
{
    for (size_t i = 0; i < N_CYCLE_EVENTS; i++)
        if (strcmp(cycle_events[i], event) == 0)
            return true;
    return false;
}

const char *measurements_cycle_event(const struct measurements *m)
{
    for (size_t i = 0; i < N_CYCLE_EVENTS; i++)
        for (size_t k = 0; k < m->rows.n; k++)
            if (strcmp(m->rows.at[k].event, cycle_events[i]) == 0)
                return m->rows.at[k].event;
    return 0;
}

/* ---- impossible counts ---- */

/* The rows of one program and region. */
struct region_rows {
    const struct measurements *m;
    const struct map *rows; /* "program\nregion\nevent" -> row */
    const struct measurement *of;
};

static char *row_key(const struct measurement *r, const char *event)
{
    return xasprintf("%s\n%s\n%s", r->program, r->region, event);
}

static double value_of(const void *context, const char *event)
{
    const struct region_rows *r = context;
    size_t row;
    char *key = row_key(r->of, event);
    bool found = map_get(r->rows, key, &row);
    free(key);
    return found ? r->m->rows.at[row].value : (double)NAN;
}

char *measurements_impossible(const struct measurements *m, size_t from, size_t *row)
{
    struct map rows = {0}, regions = {0};
    char *what = 0;
    for (size_t i = from; i < m->rows.n; i++) {
        char *key = row_key(&m->rows.at[i], m->rows.at[i].event);
        map_put(&rows, key, i);
        free(key);
    }
    for (size_t i = from; i < m->rows.n && !what; i++) {
        const struct region_rows r = {m, &rows, &m->rows.at[i]};
        char *region = row_key(r.of, "");
        if (map_number(&regions, region) == regions.n - 1)
            what = event_limits_broken(value_of, &r);
        free(region);
        *row = i;
    }
    map_release(&rows);
    map_release(&regions);
    return what;
}

/* ---- writing ---- */

static enum status write_csv(const struct measurements *m, const char *path, struct error *e)
{
    struct outfile o;
    enum status s = outfile_open(&o, path, e);
    if (s)
        return s;
    fputs("program,region,event,value,stddev,runs\n", o.f);
    for (size_t i = 0; i < m->rows.n; i++) {
        const struct measurement *r = &m->rows.at[i];
        char *value = format_double(r->value), *stddev = format_double(r->stddev);
        csv_put(o.f, r->program);
        fputc(',', o.f);
        csv_put(o.f, r->region);
        fputc(',', o.f);
        csv_put(o.f, r->event);
        fprintf(o.f, ",%s,%s,%u\n", value, stddev, r->runs);
        free(value);
        free(stddev);
    }
    return outfile_commit(&o, e);
}

enum status measurements_write(const struct measurements *m, const char *csv_path, const char *conditions_path,
                               struct error *e)
{
    enum status s = conditions_path ? conditions_write(m, conditions_path, e) : OK;
    return s ? s : write_csv(m, csv_path, e); /* last, so that a table always has its conditions */
}

/* ---- reading ---- */

static const char *const columns[] = {"program", "region", "event", "value", "stddev", "runs"};
enum { PROGRAM, REGION, EVENT, VALUE, STDDEV, RUNS, N_COLUMNS };

static enum status read_numbers(struct measurement *r, const struct csv *c, size_t row, const size_t *at,
                                struct error *e)
{
    double runs;
    enum status s = csv_number(c, row, at[VALUE], &r->value, e);
    if (!s)
        s = csv_number(c, row, at[STDDEV], &r->stddev, e);
    if (!s)
        s = csv_number(c, row, at[RUNS], &runs, e);
    if (s)
        return s;
    struct loc here = AT(c->path, c->lines[row]);
    if (r->value < 0)
        return error_set(e, ERR_INPUT, here, "value %g: a count cannot be negative", r->value);
    if (r->stddev < 0)
        return error_set(e, ERR_INPUT, here, "stddev %g: a spread is not negative", r->stddev);
    if (runs < 1 || runs > 1e9 || runs != floor(runs))
        return error_set(e, ERR_INPUT, here, "runs %g: give the number of runs, 1 or more", runs);
    r->runs = (unsigned)runs;
    return OK;
}

static enum status read_row(struct measurements *m, struct map *seen, const struct csv *c, size_t row, const size_t *at,
                            struct error *e)
{
    struct measurement r = {
        .half_width = NAN, .minimum = NAN, .mean = NAN, .mean_stddev = NAN, .entries = NAN, .overhead = NAN};
    for (int i = PROGRAM; i <= EVENT; i++)
        if (!*csv_cell(c, row, at[i]))
            return error_set(e, ERR_INPUT, AT(c->path, c->lines[row]), "no %s; every row needs one", columns[i]);
    enum status s = read_numbers(&r, c, row, at, e);
    if (s)
        return s;
    char *key = xasprintf("%s\n%s\n%s", csv_cell(c, row, at[PROGRAM]), csv_cell(c, row, at[REGION]),
                          csv_cell(c, row, at[EVENT]));
    size_t before;
    if (map_get(seen, key, &before)) {
        s = error_set(e, ERR_INPUT, AT(c->path, c->lines[row]),
                      "%s of region '%s' of '%s' is in line %zu already; keep one", csv_cell(c, row, at[EVENT]),
                      csv_cell(c, row, at[REGION]), csv_cell(c, row, at[PROGRAM]), before);
    } else {
        map_put(seen, key, c->lines[row]);
        r.program = xstrdup(csv_cell(c, row, at[PROGRAM]));
        r.region = xstrdup(csv_cell(c, row, at[REGION]));
        r.event = xstrdup(csv_cell(c, row, at[EVENT]));
        vec_push(&m->rows, r);
    }
    free(key);
    return s;
}

static enum status refuse_impossible(const struct measurements *m, const struct csv *c, struct error *e)
{
    size_t row;
    char *what = measurements_impossible(m, 0, &row);
    enum status s = what ? error_set(e, ERR_INPUT, AT(c->path, c->lines[row]),
                                     "impossible counts: region '%s' of '%s' has %s; measure it again, or take its "
                                     "rows out",
                                     m->rows.at[row].region, m->rows.at[row].program, what)
                         : OK;
    free(what);
    return s;
}

static enum status read_rows(struct measurements *m, const struct csv *c, struct error *e)
{
    size_t at[N_COLUMNS];
    struct map seen = {0};
    enum status s = OK;
    for (int i = 0; i < N_COLUMNS && !s; i++)
        s = csv_need(c, columns[i], &at[i], e);
    for (size_t row = 0; row < c->n_rows && !s; row++)
        s = read_row(m, &seen, c, row, at, e);
    if (!s && c->n_rows == 0)
        s = error_set(e, ERR_INPUT, AT_FILE(c->path), "no measurement; only the header is there");
    map_release(&seen);
    return s ? s : refuse_impossible(m, c, e);
}

static enum status read_both(struct measurements **out, const char *csv_path, const char *conditions_path, bool more,
                             struct error *e)
{
    struct csv *c = 0;
    enum status s = csv_read(&c, csv_path, e);
    if (s)
        return s;
    struct measurements *m = measurements_new();
    s = read_rows(m, c, e);
    if (!s && conditions_path && file_exists(conditions_path))
        s = conditions_read(m, conditions_path, more, e);
    csv_free(c);
    if (s) {
        measurements_free(m);
        return s;
    }
    *out = m;
    return OK;
}

enum status measurements_read(struct measurements **out, const char *csv_path, const char *conditions_path,
                              struct error *e)
{
    return read_both(out, csv_path, conditions_path, false, e);
}

enum status measurements_resume(struct measurements **out, const char *csv_path, const char *conditions_path,
                                struct error *e)
{
    return read_both(out, csv_path, conditions_path, true, e);
}
