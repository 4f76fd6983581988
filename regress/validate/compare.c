/* compare.c - which of two sets of estimates is better, and is the difference more than chance? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/csv.h"
#include "base/map.h"
#include "base/program_name.h"
#include "base/random.h"
#include "base/str.h"
#include "regress/regress.h"
#include "regress/solve/error_stats.h"

#define DRAWS 2000

/* Sums the differences by group, and counts them. Groups without any are removed. Returns how many are left. */
static size_t sum_groups(struct regress_difference *d, const double *first, const double *second, const size_t *group,
                         size_t n, size_t n_groups, double *sum, double *count)
{
    for (size_t i = 0; i < n; i++) {
        if (isnan(first[i]) || isnan(second[i]))
            continue;
        d->rows++;
        d->first += fabs(first[i]);
        d->second += fabs(second[i]);
        sum[group[i]] += fabs(second[i]) - fabs(first[i]);
        count[group[i]]++;
    }
    size_t kept = 0;
    for (size_t g = 0; g < n_groups; g++) {
        if (count[g] == 0)
            continue;
        sum[kept] = sum[g];
        count[kept++] = count[g];
    }
    return kept;
}

struct regress_difference stats_compare(const double *first, const double *second, const size_t *group, size_t n,
                                        size_t n_groups, uint64_t seed)
{
    struct regress_difference d = {.low = NAN, .high = NAN};
    double *sum = xcalloc(n_groups, sizeof *sum), *count = xcalloc(n_groups, sizeof *count);
    double *means = xcalloc(DRAWS, sizeof *means);
    d.groups = sum_groups(&d, first, second, group, n, n_groups, sum, count);
    d.first /= (double)d.rows;
    d.second /= (double)d.rows;
    d.difference = d.second - d.first;
    struct random r = random_start(seed);
    for (size_t k = 0; d.groups > 1 && k < DRAWS; k++) {
        double total = 0, rows = 0;
        for (size_t g = 0; g < d.groups; g++) {
            size_t drawn = random_below(&r, d.groups);
            total += sum[drawn];
            rows += count[drawn];
        }
        means[k] = total / rows;
    }
    if (d.groups > 1) {
        stats_sort(means, DRAWS);
        d.low = stats_quantile(means, DRAWS, 0.025);
        d.high = stats_quantile(means, DRAWS, 0.975);
    }
    free(sum);
    free(count);
    free(means);
    return d;
}

/* ---- tables of predictions ---- */

struct side {
    struct csv *csv;
    char *line;      /* which rows: "classes/solver"; "" if the table has no such columns */
    struct map rows; /* "program\nregion" -> row of the table */
};

static char *line_of(const struct csv *c, size_t row)
{
    size_t classes, solver;
    if (!csv_find(c, "classes", &classes) || !csv_find(c, "solver", &solver))
        return xstrdup("");
    return xasprintf("%s/%s", csv_cell(c, row, classes), csv_cell(c, row, solver));
}

/* Chooses the line that is meant. If none is named, there must be only one. */
static enum status choose_line(struct side *s, const char *asked, struct error *e)
{
    struct str all = STR_INIT;
    struct map seen = {0};
    for (size_t i = 0; i < s->csv->n_rows; i++) {
        char *line = line_of(s->csv, i);
        if (!map_get(&seen, line, 0))
            str_addf(&all, "%s%s", seen.n ? ", " : "", line);
        map_number(&seen, line);
        free(line);
    }
    enum status status = OK;
    if (asked && !map_get(&seen, asked, 0))
        status = error_set(e, ERR_INPUT, AT_FILE(s->csv->path), "there is no line '%s'; there are: %s", asked,
                           str_text(&all));
    else if (!asked && seen.n != 1)
        status =
            error_set(e, ERR_INPUT, AT_FILE(s->csv->path),
                      seen.n ? "this table has several lines, name one: %s" : "there are no rows%s", str_text(&all));
    else
        s->line = xstrdup(asked ? asked : seen.keys[0]);
    map_release(&seen);
    str_release(&all);
    return status;
}

