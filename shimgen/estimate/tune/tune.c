/* tune.c - fits Latency and Pitch through the schedule by Gauss-Newton steps. */
#include "shimgen/estimate/tune/tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/key.h"
#include "regress/solve/lapack.h"
#include "shimgen/estimate/schedule/schedule.h"

enum { ITERATIONS = 5 };
static const double deviation = 0.3; /* of the logarithm of a factor: two thirds of them are believed within 1.35 */
static const double lower = 0.1;     /* errors below this weigh as squares, above as absolute values */
static const double longest = 0.5;   /* of a step */
static const double probe = 0.06;    /* for derivatives */

enum { PITCH = 1, LATENCY = 2, WORST = 4 };
#define OF(class_) (1U << IR_CLASS_##class_)
#define SIMPLE                                                                                                         \
    (OF(SUM) | OF(LOGIC) | OF(SHIFT) | OF(COMPARE) | OF(SELECT) | OF(ADDRESS) | OF(EXTENSION) | OF(TRUNCATION))
#define FLOAT (OF(FSUM) | OF(FPRODUCT) | OF(FNEGATION) | OF(FCOMPARE))
_Static_assert(IR_CLASSES <= 32, "a bit for each class");
static const struct {
    const char *name;
    unsigned classes;      /* of instructions; 0: this one alone: */
    enum ir_opcode opcode; /* IR_NONE: functions of the library */
    int what;
} factors[TUNE_FACTORS] = {
    {"Latency of integer instructions", SIMPLE, IR_NONE, LATENCY},
    {"Pitch of integer instructions", SIMPLE, IR_NONE, PITCH},
    {"Latency of load", 0, IR_LOAD, LATENCY},
    {"Pitch of load", 0, IR_LOAD, PITCH},
    {"Pitch of store", 0, IR_STORE, PITCH},
    {"values of mul", 0, IR_MUL, PITCH | LATENCY},
    {"values of integer divisions", OF(DIVISION), IR_NONE, PITCH | LATENCY},
    {"Latency of fadd, fsub, fmul, fcmp", FLOAT, IR_NONE, LATENCY},
    {"Pitch of fadd, fsub, fmul, fcmp", FLOAT, IR_NONE, PITCH},
    {"values of fdiv", 0, IR_FDIV, PITCH | LATENCY},
    {"values of conversions", OF(CONVERSION), IR_NONE, PITCH | LATENCY},
    {"values of br", 0, IR_BR, PITCH | LATENCY},
    {"values of call", 0, IR_CALL, PITCH | LATENCY},
    {"values of ret", 0, IR_RET, PITCH | LATENCY},
    {"values of vectors' elements", OF(VECTOR), IR_NONE, PITCH | LATENCY},
    {"values of functions of the library", 0, IR_NONE, PITCH | LATENCY},
    {"what br takes at worst", 0, IR_BR, WORST},
};

const char *tune_factor_name(size_t i)
{
    return i < TUNE_FACTORS ? factors[i].name : 0;
}

static void scale(struct cycles *c, double factor)
{
    *c = (struct cycles){c->best * factor, c->typical * factor, c->worst * factor};
}

/* Is `name` ("mul.i64", "call.library.sin") of this kind? Calls of intrinsics and functions are not calls. */
static bool is_of(const char *name, size_t kind)
{
    struct ir_key k = ir_key(name);
    if (k.opcode == IR_CALL && k.name)
        return k.form == IR_LIBRARY && !factors[kind].classes && factors[kind].opcode == IR_NONE;
    if (factors[kind].classes)
        return k.opcode != IR_NONE && factors[kind].classes >> k.class & 1;
    return k.opcode != IR_NONE && k.opcode == factors[kind].opcode;
}

/* The worst of br is what a misprediction costs: it is scaled by itself, and never below typical. */
static void scale_kind(struct costs *c, size_t kind, double factor)
{
    for (size_t i = 0; i < c->names.n; i++) {
        if (!is_of(c->names.keys[i], kind))
            continue;
        if (factors[kind].what & PITCH)
            scale(&c->pitch[i], factor);
        if (factors[kind].what & LATENCY)
            scale(&c->latency[i], factor);
        if (factors[kind].what & WORST)
            c->latency[i].worst = fmax(c->latency[i].typical, c->latency[i].worst * factor);
    }
}

struct tuner {
    const struct costs *from;
    struct costs *to;
    const struct tune_programs *t;
    double logs[TUNE_FACTORS];
    double *estimate, *probed, *left_out, *without_events; /* of each program; tune_result has the same */
    double *slopes;                                        /* of each program and factor: of its relative error */
};

static void apply(struct tuner *u, const double *logs)
{
    for (size_t i = 0; i < u->from->names.n; i++) {
        u->to->pitch[i] = u->from->pitch[i];
        u->to->latency[i] = u->from->latency[i];
    }
    for (size_t k = 0; k < TUNE_FACTORS; k++)
        scale_kind(u->to, k, exp(logs[k]));
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
    for (size_t k = 0; k < TUNE_FACTORS; k++) {
        double logs[TUNE_FACTORS];
        memcpy(logs, u->logs, sizeof logs);
        logs[k] += probe;
        enum status s = estimate_all(u, logs, u->probed, e);
        if (s)
            return s;
        for (size_t i = 0; i < u->t->n; i++)
            u->slopes[i * TUNE_FACTORS + k] = (error_of(u, u->probed, i) - error_of(u, u->estimate, i)) / probe;
    }
    return OK;
}

