/* trust.c - intervals of estimates, and warnings about programs unlike those fitted on. */
#include "shimgen/estimate/intervals/trust.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/key.h"
#include "base/map.h"
#include "base/progress.h"
#include "base/str.h"
#include "shimgen/estimate/roles.h"

/* A value that fewer programs than this have shown is hardly known. */
static const size_t few_groups = 3;
/* Shares of the instructions below this are not worth a word. */
static const double negligible = 0.001;

/* ---- what the programs fitted on had ---- */

static void keys_of_model(struct trust *t)
{
    const struct regress_model *m = t->model;
    t->programs = xcalloc(m->n_keys, sizeof *t->programs);
    for (size_t i = 0; i < m->n_keys; i++) {
        size_t variable = m->keys[i].variable;
        map_put(&t->keys, m->keys[i].key, i);
        if (m->keys[i].count > 0)
            t->programs[i] = variable == REGRESS_NONE ? few_groups : m->values[variable].groups;
    }
}

/* In how many programs that are not for tests the column is not 0. */
static size_t programs_with(const struct regress_data *d, size_t column)
{
    bool *seen = xcalloc(d->n_groups, sizeof *seen);
    size_t n = 0;
    for (size_t row = 0; row < d->n; row++) {
        bool has = !roles_test(d, row) && d->values[row * d->cols + column] > 0;
        n += has && !seen[d->groups[row]];
        seen[d->groups[row]] |= has;
    }
    free(seen);
    return n;
}

static enum status keys_of_dataset(struct trust *t, const char *dataset, struct error *e)
{
    struct regress_data *d = 0;
    enum status s = regress_data_read(&d, dataset, e);
    if (!s && d->hash != t->schedule->data_hash)
        s = error_set(e, ERR_INPUT, AT_FILE(dataset), "the values were fitted on another table (%s)",
                      t->schedule->data_name);
    if (!s)
        s = roles_describe(d, 0, e);
    t->programs = s ? 0 : xcalloc(d->cols, sizeof *t->programs);
    for (size_t i = 0; !s && i < d->cols; i++) {
        map_put(&t->keys, d->names[i], i);
        t->programs[i] = programs_with(d, i);
    }
    regress_data_free(d);
    return s;
}

/* ---- the model ---- */

static enum status read_schedule(struct trust *t, const char *model, const char *dataset, const char *shim,
                                 struct error *e)
{
    enum status s = schedule_model_read(&t->schedule, model, e);
    if (s)
        return error_context(e, "--model for method schedule is the schedule.json of 'shimgen build' or 'tune'");
    if (strcmp(t->schedule->shim, path_basename(shim)) != 0)
        progress_note("%s belongs to the values in %s: its intervals may not apply to %s", model, t->schedule->shim,
                      path_basename(shim));
    return dataset ? keys_of_dataset(t, dataset, e) : OK;
}

/* A model of whole programs (programs.json) counts the target's instructions: it has no value for any of the IR. */
static bool has_values(const struct regress_model *m)
{
    for (size_t i = 0; i < m->n_keys; i++)
        if (m->keys[i].variable != REGRESS_NONE)
            return true;
    return false;
}

static enum status read_model(struct trust *t, const char *model, const char *dataset, struct error *e)
{
    enum status s = regress_model_read(&t->model, model, e);
    if (!s && !has_values(t->model))
        s = error_set(e, ERR_INPUT, AT_FILE(model),
                      "it has no values of instructions: give the model.json of the SHIM file's values");
    if (s)
        return s;
    keys_of_model(t);
    if (!dataset)
        return OK;
    s = leverage_make(&t->leverage, t->model, dataset, e);
    t->has_leverage = !s;
    return s;
}

/* ---- intervals ---- */

static void intervals_of_schedule(struct trust *t)
{
    t->n_intervals = t->schedule->n_intervals;
    t->intervals = xmemdup(t->schedule->intervals, t->n_intervals * sizeof *t->intervals);
}

static void interval_of_model(struct trust *t)
{
    const struct regress_model *m = t->model;
    if (!(m->level > 0))
        return;
    t->intervals = xcalloc(1, sizeof *t->intervals);
    t->n_intervals = 1;
    *t->intervals = (struct shimxml_interval){.code = SHIMXML_ANY_CODE,
                                              .below = INFINITY,
                                              .level = m->level,
                                              .low = m->error_high > -1 ? 1 / (1 + m->error_high) : 0,
                                              .high = m->error_low > -1 ? 1 / (1 + m->error_low) : (double)INFINITY};
}