static enum status read_side(struct side *s, const char *path, const char *asked, struct error *e)
{
    size_t program, region = 0;
    enum status status = csv_read(&s->csv, path, e);
    if (!status)
        status = csv_need(s->csv, "program", &program, e);
    if (!status)
        status = choose_line(s, asked, e);
    bool regions = !status && csv_find(s->csv, "region", &region);
    for (size_t i = 0; !status && i < s->csv->n_rows; i++) {
        char *line = line_of(s->csv, i);
        bool mine = strcmp(line, s->line) == 0;
        free(line);
        if (!mine)
            continue;
        char *name = xasprintf("%s\n%s", csv_cell(s->csv, i, program), regions ? csv_cell(s->csv, i, region) : "");
        if (map_get(&s->rows, name, 0))
            status = error_set(e, ERR_INPUT, AT(path, s->csv->lines[i]), "'%s' occurs here a second time",
                               csv_cell(s->csv, i, program));
        map_put(&s->rows, name, i);
        free(name);
    }
    return status;
}

static void release_side(struct side *s)
{
    csv_free(s->csv);
    free(s->line);
    map_release(&s->rows);
}

/* The error and the measured value of a row. The error is NAN if it was not measured, or measured as 0. */
static enum status error_of(const struct side *s, size_t row, double *error, double *measured, struct error *e)
{
    size_t predicted_at, measured_at;
    double predicted;
    enum status status = csv_need(s->csv, "predicted", &predicted_at, e);
    if (!status)
        status = csv_need(s->csv, "measured", &measured_at, e);
    *error = *measured = NAN;
    if (status || !*csv_cell(s->csv, row, measured_at))
        return status;
    status = csv_number(s->csv, row, measured_at, measured, e);
    if (!status)
        status = csv_number(s->csv, row, predicted_at, &predicted, e);
    if (!status && *measured != 0)
        *error = (predicted - *measured) / *measured;
    return status;
}

static enum status pair(struct regress_difference *out, const struct side *a, const struct side *b, uint64_t seed,
                        struct error *e)
{
    double *first = xcalloc(a->rows.n, sizeof *first), *second = xcalloc(a->rows.n, sizeof *second);
    size_t *group = xcalloc(a->rows.n, sizeof *group), n = 0;
    struct map groups = {0};
    enum status s = OK;
    for (size_t k = 0; !s && k < a->rows.n; k++) {
        size_t row;
        double measured, other;
        if (!map_get(&b->rows, a->rows.keys[k], &row))
            continue;
        s = error_of(a, a->rows.values[k], &first[n], &measured, e);
        if (!s)
            s = error_of(b, row, &second[n], &other, e);
        if (!s && !isnan(measured) && !isnan(other) && measured != other)
            s = error_set(e, ERR_INPUT, AT(b->csv->path, b->csv->lines[row]),
                          "measured is %g here and %g in %s: these are not estimates of the same measurement", other,
                          measured, a->csv->path);
        const char *key = a->rows.keys[k]; /* program, line break, region */
        char *name = xstrndup(key, program_name(key, strcspn(key, "\n")).n_program);
        group[n++] = map_number(&groups, name);
        free(name);
    }
    if (!s) {
        *out = stats_compare(first, second, group, n, groups.n, seed);
        if (out->rows == 0)
            s = error_set(e, ERR_INPUT, AT_FILE(b->csv->path), "no program is measured and estimated here and in %s",
                          a->csv->path);
        out->only_one = a->rows.n + b->rows.n - 2 * n;
        out->first_name = xstrdup(a->line);
        out->second_name = xstrdup(b->line);
    }
    map_release(&groups);
    free(first);
    free(second);
    free(group);
    return s;
}

enum status regress_compare(struct regress_difference *out, const char *first, const char *first_line,
                            const char *second, const char *second_line, uint64_t seed, struct error *e)
{
    struct side a = {0}, b = {0};
    *out = (struct regress_difference){0};
    enum status s = read_side(&a, first, first_line, e);
    if (!s)
        s = read_side(&b, second, second_line, e);
    if (!s)
        s = pair(out, &a, &b, seed, e);
    if (s)
        regress_difference_release(out);
    release_side(&a);
    release_side(&b);
    return s;
}

void regress_difference_release(struct regress_difference *d)
{
    free(d->first_name);
    free(d->second_name);
    *d = (struct regress_difference){0};
}
