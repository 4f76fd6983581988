/* tune.c - fits Latency and Pitch through the schedule by Gauss-Newton steps. */
#include "shimgen/estimate/tune/tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "regress/solve/lapack.h"
#include "shimgen/estimate/schedule/schedule.h"

enum { ITERATIONS = 5 };
/* prior of a factor's logarithm: two thirds of the factors are expected within 1.35 */
static const double deviation = 0.3;
static const double unmeasured = 1; /* the same for values without a microbenchmark */
static const double lower = 0.1;    /* smaller errors count by their squares, larger ones linearly */
static const double longest = 0.5;  /* largest step */
static const double probe = 0.06;   /* for derivatives */

struct tuner {
    const struct costs *from;
    struct costs *to;
    const struct tune_programs *t;
    double logs[SCHEDULE_FACTORS];
    double *estimate, *probed, *left_out, *without_events; /* of each program; as in tune_result */
    /* of each program and factor: derivative of its relative error */
    double *slopes;
};

static void apply(struct tuner *u, const double *logs)
{
    double by[SCHEDULE_FACTORS];
    for (size_t k = 0; k < SCHEDULE_FACTORS; k++)
        by[k] = exp(logs[k]);
    schedule_scale(u->to, u->from, by);
}

static enum status estimate_with(const struct tuner *u, size_t i, bool events, double *cycles, struct error *e)
{
    struct estimate *est;
    struct estimate_request q = {
        .profile = u->t->at[i].profile, .region = u->t->at[i].region, .costs = u->to, .without_events = !events};
    enum status s = estimate_run(&est, &estimator_schedule, &q, e);
    if (s)
        return s;
    cycles[i] = est->total.typical;
    estimate_free(est);
    return OK;
}

static enum status estimate_one(const struct tuner *u, size_t i, double *cycles, struct error *e)
{
    return estimate_with(u, i, true, cycles, e);
}

static enum status estimate_all(struct tuner *u, const double *logs, double *cycles, struct error *e)
{
    enum status s = OK;
    apply(u, logs);
    for (size_t i = 0; i < u->t->n && !s; i++)
        s = estimate_one(u, i, cycles, e);
    return s;
}

static double error_of(const struct tuner *u, const double *cycles, size_t i)
{
    return (cycles[i] - u->t->at[i].measured) / u->t->at[i].measured;
}

static enum status find_slopes(struct tuner *u, struct error *e)
{
    for (size_t k = 0; k < SCHEDULE_FACTORS; k++) {
        double logs[SCHEDULE_FACTORS];
        memcpy(logs, u->logs, sizeof logs);
        logs[k] += probe;
        enum status s = estimate_all(u, logs, u->probed, e);
        if (s)
            return s;
        for (size_t i = 0; i < u->t->n; i++)
            u->slopes[i * SCHEDULE_FACTORS + k] = (error_of(u, u->probed, i) - error_of(u, u->estimate, i)) / probe;
    }
    return OK;
}

/* Finds the step from `logs`, at which the errors are those of `cycles`. Uses all training programs, or all without a
 * group; REGRESS_NONE: all. */
static void find_step(const struct tuner *u, const double *logs, const double *cycles, size_t without, double *step)
{
    double a[SCHEDULE_FACTORS * SCHEDULE_FACTORS] = {0};
    for (size_t k = 0; k < SCHEDULE_FACTORS; k++) {
        double wide = schedule_factor_measured(k) ? deviation : unmeasured, believed = 1 / (wide * wide);
        a[k * SCHEDULE_FACTORS + k] = believed;
        step[k] = -believed * logs[k];
    }
    for (size_t i = 0; i < u->t->n; i++) {
        const double *slope = u->slopes + i * SCHEDULE_FACTORS;
        if (u->t->at[i].test || u->t->at[i].group == without)
            continue;
        double error = error_of(u, cycles, i), weight = 1 / fmax(lower, fabs(error));
        for (size_t k = 0; k < SCHEDULE_FACTORS; k++) {
            step[k] -= weight * slope[k] * error;
            for (size_t j = 0; j < SCHEDULE_FACTORS; j++)
                a[k * SCHEDULE_FACTORS + j] += weight * slope[k] * slope[j];
        }
    }
    if (!isfinite(lapack_cholesky(SCHEDULE_FACTORS, a))) /* only if estimates are not finite, when no step helps */
        memset(step, 0, SCHEDULE_FACTORS * sizeof *step);
    else
        lapack_solve(SCHEDULE_FACTORS, a, step);
    for (size_t k = 0; k < SCHEDULE_FACTORS; k++)
        step[k] = fmax(-longest, fmin(longest, step[k]));
}

/* ---- errors ---- */

