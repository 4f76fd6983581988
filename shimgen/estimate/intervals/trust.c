/* trust.c - intervals of estimates, and warnings about programs unlike the training programs. */
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
#include "boards/boards.h"
#include "shimgen/estimate/tune/roles.h"
#include "sim/core/core_model.h"

/* smaller shares of the instructions are not mentioned */
static const double negligible = 0.001;

/* ---- keys in the training programs ---- */

/* hash, name: of the table that the values were fitted to. */
static enum status keys_of_dataset(struct trust *t, const char *dataset, uint64_t hash, const char *name,
                                   struct error *e)
{
    struct regress_data *d = 0;
    enum status s = regress_data_read(&d, dataset, e);
    if (!s && d->hash != hash)
        s = error_set(e, ERR_INPUT, AT_FILE(dataset), "the values were fitted on another table (%s)", name);
    if (!s)
        s = roles_describe(d, 0, e);
    if (!s)
        familiar_of_rows(&t->familiar, d, 0);
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
    return dataset ? keys_of_dataset(t, dataset, t->schedule->data_hash, t->schedule->data_name, e) : OK;
}

/* A model of whole programs (programs.json) counts the target's instructions, so it has no values for those of the
 * IR. */
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
    if (dataset)
        return keys_of_dataset(t, dataset, t->model->data_hash, t->model->data_name, e);
    familiar_of_model(&t->familiar, t->model);
    return OK;
}

/* ---- intervals ---- */

static void intervals_of_schedule(struct trust *t)
{
    t->n_intervals = t->schedule->n_intervals;
    t->intervals = xmemdup(t->schedule->intervals, t->n_intervals * sizeof *t->intervals);
}

static void add_model_interval(struct trust *t, enum shimxml_code code, bool events, const struct regress_interval *v)
{
    t->intervals[t->n_intervals++] =
        (struct shimxml_interval){.code = code,
                                  .events = events,
                                  .below = INFINITY,
                                  .level = v->level,
                                  .low = v->error_high > -1 ? 1 / (1 + v->error_high) : 0,
                                  .high = v->error_low > -1 ? 1 / (1 + v->error_low) : (double)INFINITY};
}

/* Takes the intervals of both kinds of code if the model has them, whether or not the profile has misses; else that of
 * any code. */
static void intervals_of_model(struct trust *t)
{
    const struct regress_model *m = t->model;
    const struct regress_interval *plain = &m->of_code[REGRESS_UNOPTIMISED],
                                  *optimised = &m->of_code[REGRESS_OPTIMISED];
    t->intervals = xcalloc(4, sizeof *t->intervals);
    if (plain->level > 0 && optimised->level > 0) {
        for (int events = 0; events < 2; events++) {
            add_model_interval(t, SHIMXML_UNOPTIMISED, events, plain);
            add_model_interval(t, SHIMXML_OPTIMISED, events, optimised);
        }
    } else if (m->level > 0) {
        add_model_interval(t, SHIMXML_ANY_CODE, false,
                           &(struct regress_interval){m->level, m->error_low, m->error_high});
    }
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
        intervals_of_model(out);
    if (!s && !out->n_intervals)
        out->why_none = xasprintf("no intervals: %s has none, as it has too few programs", path_basename(model));
    return s;
}

void trust_of_shim(struct trust *out, const struct costs *costs, const struct estimator *method, const char *shim)
{
    const char *name = path_basename(shim);
    const char *is_for = costs->interval_for ? costs->interval_for : estimator_choose(0, costs)->name;
    *out = (struct trust){0};
    if (!costs->interval)
        out->why_none = xasprintf("no intervals: %s has none. 'shimgen build' and 'shimgen tune' write files with "
                                  "intervals; --model takes them from the model of the values",
                                  name);
    else if (strcmp(method->name, is_for) != 0)
        out->why_none = xasprintf("no intervals: those of %s are for --method %s", name, is_for);
    else if (!shimxml_intervals_read(&out->intervals, &out->n_intervals, costs->interval))
        out->why_none = xasprintf("no intervals: those of %s cannot be read ('shim-xml check' shows them): build it "
                                  "again",
                                  name);
}

/* Of a core without caches and predictor nothing misses, so that it makes no difference what was simulated. */
static bool nothing_misses(const struct board *b)
{
    struct iss_model *m = 0;
    struct error e = ERROR_INIT;
    bool nothing = *b->model && !iss_model_read(&m, b->model, &e) && m->no_caches && m->predictor.none;
    iss_model_free(m);
    error_release(&e);
    return nothing;
}

static void add_board_interval(struct trust *t, const struct board_interval *v, enum shimxml_code code, bool events)
{
    t->intervals[t->n_intervals++] = (struct shimxml_interval){
        .code = code, .events = events, .below = INFINITY, .level = v->level, .low = v->low, .high = v->high};
}