enum status trust_read(struct trust *out, const char *model, const char *dataset, const struct estimator *method,
                       const char *shim, struct error *e)
{
    *out = (struct trust){0};
    enum status s = method == &estimator_schedule ? read_schedule(out, model, dataset, shim, e)
                                                  : read_model(out, model, dataset, e);
    if (!s && out->schedule)
        intervals_of_schedule(out);
    else if (!s)
        interval_of_model(out);
    if (!s && !out->n_intervals)
        out->why_none = xasprintf("no intervals: %s has none, as it has too few programs", path_basename(model));
    return s;
}

void trust_of_shim(struct trust *out, const struct costs *costs, const struct estimator *method, const char *shim)
{
    const char *name = path_basename(shim);
    *out = (struct trust){0};
    if (estimator_from_board(method))
        out->why_none = xasprintf("no intervals: none are known for method %s", method->name);
    else if (!costs->interval)
        out->why_none = xasprintf("no intervals: %s has none. 'shimgen build' and 'shimgen tune' write files with "
                                  "intervals; --model takes them from the model of the values",
                                  name);
    else if (method != estimator_choose(0, costs))
        out->why_none = xasprintf("no intervals: those of %s are for --method %s", name, costs->method);
    else if (!shimxml_intervals_read(&out->intervals, &out->n_intervals, costs->interval))
        out->why_none = xasprintf("no intervals: those of %s cannot be read ('shim-xml check' shows them): build it "
                                  "again",
                                  name);
}

void trust_release(struct trust *t)
{
    leverage_release(&t->leverage);
    regress_model_free(t->model);
    schedule_model_free(t->schedule);
    map_release(&t->keys);
    free(t->programs);
    free(t->intervals);
    free(t->why_none);
    *t = (struct trust){0};
}

double trust_level(const struct trust *t)
{
    double level = 0;
    for (size_t i = 0; i < t->n_intervals; i++)
        level = fmax(level, t->intervals[i].level);
    return level;
}

struct trust_kind trust_kind_of(const struct irprof_profile *p, size_t region, double whole)
{
    return (struct trust_kind){schedule_is_optimised(p, region) ? SHIMXML_OPTIMISED : SHIMXML_UNOPTIMISED,
                               schedule_events_in(p), whole};
}

/* *exact: it was found for such estimates; else it is the widest of those that come near. */
static const struct shimxml_interval *interval_for(bool *exact, const struct trust *t, const struct trust_kind *kind)
{
    double cycles = kind->whole;
    const struct shimxml_interval *v = 0;
    if (kind->events != SCHEDULE_SOME_EVENTS)
        v = shimxml_interval_of(t->intervals, t->n_intervals, kind->code, kind->events == SCHEDULE_EVENTS, cycles);
    const struct shimxml_interval *widest = shimxml_interval_widest(t->intervals, t->n_intervals, kind->code, cycles);
    *exact = v || (widest && widest->code == SHIMXML_ANY_CODE);
    return v ? v : widest;
}

double trust_interval(double *low, double *high, const struct trust *t, const struct trust_kind *kind, double cycles)
{
    bool exact;
    const struct shimxml_interval *v = interval_for(&exact, t, kind);
    *low = *high = NAN;
    if (!v || !(kind->whole > 0)) /* an estimate of 0 has no ratio to what is measured */
        return 0;
    if (v->low > 0)
        *low = cycles * v->low;
    if (isfinite(v->high))
        *high = cycles * v->high;
    return v->level;
}

char *trust_remark(const struct trust *t, const struct trust_kind *kind)
{
    static const char *const events[] = {[SCHEDULE_NO_EVENTS] = "without simulated misses and mispredictions",
                                         [SCHEDULE_SOME_EVENTS] = "with misses or mispredictions alone",
                                         [SCHEDULE_EVENTS] = "with simulated misses and mispredictions"};
    const char *code = kind->code == SHIMXML_OPTIMISED ? "optimised" : "not optimised";
    bool exact;
    const struct shimxml_interval *v = interval_for(&exact, t, kind);
    if (!t->n_intervals)
        return 0;
    if (!(kind->whole > 0))
        return xstrdup("no interval: the estimate is 0 cycles");
    if (exact)
        return 0;
    if (!v)
        return xasprintf("no interval: none is known for code that is %s", code);
    return xasprintf("its interval is the widest for code that is %s: none is known for estimates %s", code,
                     events[kind->events]);
}

