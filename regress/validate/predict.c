/* predict.c - estimates the rows of a dataset by a model, and summarises the errors. */
#include "regress/regress.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "regress/validate/conformal.h"
#include "regress/solve/error_stats.h"
#include "regress/data/table.h"

static struct conformal_set intervals_of(const struct regress_model *m)
{
    struct conformal_set s = {.all = {m->level, m->error_low, m->error_high}};
    for (size_t i = 0; i < REGRESS_CODES; i++)
        s.code[i] = (struct conformal){m->of_code[i].level, m->of_code[i].error_low, m->of_code[i].error_high};
    return s;
}

enum status regress_predict(struct regress_prediction **out, size_t *n, const struct regress_model *m,
                            const struct regress_data *d, const struct regress_rows *rows, struct error *e)
{
    struct table *t = 0;
    enum status s = table_make(&t, d, m->classes, m->target, rows, true, e);
    if (s)
        return s;
    size_t column = 0, count = rows ? rows->n : d->n;
    const struct conformal_set intervals = intervals_of(m);
    bool known = regress_data_column(d, m->target, &column);
    struct regress_prediction *list = xcalloc(count, sizeof *list);
    for (size_t k = 0; k < count; k++) {
        struct regress_prediction *p = &list[k];
        p->row = rows ? rows->at[k] : k;
        for (size_t v = 0; v < t->p; v++)
            p->estimate += t->counts[p->row * t->p + v] * m->values[v].value;
        p->measured = known ? d->values[p->row * d->cols + column] : (double)NAN;
        p->error = p->measured != 0 ? (p->estimate - p->measured) / p->measured : (double)NAN;
        conformal_bound(p->estimate, conformal_for(&intervals, d->programs[p->row]), &p->low, &p->high);
    }
    table_free(t);
    *out = list;
    *n = count;
    return OK;
}

struct regress_errors regress_errors_of(const struct regress_data *d, const struct regress_prediction *p, size_t n)
{
    double *errors = xcalloc(n, sizeof *errors), *scratch = xcalloc(n, sizeof *scratch);
    char **labels = xcalloc(n, sizeof *labels);
    for (size_t i = 0; i < n; i++) {
        errors[i] = p[i].error;
        labels[i] = d->labels[p[i].row];
    }
    struct regress_errors result = stats_errors(errors, labels, n, scratch);
    free(errors);
    free(scratch);
    free(labels);
    return result;
}