static struct regress_errors errors(const struct tuner *u, const double *cycles, bool test)
{
    struct regress_prediction *list = xcalloc(u->t->n, sizeof *list);
    char **labels = xcalloc(u->t->n, sizeof *labels);
    size_t n = 0;
    for (size_t i = 0; i < u->t->n; i++) {
        labels[i] = u->t->at[i].label;
        if (u->t->at[i].test == test)
            list[n++] = (struct regress_prediction){.row = i, .error = error_of(u, cycles, i)};
    }
    struct regress_data d = {.labels = labels, .n = u->t->n};
    struct regress_errors result = regress_errors_of(&d, list, n);
    free(list);
    free(labels);
    return result;
}

/* The factors without a group. Near the factors of all programs, cycles are taken as linear in them. */
static void fit_without(struct tuner *u, size_t group, double *logs)
{
    double step[SCHEDULE_FACTORS];
    memcpy(logs, u->logs, sizeof u->logs);
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        for (size_t i = 0; i < u->t->n; i++) {
            u->probed[i] = u->estimate[i];
            for (size_t k = 0; k < SCHEDULE_FACTORS; k++)
                u->probed[i] += u->slopes[i * SCHEDULE_FACTORS + k] * (logs[k] - u->logs[k]) * u->t->at[i].measured;
        }
        find_step(u, logs, u->probed, group, step);
        for (size_t k = 0; k < SCHEDULE_FACTORS; k++)
            logs[k] += step[k];
    }
}

/* Estimates a program by the current values, which were found without it. */
static enum status estimate_left_out(const struct tuner *u, size_t i, struct error *e)
{
    enum status s = estimate_one(u, i, u->left_out, e);
    return s ? s : estimate_with(u, i, false, u->without_events, e);
}

/* Estimates each program with the factors that were found without its group. Test programs are in no fit. */
static enum status leave_out(struct tuner *u, struct error *e)
{
    enum status s = find_slopes(u, e);
    for (size_t g = 0; g < u->t->n_groups && !s; g++) {
        double logs[SCHEDULE_FACTORS];
        fit_without(u, g, logs);
        apply(u, logs);
        for (size_t i = 0; i < u->t->n && !s; i++)
            if (u->t->at[i].group == g && !u->t->at[i].test)
                s = estimate_left_out(u, i, e);
    }
    apply(u, u->logs);
    for (size_t i = 0; i < u->t->n && !s; i++)
        if (u->t->at[i].test)
            s = estimate_left_out(u, i, e);
    return s;
}

static enum status fit(struct tuner *u, struct tune_result *out, struct error *e)
{
    enum status s = estimate_all(u, u->logs, u->estimate, e);
    if (!s)
        out->before = errors(u, u->estimate, false);
    for (int iteration = 0; iteration < ITERATIONS && !s; iteration++) {
        double step[SCHEDULE_FACTORS];
        s = find_slopes(u, e);
        if (s)
            break;
        find_step(u, u->logs, u->estimate, REGRESS_NONE, step);
        for (size_t k = 0; k < SCHEDULE_FACTORS; k++)
            u->logs[k] += step[k];
        s = estimate_all(u, u->logs, u->estimate, e);
    }
    for (size_t k = 0; k < SCHEDULE_FACTORS; k++)
        out->factors[k] = exp(u->logs[k]);
    out->training = errors(u, u->estimate, false);
    out->test = errors(u, u->estimate, true);
    return s;
}

/* Leaving programs out is requested by an array for the result. */
static enum status run(struct tuner *u, struct tune_result *out, struct error *e)
{
    enum status s = fit(u, out, e);
    if (!s && u->left_out)
        s = leave_out(u, e);
    if (!s && u->left_out)
        out->left_out = errors(u, u->left_out, false);
    if (!s)
        apply(u, u->logs);
    return s;
}

static enum status check(const struct tune_programs *t, struct error *e)
{
    for (size_t i = 0; i < t->n; i++)
        if (!t->at[i].test)
            return OK;
    return error_set(e, ERR_INPUT, NOWHERE, "no program to fit on: all are test programs, or none has a profile");
}

enum status tune(struct tune_result *out, struct costs *c, const struct tune_programs *t, bool leaves_out,
                 struct error *e)
{
    struct costs from;
    *out = (struct tune_result){0};
    enum status s = check(t, e);
    if (s)
        return s;
    schedule_say_misprediction(c);
    costs_copy(&from, c);
    struct tuner u = {.from = &from, .to = c, .t = t};
    u.estimate = out->estimates = xcalloc(t->n, sizeof *u.estimate);
    u.left_out = out->estimates_left_out = leaves_out ? xcalloc(t->n, sizeof *u.left_out) : 0;
    u.without_events = out->estimates_without_events = leaves_out ? xcalloc(t->n, sizeof *u.without_events) : 0;
    u.probed = xcalloc(t->n, sizeof *u.probed);
    u.slopes = xcalloc(t->n, SCHEDULE_FACTORS * sizeof *u.slopes);
    s = run(&u, out, e);
    free(u.probed);
    free(u.slopes);
    costs_release(&from);
    return s;
}

void tune_release(struct tune_result *r)
{
    free(r->estimates);
    free(r->estimates_left_out);
    free(r->estimates_without_events);
    *r = (struct tune_result){0};
}
