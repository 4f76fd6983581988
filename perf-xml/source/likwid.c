/* likwid.c - reads what likwid-perfctr writes with -O: tables of events and metrics, one column per hardware thread. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "perf-xml/source/source.h"

enum { COLUMNS = 4096 };
enum table { NONE, EVENTS, METRICS };

struct reading {
    struct rows rows;
    enum table table;
    char **columns; /* "HWThread 0" ..., the columns of the table */
    size_t first, n;
    char *machine;
    struct error *e;
};

static char **fields_of(char *line, size_t *n)
{
    char **out = xcalloc(COLUMNS, sizeof *out);
    *n = 0;
    for (char *rest = line; rest && *n < COLUMNS;)
        out[(*n)++] = strsep(&rest, ",");
    while (*n && !*out[*n - 1])
        --*n;
    return out;
}

static void columns_release(struct reading *r)
{
    for (size_t i = 0; i < r->n; i++)
        free(r->columns[i]);
    free(r->columns);
    r->columns = 0;
    r->n = 0;
}

static void columns_take(struct reading *r, char **fields, size_t n, size_t first)
{
    columns_release(r);
    r->columns = xcalloc(n + 1, sizeof *r->columns);
    for (r->n = 0; r->n < n; r->n++)
        r->columns[r->n] = xstrdup(fields[r->n]);
    r->first = first;
}

/* Splits "Runtime (RDTSC) [s]": the unit is in brackets at the end. */
static char *unit_of(char *name)
{
    char *open = strrchr(name, '[');
    size_t n = strlen(name);
    if (!open || open == name || name[n - 1] != ']')
        return xstrdup("");
    char *unit = xstrndup(open + 1, (size_t)(name + n - 2 - open));
    while (open > name && open[-1] == ' ')
        open--;
    *open = 0;
    return unit;
}

static void values(struct reading *r, char **fields, size_t n)
{
    if (r->table == METRICS && !strstr(fields[0], "RDTSC"))
        return; /* metrics are computed from events, as our items are */
    char *unit = r->table == METRICS ? unit_of(fields[0]) : xstrdup("counts");
    for (size_t i = r->first; i < n && i < r->n; i++) {
        struct perf_data d = {.unit = unit};
        if (!perf_number_parse(&d.value, fields[i])) {
            d = (struct perf_data){.unit = unit, .state = PERF_UNAVAILABLE, .why = "likwid: no number"};
        }
        rows_add(&r->rows, rows_thread(&r->rows, "likwid", r->columns[i]), fields[0], &d, 0);
    }
    free(unit);
}

static void line_of(struct reading *r, char **fields, size_t n)
{
    if (strcmp(fields[0], "TABLE") == 0 || strcmp(fields[0], "STRUCT") == 0) {
        bool sums = false;
        for (size_t i = 0; i < n; i++)
            sums = sums || strstr(fields[i], "Stat");
        columns_release(r);
        r->table = NONE;
        r->first = sums || *fields[0] == 'S' ? 0 : 1; /* a table that sums over all threads is skipped */
    } else if (!r->columns && r->first && n > 2 && strcmp(fields[0], "Event") == 0) {
        r->table = EVENTS;
        columns_take(r, fields, n, 2);
    } else if (!r->columns && r->first && n > 1 && strcmp(fields[0], "Metric") == 0) {
        r->table = METRICS;
        columns_take(r, fields, n, 1);
    } else if (r->table != NONE && n) {
        values(r, fields, n);
    } else if (n > 1 && strcmp(fields[0], "CPU name:") == 0 && !r->machine) {
        r->machine = xstrdup(fields[1]);
    }
}

enum status likwid_csv(const struct str *text, const char *path, struct perf_sink *to, struct error *e)
{
    struct reading r = {.e = e};
    enum status s = OK;
    char *copy = xstrndup(str_text(text), text->len), *rest = copy;
    while (rest) {
        char *line = strsep(&rest, "\n");
        line[strcspn(line, "\r")] = 0;
        size_t n;
        char **fields = fields_of(line, &n);
        if (n)
            line_of(&r, fields, n);
        free(fields);
    }
    struct perf_head head = {.source = path_basename(path), .machine = r.machine, .names = "likwid"};
    if (!r.rows.at.n)
        s = error_set(e, ERR_INPUT, AT_FILE(path), "there is no table of likwid's events in it; use likwid-perfctr -O");
    else
        s = rows_send(&r.rows, &head, to, e);
    columns_release(&r);
    rows_release(&r.rows);
    free(r.machine);
    free(copy);
    return s;
}
