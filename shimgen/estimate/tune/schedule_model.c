/* schedule_model.c - errors and intervals of method schedule, from programs with tuned values. */
#include "shimgen/estimate/tune/schedule_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/program_name.h"
#include "regress/solve/error_stats.h"
#include "regress/validate/conformal.h"
#include "shimgen/estimate/schedule/schedule.h"

bool schedule_is_optimised(const struct irprof_profile *p, size_t region)
{
    bool *optimised = xcalloc(p->n_functions, sizeof *optimised);
    struct ir_key *keys = ir_keys(p->keys, p->n_keys);
    struct schedule s = {.p = p, .keys = keys, .optimised = optimised};
    double executed[2] = {0};
    schedule_optimised(&s);
    for (size_t i = 0; i < p->n_segments; i++) {
        const struct irprof_segment *g = &p->segments[i];
        executed[optimised[g->function]] += (double)g->n_instructions * (double)p->regions[region].executions[i];
    }
    free(keys);
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
                                 .left_out = r->estimates_left_out[i],
                                 .without_events = r->estimates_without_events[i]};
}

/* ---- intervals ---- */

/* Is the interval for the row's estimate? Test programs are not used for calibration. */
static bool is_of(const struct schedule_row *r, const struct shimxml_interval *v, double above)
{
    double cycles = v->events ? r->left_out : r->without_events;
    return r->optimised == (v->code == SHIMXML_OPTIMISED) && cycles < v->below && cycles >= above;
}

static double estimate_of(const struct schedule_row *r, const struct shimxml_interval *v)
{
    return v->events ? r->left_out : r->without_events;
}

/* Sets the interval to quantiles of the errors of its rows. */
static void calibrate(struct shimxml_interval *v, const struct schedule_model *m, const struct tune_programs *t,
                      double above)
{
    double *errors = xcalloc(m->n_rows, sizeof *errors);
    size_t *groups = xcalloc(m->n_rows, sizeof *groups);
    for (size_t i = 0; i < m->n_rows; i++) {
        const struct schedule_row *r = &m->rows[i];
        bool asked = !r->test && is_of(r, v, above);
        errors[i] = asked ? (estimate_of(r, v) - r->measured) / r->measured : (double)NAN;
        groups[i] = t->at[i].group;
    }
    struct conformal c = conformal_of(errors, groups, m->n_rows, t->n_groups);
    v->level = c.level;
    v->low = c.high > -1 ? 1 / (1 + c.high) : 0;
    v->high = c.low > -1 ? 1 / (1 + c.low) : (double)INFINITY;
    free(errors);
    free(groups);
}

static void add_interval(struct schedule_model *m, const struct shimxml_interval *v)
{
    m->intervals = xreallocarray(m->intervals, m->n_intervals + 1, sizeof *m->intervals);
    m->intervals[m->n_intervals++] = *v;
}

/* Adds one interval for short runs and one for the others, if there are enough of both; else one for all. */
static void add_intervals(struct schedule_model *m, const struct tune_programs *t, enum shimxml_code code, bool events)
{
    struct shimxml_interval all = {.code = code, .events = events, .below = INFINITY}, brief = all, rest = all;
    brief.below = SCHEDULE_SHORT_RUN;
    calibrate(&brief, m, t, 0);
    calibrate(&rest, m, t, SCHEDULE_SHORT_RUN);
    calibrate(&all, m, t, 0);
    bool divided = brief.level >= CONFORMAL_LEVEL && rest.level >= CONFORMAL_LEVEL;
    if (divided)
        add_interval(m, &brief);
    if (divided || all.level > 0)
        add_interval(m, divided ? &rest : &all);
}

/* Does this interval apply to the estimate? */
static bool counts(const struct schedule_model *m, const struct schedule_row *r, const struct shimxml_interval *v)
{
    return v == shimxml_interval_of(m->intervals, m->n_intervals,
                                    r->optimised ? SHIMXML_OPTIMISED : SHIMXML_UNOPTIMISED, v->events,
                                    estimate_of(r, v));
}

void schedule_model_coverage(size_t *n, size_t *within, const struct schedule_model *m, size_t interval)
{
    const struct shimxml_interval *v = &m->intervals[interval];
    *n = *within = 0;
    for (size_t i = 0; i < m->n_rows; i++) {
        const struct schedule_row *r = &m->rows[i];
        if (!r->test || !counts(m, r, v))
            continue;
        double ratio = r->measured / estimate_of(r, v);
        (*n)++;
        *within += ratio >= v->low && ratio <= v->high;
    }
}

enum schedule_events_in schedule_events_in(const struct irprof_profile *p)
{
    bool misses = irprof_event(p, "L1D_CACHE_REFILL") < p->n_events;
    bool branches = irprof_event(p, IRPROF_MISPREDICTED) < p->n_events;
    return misses && branches ? SCHEDULE_EVENTS : misses || branches ? SCHEDULE_SOME_EVENTS : SCHEDULE_NO_EVENTS;
}

/* Do all profiles have misses and mispredictions? */
static bool have_events(const struct tune_programs *t)
{
    for (size_t i = 0; i < t->n; i++)
        if (schedule_events_in(t->at[i].profile) != SCHEDULE_EVENTS)
            return false;
    return true;
}

/* ---- the model ---- */

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
    m->factors = xcalloc(SCHEDULE_FACTORS, sizeof *m->factors);
    for (; m->n_factors < SCHEDULE_FACTORS; m->n_factors++) {
        m->factors[m->n_factors].name = xstrdup(schedule_factor_name(m->n_factors));
        m->factors[m->n_factors].factor = r->factors[m->n_factors];
    }
    m->before = owned(&r->before, &m->worst_of[0]);
    m->training = owned(&r->training, &m->worst_of[1]);
    m->left_out = owned(&r->left_out, &m->worst_of[2]);
    m->test = owned(&r->test, &m->worst_of[3]);
    m->rows = xcalloc(t->n, sizeof *m->rows);
    for (; m->n_rows < t->n; m->n_rows++)
        m->rows[m->n_rows] = row_of(r, t, d, m->n_rows);
    for (int code = SHIMXML_UNOPTIMISED; code <= SHIMXML_OPTIMISED; code++)
        for (int events = 0; events <= have_events(t); events++)
            add_intervals(m, t, (enum shimxml_code)code, events);
}

struct regress_errors schedule_model_errors(const struct schedule_model *m, const char *level, bool test)
{
    double *errors = xcalloc(m->n_rows, sizeof *errors), *scratch = xcalloc(m->n_rows, sizeof *scratch);
    char **labels = xcalloc(m->n_rows, sizeof *labels);
    size_t n = 0;
    for (size_t i = 0; i < m->n_rows; i++) {
        const struct schedule_row *r = &m->rows[i];
        const char *own = program_level(r->program);
        if (r->test != test || r->measured < SCHEDULE_SHORT_RUN || !own || strcmp(own, level))
            continue;
        labels[n] = r->program;
        errors[n++] = r->left_out / r->measured - 1;
    }
    struct regress_errors result = stats_errors(errors, labels, n, scratch);
    free(errors);
    free(scratch);
    free(labels);
    return result;
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
    free(m->intervals);
    free(m->shim);
    free(m->data_name);
    free(m);
}