void trust_of_board(struct trust *out, const char *board, const char *core)
{
    struct board *b = 0;
    struct error e = ERROR_INIT;
    char *file = core && !strchr(core, '/') ? xasprintf("./%s", core) : NULL;
    *out = (struct trust){.intervals = xcalloc(4, sizeof *out->intervals)};
    enum status s = board_load(&b, file ? file : core ? core : board, &e);
    out->need_events = s || !nothing_misses(b);
    for (size_t i = 0; !s && i < 2; i++) {
        const struct board_interval *v = &b->compiled_intervals[i];
        enum shimxml_code code = i ? SHIMXML_OPTIMISED : SHIMXML_UNOPTIMISED;
        for (int events = out->need_events; events < 2 && v->level > 0; events++)
            add_board_interval(out, v, code, events);
    }
    if (core && !out->n_intervals)
        out->why_none =
            xasprintf("no intervals: those of board %s are not for the timing of %s, and it has none", board, core);
    else if (!out->n_intervals && !s && board_is_core(b))
        out->why_none = xstrdup("no intervals: none is known of estimates on this core's timing");
    else if (!out->n_intervals)
        out->why_none = xasprintf("no intervals: the description of board %s has none for method compiled", board);
    error_release(&e);
    free(file);
    if (!s)
        board_free(b);
}

void trust_release(struct trust *t)
{
    regress_model_free(t->model);
    schedule_model_free(t->schedule);
    familiar_release(&t->familiar);
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

/* Is the interval independent of misses and mispredictions? */
static bool of_any_events(const struct trust *t, const struct trust_kind *kind)
{
    const struct shimxml_interval *with =
                                      shimxml_interval_of(t->intervals, t->n_intervals, kind->code, true, kind->whole),
                                  *without =
                                      shimxml_interval_of(t->intervals, t->n_intervals, kind->code, false, kind->whole);
    return with && without && with->low == without->low && with->high == without->high;
}

/* *exact: it was found for such estimates; otherwise it is the widest of the similar ones. */
static const struct shimxml_interval *interval_for(bool *exact, const struct trust *t, const struct trust_kind *kind)
{
    double cycles = kind->whole;
    const struct shimxml_interval *v = 0;
    *exact = false;
    if (t->need_events && kind->events != SCHEDULE_EVENTS)
        return 0;
    if (kind->events != SCHEDULE_SOME_EVENTS)
        v = shimxml_interval_of(t->intervals, t->n_intervals, kind->code, kind->events == SCHEDULE_EVENTS, cycles);
    const struct shimxml_interval *widest = shimxml_interval_widest(t->intervals, t->n_intervals, kind->code, cycles);
    *exact = v || (widest && of_any_events(t, kind));
    return v ? v : widest;
}

double trust_interval(double *low, double *high, const struct trust *t, const struct trust_kind *kind, double cycles)
{
    bool exact;
    const struct shimxml_interval *v = interval_for(&exact, t, kind);
    *low = *high = NAN;
    if (!v || !(kind->whole > 0)) /* an estimate of 0 has no ratio to the measurement */
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
    if (!v && t->need_events)
        return xasprintf("no interval: none is known for estimates %s", events[kind->events]);
    if (!v)
        return xasprintf("no interval: none is known for code that is %s", code);
    return xasprintf("its interval is the widest for code that is %s: none is known for estimates %s", code,
                     events[kind->events]);
}

/* ---- is the program like the training programs? ---- */

/* Names of keys, and their share of the instructions. */
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

static void note_rare(struct estimate *est, struct list *l)
{
    if (l->share >= FAMILIAR_SHARE) {
        est->doubts |= 1u << DOUBT_RARE;
        estimate_note(
            est,
            "unlike the programs that the model was fitted on: fewer than %d of them had %s%s; %.2g %% of what "
            "was executed",
            FAMILIAR_PROGRAMS, str_text(&l->names), l->n > 5 ? " and others" : "", 100 * l->share);
    }
    str_release(&l->names);
}

static void note_keys(struct estimate *est, const struct trust *t)
{
    const struct irprof_profile *p = est->profile;
    struct list rare = {.names = STR_INIT};
    uint64_t *counts = xcalloc(p->n_keys, sizeof *counts);
    double total = 0;
    irprof_key_counts(p, est->region, counts);
    for (size_t i = 0; i < p->n_keys; i++)
        total += (double)counts[i];
    for (size_t i = 0; i < p->n_keys; i++)
        if (!familiar_with(&t->familiar, p->keys[i]))
            list_add(&rare, p->keys[i], total > 0 ? (double)counts[i] / total : 0);
    note_rare(est, &rare);
    free(counts);
}

/* ---- do the file's values come from the model? ---- */

struct values {
    double least, most; /* over an instruction's keys in the model */
};

/* In a SHIM file an instruction has one value, a mean over its keys. So it lies between their values. */
static bool between(const struct values *v, const struct cycles *c)
{
    double room = 1e-3 * fabs(v->most) + 1e-3;
    return c->typical >= v->least - room && c->typical <= v->most + room;
}

/* Are most values of the instructions in the model's rows, dependent or not, ones that the model cannot have given? */
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
    if (t->familiar.keys.n)
        note_keys(est, t);
    if (t->model && of_another_model(est->costs, t->model))
        estimate_note(est, "the values of core %s are not those of the model: the intervals do not apply to them",
                      est->costs->core);
}