/* The step from `logs`, where the errors are those of `cycles`, with all training programs but those of a group
 * (REGRESS_NONE: all). */
static void find_step(const struct tuner *u, const double *logs, const double *cycles, size_t without, double *step)
{
    double a[TUNE_FACTORS * TUNE_FACTORS] = {0};
    double believed = 1 / (deviation * deviation);
    for (size_t k = 0; k < TUNE_FACTORS; k++) {
        a[k * TUNE_FACTORS + k] = believed;
        step[k] = -believed * logs[k];
    }
    for (size_t i = 0; i < u->t->n; i++) {
        const double *slope = u->slopes + i * TUNE_FACTORS;
        if (u->t->at[i].test || u->t->at[i].group == without)
            continue;
        double error = error_of(u, cycles, i), weight = 1 / fmax(lower, fabs(error));
        for (size_t k = 0; k < TUNE_FACTORS; k++) {
            step[k] -= weight * slope[k] * error;
            for (size_t j = 0; j < TUNE_FACTORS; j++)
                a[k * TUNE_FACTORS + j] += weight * slope[k] * slope[j];
        }
    }
    if (!isfinite(lapack_cholesky(TUNE_FACTORS, a))) /* only where estimates are not finite: no step helps */
        memset(step, 0, TUNE_FACTORS * sizeof *step);
    else
        lapack_solve(TUNE_FACTORS, a, step);
    for (size_t k = 0; k < TUNE_FACTORS; k++)
        step[k] = fmax(-longest, fmin(longest, step[k]));
}

/* ---- how good it is ---- */

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

/* The factors without a group: near those of all programs cycles are taken to be linear in them. */
static void fit_without(struct tuner *u, size_t group, double *logs)
{
    double step[TUNE_FACTORS];
    memcpy(logs, u->logs, sizeof u->logs);
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        for (size_t i = 0; i < u->t->n; i++) {
            u->probed[i] = u->estimate[i];
            for (size_t k = 0; k < TUNE_FACTORS; k++)
                u->probed[i] += u->slopes[i * TUNE_FACTORS + k] * (logs[k] - u->logs[k]) * u->t->at[i].measured;
        }
        find_step(u, logs, u->probed, group, step);
        for (size_t k = 0; k < TUNE_FACTORS; k++)
            logs[k] += step[k];
    }
}

/* A program by the values as they are now, which were found without it. */
static enum status estimate_left_out(const struct tuner *u, size_t i, struct error *e)
{
    enum status s = estimate_one(u, i, u->left_out, e);
    return s ? s : estimate_with(u, i, false, u->without_events, e);
}

/* Each program by the schedule with the factors that were found without its group; test programs had no part in any. */
static enum status leave_out(struct tuner *u, struct error *e)
{
    enum status s = find_slopes(u, e);
    for (size_t g = 0; g < u->t->n_groups && !s; g++) {
        double logs[TUNE_FACTORS];
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
        double step[TUNE_FACTORS];
        s = find_slopes(u, e);
        if (s)
            break;
        find_step(u, u->logs, u->estimate, REGRESS_NONE, step);
        for (size_t k = 0; k < TUNE_FACTORS; k++)
            u->logs[k] += step[k];
        s = estimate_all(u, u->logs, u->estimate, e);
    }
    for (size_t k = 0; k < TUNE_FACTORS; k++)
        out->factors[k] = exp(u->logs[k]);
    out->training = errors(u, u->estimate, false);
    out->test = errors(u, u->estimate, true);
    return s;
}

/* What leaves programs out is asked for with an array for it. */
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

/* Where br's worst does not say what a misprediction costs, it is what the schedule assumes: then it can be fitted. */
static void say_misprediction(struct costs *c)
{
    size_t i;
    if (costs_has(c, IR_BR, &i))
        c->latency[i].worst = c->latency[i].typical + schedule_misprediction(c);
}

enum status tune(struct tune_result *out, struct costs *c, const struct tune_programs *t, bool leaves_out,
                 struct error *e)
{
    struct costs from;
    *out = (struct tune_result){0};
    enum status s = check(t, e);
    if (s)
        return s;
    say_misprediction(c);
    costs_copy(&from, c);
    struct tuner u = {.from = &from, .to = c, .t = t};
    u.estimate = out->estimates = xcalloc(t->n, sizeof *u.estimate);
    u.left_out = out->estimates_left_out = leaves_out ? xcalloc(t->n, sizeof *u.left_out) : 0;
    u.without_events = out->estimates_without_events = leaves_out ? xcalloc(t->n, sizeof *u.without_events) : 0;
    u.probed = xcalloc(t->n, sizeof *u.probed);
    u.slopes = xcalloc(t->n, TUNE_FACTORS * sizeof *u.slopes);
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
