#include "shimgen/estimate/schedule_model.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/file.h"
#include "shimgen/estimate/schedule.h"

bool schedule_is_optimised(const struct irprof_profile *p, size_t region)
{
    bool *optimised = xcalloc(p->n_functions, sizeof *optimised);
    struct schedule s = {.p = p, .optimised = optimised};
    double executed[2] = {0};
    schedule_optimised(&s);
    for (size_t i = 0; i < p->n_segments; i++) {
        const struct irprof_segment *g = &p->segments[i];
        executed[optimised[g->function]] += (double)g->n_instructions * (double)p->regions[region].executions[i];
    }
    free(optimised);
    return executed[1] > executed[0];
}

static struct schedule_row row_of(const struct tune_result *r, const struct tune_programs *t,
                                  const struct regress_data *d, size_t i)
{
    const struct tune_program *p = &t->at[i];
    return (struct schedule_row){.program = xstrdup(d->programs[p->row]),
                                 .region = xstrdup(d->regions[p->row]),
                                 .optimised = schedule_is_optimised(p->profile, p->region),
                                 .test = p->test,
                                 .measured = p->measured,
                                 .estimated = r->estimates[i],
                                 .left_out = r->estimates_left_out[i]};
}

static struct conformal interval_of(const struct schedule_model *m, const struct tune_programs *t, bool optimised)
{
    double *errors = xcalloc(m->n_rows, sizeof *errors);
    size_t *groups = xcalloc(m->n_rows, sizeof *groups);
    for (size_t i = 0; i < m->n_rows; i++) {
        const struct schedule_row *r = &m->rows[i];
        bool asked = r->optimised == optimised && !r->test;
        errors[i] = asked ? (r->left_out - r->measured) / r->measured : (double)NAN;
        groups[i] = t->at[i].group;
    }
    struct conformal c = conformal_of(errors, groups, m->n_rows, t->n_groups);
    free(errors);
    free(groups);
    return c;
}

static struct regress_errors owned(const struct regress_errors *from, char **storage)
{
    struct regress_errors to = *from;
    *storage = from->worst_of ? xstrdup(from->worst_of) : 0;
    to.worst_of = *storage;
    return to;
}

void schedule_model_make(struct schedule_model **out, const struct tune_result *r, const struct tune_programs *t,
                         const struct regress_data *d, const char *shim)
{
    struct schedule_model *m = *out = xcalloc(1, sizeof *m);
    m->shim = xstrdup(path_basename(shim));
    m->data_name = xstrdup(path_basename(d->path));
    m->data_hash = d->hash;
    m->factors = xcalloc(TUNE_FACTORS, sizeof *m->factors);
    for (; m->n_factors < TUNE_FACTORS; m->n_factors++) {
        m->factors[m->n_factors].name = xstrdup(tune_factor_name(m->n_factors));
        m->factors[m->n_factors].factor = r->factors[m->n_factors];
    }
    m->before = owned(&r->before, &m->worst_of[0]);
    m->training = owned(&r->training, &m->worst_of[1]);
    m->left_out = owned(&r->left_out, &m->worst_of[2]);
    m->test = owned(&r->test, &m->worst_of[3]);
    m->rows = xcalloc(t->n, sizeof *m->rows);
    for (; m->n_rows < t->n; m->n_rows++)
        m->rows[m->n_rows] = row_of(r, t, d, m->n_rows);
    for (int k = 0; k < 2; k++)
        m->intervals[k] = interval_of(m, t, k);
}

void schedule_model_free(struct schedule_model *m)
{
    if (!m)
        return;
    for (size_t i = 0; i < m->n_factors; i++)
        free(m->factors[i].name);
    for (size_t i = 0; i < m->n_rows; i++) {
        free(m->rows[i].program);
        free(m->rows[i].region);
    }
    for (size_t i = 0; i < 4; i++)
        free(m->worst_of[i]);
    free(m->factors);
    free(m->rows);
    free(m->shim);
    free(m->data_name);
    free(m);
}

double schedule_model_interval(double *low, double *high, const struct schedule_model *m, bool optimised, double cycles)
{
    conformal_bound(cycles, &m->intervals[optimised], low, high);
    return m->intervals[optimised].level;
}
