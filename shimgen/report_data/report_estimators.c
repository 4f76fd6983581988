/* report_estimators.c - for the report: estimates of the measured programs by each method of `shimgen estimate`. Part
 * of report_data.h. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "shimgen/estimate/estimate.h"
#include "shimgen/report_data/report_fill.h"
#include "shimgen/values/compiled_rows.h"

struct estimating {
    struct fill *f;
    const struct regress_data *data;
    const char *work;
    struct costs costs;
};

/* Adds a method with room for its cycles, which are unknown at first. The fill owns them. */
static double *room(struct fill *f, size_t n)
{
    double *cycles = xcalloc(n, sizeof *cycles);
    for (size_t i = 0; i < n; i++)
        cycles[i] = REPORT_UNKNOWN;
    vec_push(&f->texts, (char *)cycles);
    return cycles;
}

static void add_method(struct fill *f, const char *name, char *values, const double *estimated, const double *left_out)
{
    vec_push(&f->texts, values);
    vec_push(&f->estimators, (struct report_estimator){name, values, estimated, left_out});
    f->report.estimators = f->estimators.at;
    f->report.n_estimators = f->estimators.n;
}

/* ---- sum and operand: by the SHIM file's values ---- */

static enum status estimate_row_by(double *cycles, const struct estimator *method, const struct estimating *j,
                                   const struct irprof_profile *p, size_t row, struct error *e)
{
    struct estimate *est = 0;
    struct estimate_request q = {.profile = p, .costs = &j->costs};
    enum status s = irprof_region(&q.region, p, j->data->regions[row], e);
    if (!s)
        s = estimate_run(&est, method, &q, e);
    if (!s)
        *cycles = est->total.typical;
    estimate_free(est);
    return s;
}

/* Rows of one program are consecutive. */
static enum status estimate_all(const struct estimating *j, double *sum, double *operand, struct error *e)
{
    struct irprof_profile *p = 0;
    enum status s = OK;
    for (size_t i = 0; i < j->f->report.n_programs && !s; i++) {
        bool same = i && strcmp(j->data->programs[i], j->data->programs[i - 1]) == 0;
        if (!same) {
            char *path = xasprintf("%s/%s/profile", j->work, j->data->programs[i]);
            irprof_free(p);
            p = 0;
            s = irprof_read(&p, path, e);
            free(path);
        }
        if (!s)
            s = estimate_row_by(&sum[i], &estimator_sum, j, p, i, e);
        if (!s)
            s = estimate_row_by(&operand[i], &estimator_operand, j, p, i, e);
    }
    irprof_free(p);
    return s;
}

static enum status add_linear(struct fill *f, const struct outputs *o, const struct regress_data *d, struct error *e)
{
    struct estimating j = {.f = f, .data = d, .work = o->work};
    struct error why = ERROR_INIT; /* a folder with no profiles, or old ones, has a report nevertheless */
    double *sum = room(f, d->n), *operand = room(f, d->n);
    enum status s = costs_from_shim(&j.costs, o->shim, 0, "operand", e);
    if (!s && !estimate_all(&j, sum, operand, &why)) {
        const char *shim = path_basename(o->shim);
        add_method(f, "sum", xasprintf("sum: counts \xc3\x97 Latency of %s, the paper's equation", shim), sum, 0);
        add_method(f, "operand", xasprintf("operand: counts \xc3\x97 Latency or Pitch of %s", shim), operand, 0);
    }
    error_release(&why);
    costs_release(&j.costs);
    return s;
}

/* ---- schedule: as tuned ---- */

static void add_schedule(struct fill *f, const struct outputs *o, const struct regress_data *d,
                         const struct schedule_model *m)
{
    double *estimated = room(f, d->n), *left_out = room(f, d->n);
    struct map rows = {0};
    for (size_t i = 0; i < m->n_rows; i++) {
        char *label = xasprintf("%s\n%s", m->rows[i].program, m->rows[i].region);
        map_put(&rows, label, i);
        free(label);
    }
    for (size_t i = 0; i < d->n; i++) {
        size_t at;
        char *label = xasprintf("%s\n%s", d->programs[i], d->regions[i]);
        if (map_get(&rows, label, &at)) {
            estimated[i] = m->rows[at].estimated;
            left_out[i] = m->rows[at].test ? REPORT_UNKNOWN : m->rows[at].left_out;
        }
        free(label);
    }
    map_release(&rows);
    add_method(f, "schedule", xasprintf("schedule: blocks issued with the times of %s", path_basename(o->shim)),
               estimated, left_out);
}

/* ---- compiled: nothing is fitted, so all rows that are not for tests count as left out ---- */

/* what: describes its values; taken over. */
static enum status add_compiled(struct fill *f, const struct compiled_rows *rows, const char *name, char *what,
                                struct error *e)
{
    const struct regress_data *d = rows->data;
    double *all = room(f, d->n), *estimated = room(f, d->n), *left_out = room(f, d->n);
    bool any = false;
    enum status s = compiled_rows_estimate(all, rows, e);
    for (size_t i = 0; i < d->n && !s; i++) {
        (f->report.programs[i].role == REPORT_TEST ? estimated : left_out)[i] = all[i];
        any |= isfinite(all[i]);
    }
    if (any)
        add_method(f, name, what, estimated, left_out);
    else
        free(what);
    return s;
}

static enum status add_compiled_both(struct fill *f, const struct board *b, const struct outputs *o,
                                     const struct regress_data *d, struct error *e)
{
    struct compiled_rows rows = {.board = b, .work = o->work, .data = d};
    char *what = xasprintf("compiled: the board's code on the timing data of %s; nothing is fitted", b->name);
    enum status s = add_compiled(f, &rows, "compiled", what, e);
    if (s || !file_exists(o->core))
        return s;
    rows.timing = o->core;
    rows.shim = o->shim;
    what = xasprintf("compiled: the board's code on a core made of %s; nothing is fitted", path_basename(o->shim));
    return add_compiled(f, &rows, "values", what, e);
}

enum status report_fill_estimators(struct fill *f, const struct board *b, const struct outputs *o,
                                   const struct regress_data *d, const struct schedule_model *schedule, struct error *e)
{
    enum status s = add_linear(f, o, d, e);
    if (!s && schedule)
        add_schedule(f, o, d, schedule);
    return s ? s : add_compiled_both(f, b, o, d, e);
}
