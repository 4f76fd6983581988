/* event_ratios.c - compares simulated events with measured ones. */
#include "shimgen/predictor/event_ratios.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/file.h"
#include "base/program_name.h"
#include "boards/boards.h"
#include "irprof/irprof.h"
#include "regress/solve/error_stats.h"
#include "shimgen/predictor/predictor_file.h"

struct comparing {
    struct csv *simulated, *domains;
    struct measurements *measured;
    struct predictors predictors;
};

static bool is_test(const struct csv *domains, const char *program)
{
    size_t name, role;
    if (!domains || !csv_find(domains, "program", &name) || !csv_find(domains, "role", &role))
        return false;
    for (size_t i = 0; i < domains->n_rows; i++)
        if (program_is(program, csv_cell(domains, i, name)))
            return strcmp(csv_cell(domains, i, role), "test") == 0;
    return false;
}

static bool is_among(char **programs, const char *program)
{
    for (; programs && *programs; programs++)
        if (program_is(program, *programs))
            return true;
    return false;
}

static bool belongs(const struct comparing *c, enum events_of of, const char *program)
{
    return of == EVENTS_ALL ||
           (of == EVENTS_TEST ? is_test(c->domains, program) : !is_among(c->predictors.programs, program));
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static enum status ratio_of(struct events_ratio *out, const struct comparing *c, size_t column, const char *event,
                            enum events_of of, struct error *e)
{
    double *ratios = xcalloc(c->simulated->n_rows + 1, sizeof *ratios);
    size_t n = 0;
    enum status s = OK;
    for (size_t i = 0; i < c->simulated->n_rows && !s; i++) {
        const char *program = csv_cell(c->simulated, i, 0), *region = csv_cell(c->simulated, i, 1);
        const struct measurement *m = measurements_find(c->measured, program, region, event);
        if (!m || m->value < EVENTS_LEAST || !*csv_cell(c->simulated, i, column) || !belongs(c, of, program))
            continue;
        s = csv_number(c->simulated, i, column, &ratios[n], e);
        ratios[n++] /= m->value;
    }
    qsort(ratios, n, sizeof *ratios, ascending);
    *out = (struct events_ratio){n, NAN, NAN, NAN};
    if (n)
        *out = (struct events_ratio){n, stats_quantile(ratios, n, 0.5), stats_quantile(ratios, n, 0.05),
                                     stats_quantile(ratios, n, 0.95)};
    free(ratios);
    return s;
}

/* Adds a row for an event that is simulated, and measured somewhere. */
static enum status add_row(struct events_table *t, const struct comparing *c, const char *column_name,
                           const char *event, const char *predictor, bool chosen, struct error *e)
{
    size_t column;
    struct events_row row = {.event = event, .chosen = chosen};
    enum status s = OK;
    if (!csv_find(c->simulated, column_name, &column))
        return OK;
    for (int of = 0; of < EVENTS_OF_N && !s; of++)
        s = ratio_of(&row.ratios[of], c, column, event, (enum events_of)of, e);
    if (s || !row.ratios[EVENTS_ALL].n)
        return s;
    row.predictor = predictor ? xstrdup(predictor) : 0;
    vec_push(&t->rows, row);
    return OK;
}

static enum status add_rows(struct events_table *t, const struct comparing *c, struct error *e)
{
    const struct predictors *p = &c->predictors;
    enum status s = add_row(t, c, "L1D_CACHE_REFILL", "L1D_CACHE_REFILL", 0, false, e);
    if (!s)
        s = add_row(t, c, "L2D_CACHE_REFILL", "L2D_CACHE_REFILL", 0, false, e);
    if (!s)
        s = add_row(t, c, IRPROF_MISPREDICTED, IRPROF_MISPREDICTED, p->chosen, true, e);
    if (!s && p->other) {
        char *column = xasprintf(IRPROF_MISPREDICTED ":%s", p->other);
        s = add_row(t, c, column, IRPROF_MISPREDICTED, p->other, false, e);
        free(column);
    }
    return s;
}

enum status events_compare(struct events_table *out, const struct outputs *o, struct error *e)
{
    struct comparing c = {0};
    *out = (struct events_table){.why = 0};
    enum status s = predictors_read(&c.predictors, o, e);
    if (!s && file_exists(o->simulated) && file_exists(o->measurements)) {
        s = csv_read(&c.simulated, o->simulated, e);
        if (!s)
            s = measurements_read(&c.measured, o->measurements, 0, e);
        if (!s && file_exists(o->domains))
            s = csv_read(&c.domains, o->domains, e);
        if (!s && c.simulated->n_columns > 1)
            s = add_rows(out, &c, e);
    }
    out->why = c.predictors.why ? xstrdup(c.predictors.why) : 0;
    csv_free(c.simulated);
    csv_free(c.domains);
    measurements_free(c.measured);
    predictors_release(&c.predictors);
    if (s)
        events_release(out);
    return s;
}

void events_release(struct events_table *t)
{
    for (size_t i = 0; i < t->rows.n; i++)
        free(t->rows.at[i].predictor);
    vec_release(&t->rows);
    free(t->why);
    *t = (struct events_table){.why = 0};
}