/* ---- is the program like those fitted on? ---- */

/* Names of keys and the share of the instructions that they are. */
struct list {
    struct str names;
    size_t n;
    double share;
};

static void list_add(struct list *l, const char *name, double share)
{
    if (share < negligible)
        return;
    if (l->n < 5)
        str_addf(&l->names, "%s%s", l->n ? ", " : "", name);
    l->n++;
    l->share += share;
}

static void note(struct estimate *est, struct list *l, const char *what)
{
    if (l->n)
        estimate_note(est, "%s: %s%s; %.2g %% of what was executed", what, str_text(&l->names),
                      l->n > 5 ? " and others" : "", 100 * l->share);
    str_release(&l->names);
}

static void note_keys(struct estimate *est, const struct trust *t)
{
    const struct irprof_profile *p = est->profile;
    struct list unseen = {.names = STR_INIT}, rare = {.names = STR_INIT};
    uint64_t *counts = xcalloc(p->n_keys, sizeof *counts);
    double total = 0;
    irprof_key_counts(p, est->region, counts);
    for (size_t i = 0; i < p->n_keys; i++)
        total += (double)counts[i];
    for (size_t i = 0; i < p->n_keys; i++) {
        size_t at, programs = map_get(&t->keys, p->keys[i], &at) ? t->programs[at] : 0;
        double share = total > 0 ? (double)counts[i] / total : 0;
        if (programs < few_groups)
            list_add(programs ? &rare : &unseen, p->keys[i], share);
    }
    note(est, &unseen, "not in the programs that the model was fitted on: no program had");
    note(est, &rare, "rare in the programs that the model was fitted on: fewer than 3 programs had");
    free(counts);
}

/* ---- are the file's values the model's? ---- */

struct values {
    double least, most; /* of an instruction's keys in the model */
};

/* In a SHIM file an instruction has one value, a mean of its keys': it lies between them. */
static bool between(const struct values *v, const struct cycles *c)
{
    double room = 1e-3 * fabs(v->most) + 1e-3;
    return c->typical >= v->least - room && c->typical <= v->most + room;
}

/* Most of the instructions that the model's rows had, waiting or not, have values in the file that it cannot have
 * given. */
static bool of_another_model(const struct costs *c, const struct regress_model *m)
{
    struct map names = {0};
    VEC(struct values) at = {0};
    size_t off = 0, n = 0;
    for (size_t i = 0; i < m->n_keys; i++) {
        struct ir_key key = ir_key(m->keys[i].key);
        char *name = ir_marked(key.text, key.n_instruction, key.dependent);
        double value = m->keys[i].value;
        size_t k = map_number(&names, name);
        if (k == at.n)
            vec_push(&at, ((struct values){INFINITY, -INFINITY}));
        if (m->keys[i].variable != REGRESS_NONE && m->keys[i].count > 0)
            at.at[k] = (struct values){fmin(at.at[k].least, value), fmax(at.at[k].most, value)};
        free(name);
    }
    for (size_t k = 0; k < at.n; k++) {
        struct ir_key key = ir_key(names.keys[k]);
        char *instruction = ir_key_instruction(&key);
        size_t i;
        if (at.at[k].least <= at.at[k].most && map_get(&c->names, instruction, &i)) {
            n++;
            off += !between(&at.at[k], key.dependent ? &c->latency[i] : &c->pitch[i]);
        }
        free(instruction);
    }
    map_release(&names);
    vec_release(&at);
    return 2 * off > n;
}

void trust_note(struct estimate *est, const struct trust *t)
{
    struct trust_kind kind = trust_kind_of(est->profile, est->region, est->total.typical);
    char *remark = trust_remark(t, &kind);
    if (remark)
        estimate_note(est, "%s", remark);
    free(remark);
    if (t->keys.n)
        note_keys(est, t);
    if (t->model && of_another_model(est->costs, t->model))
        estimate_note(est, "the values of core %s are not those of the model: the intervals do not apply to them",
                      est->costs->core);
    if (t->has_leverage)
        leverage_note(est, &t->leverage);
}
