/* import_log.c - converts the logs of a kit to a table of measurements with its conditions. */
#include "shimgen/kit/import_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/csv.h"
#include "base/file.h"
#include "base/str.h"
#include "boards/boards.h"
#include "boards/kit/kit.h"
#include "boards/measure/conditions.h"
#include "boards/measure/kit_rows.h"

static const char *origin_of(const struct kit_log *log, const char *program)
{
    for (size_t i = 0; i < log->programs.n; i++)
        if (strcmp(log->programs.at[i].name, program) == 0)
            return log->programs.at[i].origin;
    return "";
}

/* Like measurements.csv, with a column that says what was measured: `ir` is the counted code, `c` another
 * compiler's. */
static enum status write_table(const struct measurements *m, const struct kit_log *log, const char *path,
                               struct error *e)
{
    struct outfile o;
    enum status s = outfile_open(&o, path, e);
    if (s)
        return s;
    fputs("program,region,event,value,stddev,runs,code\n", o.f);
    for (size_t i = 0; i < m->rows.n; i++) {
        const struct measurement *r = &m->rows.at[i];
        char *value = format_double(r->value), *spread = format_double(r->stddev);
        csv_put(o.f, r->program);
        fputc(',', o.f);
        csv_put(o.f, r->region);
        fprintf(o.f, ",%s,%s,%s,%u,%s\n", r->event, value, spread, r->runs, origin_of(log, r->program));
        free(value);
        free(spread);
    }
    return outfile_commit(&o, e);
}

/* Prints, for each image, the first program that is missing, so that the user can continue there. */
static void print_missing(const struct kit_log *log)
{
    for (size_t i = 0; i < log->sessions.n; i++) {
        const struct kit_session *s = &log->sessions.at[i];
        bool again = false;
        for (size_t k = 0; k < i; k++)
            again |= log->sessions.at[k].image == s->image;
        if (again)
            continue;
        size_t n = 0, first = s->n_programs;
        for (uint32_t index = 0; index < s->n_programs; index++) {
            bool there = false;
            for (size_t k = 0; k < log->programs.n; k++)
                there |= log->programs.at[k].index == index &&
                         log->sessions.at[log->programs.at[k].session].image == s->image;
            n += there;
            if (!there && index < first)
                first = index;
        }
        if (n < s->n_programs)
            printf("image %08" PRIx32 ": %zu of %" PRIu32
                   " programs came; the first that did not is number %zu: make FIRST=%zu goes on there\n",
                   s->image, n, s->n_programs, first, first);
    }
}

static void report(const struct kit_log *log, const struct measurements *m, const struct import_order *o)
{
    char *conditions = kit_session_text(&log->sessions.at[log->programs.at[0].session]);
    for (size_t i = 0; i < log->notes.n; i++)
        fprintf(stderr, "shimgen: %s\n", log->notes.at[i]);
    print_missing(log);
    printf("%s: %zu rows of %zu programs; %s\n", o->out, m->rows.n, log->programs.n, conditions);
    if (kit_rows_from_c(log))
        printf("%zu programs were compiled from C by another compiler (column code): what is counted is not what was "
               "measured\n",
               kit_rows_from_c(log));
    free(conditions);
}

static enum status make_rows(const struct kit_log *log, struct measurements *m, struct error *e)
{
    enum status s = OK;
    for (size_t i = 0; i < log->programs.n && !s; i++)
        s = kit_rows_add(log, &log->programs.at[i], log->programs.at[i].name, m, e);
    if (s)
        return s;
    char date[32];
    time_t now = time(0);
    struct tm tm;
    strftime(date, sizeof date, "%Y-%m-%d", gmtime_r(&now, &tm));
    kit_rows_describe(log, m);
    free(m->conditions.date);
    m->conditions.date = xstrdup(date);
    return OK;
}

static enum status write_both(const struct measurements *m, const struct kit_log *log, const struct import_order *o,
                              struct error *e)
{
    size_t n = strlen(o->out);
    if (text_ends(o->out, ".csv"))
        n -= 4;
    char *conditions = xasprintf("%.*s.conditions.json", (int)n, o->out);
    enum status s = conditions_write(m, conditions, e);
    if (!s)
        s = write_table(m, log, o->out, e);
    free(conditions);
    return s;
}

enum status import_log(const struct import_order *o, struct error *e)
{
    struct kit_log *log = kit_log_new();
    struct measurements *m = measurements_new();
    const struct kit_choice choice = {o->part};
    enum status s = OK;
    for (size_t i = 0; i < o->n && !s; i++)
        s = kit_log_read(log, o->logs[i], e);
    if (!s)
        s = kit_log_judge(log, &choice, e);
    if (!s)
        s = make_rows(log, m, e);
    if (!s)
        s = write_both(m, log, o, e);
    if (!s)
        report(log, m, o);
    measurements_free(m);
    kit_log_free(log);
    return s;
}
