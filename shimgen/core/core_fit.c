/* core_fit.c - finds a core's figures from trials by trying values, and how precisely each is determined. */
#include "shimgen/core/core_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shimgen/core/fit_begin.h"

enum { SWEEPS = 8, REACH = 40, NEAR = 6 };
#define TOLD_APART 1.0 /* sum of errors (core_fit_error) from which two values can be told apart */
#define SAME       0.5 /* a smaller improvement does not justify another unit */

/* ---- the model's error ---- */

double core_fit_error(struct core_fit *f, size_t trial)
{
    const struct core_trial *t = &f->run->trials.list.at[trial];
    if (!isfinite(t->cycles))
        return NAN;
    double predicted = core_predict_unit(&f->predict, trial);
    double told = 0.05 * t->copies + 0.02 * fabs(t->cycles) + (isfinite(t->half_width) ? t->half_width : 0);
    return isfinite(predicted) ? fabs(predicted - t->cycles) / told : NAN;
}

/* Sum of the errors. If it exceeds `most`, returns any number above `most`: most values that are tried are bad. */
static double cost(struct core_fit *f, const size_t *trials, size_t n, double most)
{
    double sum = 0;
    for (size_t i = 0; i < n && sum <= most; i++) {
        double error = core_fit_error(f, trials[i]);
        sum += isfinite(error) ? error : 0;
    }
    return sum;
}

static double cost_within(struct core_fit *f, const struct core_found *v, double most)
{
    return cost(f, v->trials, v->n_trials, most);
}

static double cost_of(struct core_fit *f, const struct core_found *v)
{
    return cost_within(f, v, INFINITY);
}

/* ---- the figures ---- */

static bool tells_of(const struct core_trial *t, unsigned class)
{
    for (unsigned i = 0; i < t->n_classes; i++)
        if (t->classes[i] == class)
            return true;
    return false;
}

/* Finds the trials that ran and that change with the figure, by comparing with a distant value. A result's latency is
 * determined by trials of its own class, not by those that also wait for others' results. */
static void find_trials(struct core_fit *f, struct core_found *v, int64_t other)
{
    int64_t now = core_fit_get(f, v);
    for (size_t i = 0; i < f->run->trials.list.n; i++) {
        const struct core_trial *t = &f->run->trials.list.at[i];
        if (!isfinite(t->cycles) || (v->kind != CORE_GLOBAL && t->classes[0] != core_fit_class(f, v->kernel)))
            continue;
        double before = core_predict_unit(&f->predict, i);
        core_fit_put(f, v, other);
        double after = core_predict_unit(&f->predict, i);
        core_fit_put(f, v, now);
        if (!isfinite(before) || !(fabs(before - after) > 0.02 * t->copies + 0.01 * before))
            continue;
        v->trials = xreallocarray(v->trials, v->n_trials + 1, sizeof *v->trials);
        v->trials[v->n_trials++] = i;
    }
}

static void all_of_class(struct core_fit *f, struct core_found *v)
{
    for (size_t i = 0; i < f->run->trials.list.n; i++) {
        const struct core_trial *t = &f->run->trials.list.at[i];
        if (!isfinite(t->cycles) || !tells_of(t, core_fit_class(f, v->kernel)))
            continue;
        v->trials = xreallocarray(v->trials, v->n_trials + 1, sizeof *v->trials);
        v->trials[v->n_trials++] = i;
    }
}

/* A value at which the figure would have an effect. */
static int64_t far_from(const struct core_fit *f, const struct core_found *v)
{
    if (v->kind == CORE_AFTER)
        return core_fit_get(f, v) + 100;
    if (strcmp(v->key, "bytes") == 0)
        return core_fit_get(f, v) == 4 ? 8 : 4;
    if (strcmp(v->key, "width") == 0 || strcmp(v->key, "queue") == 0)
        return core_fit_get(f, v) == 1 ? 2 : 1;
    return core_fit_get(f, v) + 60;
}

static void list_trials(struct core_fit *f, struct core_found *v)
{
    v->n_trials = 0;
    if (v->kind == CORE_AFTER || v->kind == CORE_GLOBAL)
        find_trials(f, v, far_from(f, v));
    else
        all_of_class(f, v);
}

static void add_found(struct core_fit *f, struct core_found v)
{
    list_trials(f, &v);
    vec_push(&f->found, v);
}

static void list_again(struct core_fit *f)
{
    for (size_t i = 0; i < f->found.n; i++)
        if (f->found.at[i].kind == CORE_AFTER || f->found.at[i].kind == CORE_GLOBAL)
            list_trials(f, &f->found.at[i]);
}

static void list_class(struct core_fit *f, size_t kernel)
{
    const struct core_kernel *k = &f->run->trials.kernels->at[kernel];
    for (int need = 0; need < ISS_NEED_N && core_result_file(k); need++)
        add_found(f, (struct core_found){.kind = CORE_AFTER, .kernel = kernel, .need = need});
    if (k->kind->second_need && strcmp(k->kind->second_need, "result") == 0)
        add_found(f, (struct core_found){.kind = CORE_SECOND, .kernel = kernel});
    add_found(f, (struct core_found){.kind = CORE_UNIT, .kernel = kernel});
    add_found(f, (struct core_found){.kind = CORE_TAKE, .kernel = kernel});
    add_found(f, (struct core_found){.kind = CORE_SECOND_UNIT, .kernel = kernel});
    add_found(f, (struct core_found){.kind = CORE_BUSY, .kernel = kernel});
    if (strcmp(k->kind->unit, "alu") == 0 || strcmp(k->kind->unit, "branch") == 0)
        add_found(f, (struct core_found){.kind = CORE_LATE, .kernel = kernel});
}

/* Before its units: a stream of it takes as long whether it holds the core or keeps a unit busy. */
static void list_holds(struct core_fit *f, size_t kernel)
{
    static const enum core_figure_kind kinds[] = {CORE_ISSUE, CORE_HOLD, CORE_DRAINS};
    if (!core_kernel_holds(&f->run->trials.kernels->at[kernel]))
        return;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        add_found(f, (struct core_found){.kind = kinds[i], .kernel = kernel});
}

static void list_globals(struct core_fit *f)
{
    struct iss_model *m = f->model;
    const struct {
        const char *section, *key;
        int64_t *at;
    } globals[] = {
        {"issue", "width", &m->width},
        {"fetch", "bytes", &m->fetch.bytes},
        {"fetch", "taken", &m->fetch.taken},
        {"fetch", "queue", &m->fetch.queue},
        {"fetch", "same_taken", &m->fetch.same_taken},
        {"fetch", "return", &m->fetch.back},
        {"fetch", "jump_register", &m->fetch.jump_register},
        {"fetch", "call_register", &m->fetch.call_register},
        {"fetch", "mispredicted", &m->fetch.mispredicted},
        {"data", "forward", &m->data.forward},
        {"data", "forward_wide", &m->data.forward_wide},
        {"issue", "write_back", &m->write_back_latency},
    };
    for (size_t i = 0; i < sizeof globals / sizeof *globals; i++)
        add_found(
            f, (struct core_found){
                   .kind = CORE_GLOBAL, .section = globals[i].section, .key = globals[i].key, .global = globals[i].at});
}

/* ---- values that are tried ---- */

static bool improve(struct core_fit *f, const struct core_found *v, int64_t from, int64_t to)
{
    int64_t now = core_fit_get(f, v), best = now;
    double least = cost_of(f, v);
    if (least < 0.5)
        return false;
    for (int64_t value = from; value <= to; value++) {
        if (value == now || !core_fit_possible(f, v, value))
            continue;
        core_fit_put(f, v, value);
        double here = cost_within(f, v, least);
        if (here < least - 1e-6) {
            least = here;
            best = value;
        }
    }
    core_fit_put(f, v, best);
    return best != now;
}

static bool improve_one(struct core_fit *f, const struct core_found *v, bool wide)
{
    int64_t now = core_fit_get(f, v), reach = wide ? REACH : NEAR;
    if (v->kind == CORE_UNIT || v->kind == CORE_SECOND_UNIT || v->kind == CORE_TAKE || v->kind == CORE_LATE)
        return improve(f, v, 0, ISS_UNIT_N);
    if (v->kind == CORE_DRAINS)
        return improve(f, v, 0, 1);
    if (v->kind == CORE_HOLD)
        return improve(f, v, 0, 64);
    if (v->kind == CORE_GLOBAL && strcmp(v->key, "width") != 0)
        return improve(f, v, 0, 64);
    return improve(f, v, now - (wide ? NEAR : 2), now + reach);
}

/* How long each copy must be busy to explain a stream of the class; without a stream, as now. For branches, a stream
 * tells how long fetching the target takes; for instructions that pass flags on, how long these take. */
static int16_t busy_of_stream(const struct core_fit *f, const struct core_found *v, unsigned unit, unsigned take)
{
    const struct iss_timing *t = core_fit_timing(f->model, core_fit_class(f, v->kernel));
    const struct core_kernel *k = &f->run->trials.kernels->at[v->kernel];
    char *name = core_class_name(k->class);
    double stream = core_trials_cycles(&f->run->trials, "%s/stream", name);
    free(name);
    bool other = strcmp(k->kind->unit, "branch") == 0 || core_chains_flags(k);
    long busy = isfinite(stream) && unit && !other ? lround(stream * (double)f->model->units[unit] / take) : 0;
    return busy < 1 || t->divide_bits ? t->busy : (int16_t)busy;
}

/* Are there so many copies of the unit, and a second unit? Unit 0 means no unit, of which there is one copy. */
static bool units_exist(const struct core_fit *f, unsigned unit, unsigned take, unsigned second)
{
    bool first = unit ? f->model->units[unit] >= take : take == 1;
    return first && (!second || (f->model->units[second] && second != unit));
}

/* Tries these units with the present busy time and with that of a stream. *best and *least are the best so far. */
static void try_units(struct core_fit *f, const struct core_found *v, const struct iss_timing *units,
                      struct iss_timing *best, double *least)
{
    struct iss_timing *t = core_fit_timing(f->model, core_fit_class(f, v->kernel));
    const int16_t busy[] = {units->busy, busy_of_stream(f, v, units->unit, units->take)};
    for (unsigned b = 0; b < 2 && (!b || busy[1] != busy[0]); b++) {
        t->unit = units->unit;
        t->take = units->take;
        t->second_unit = units->second_unit;
        t->busy = busy[b];
        core_fit_settle(f, v->kernel);
        double here = cost_within(f, v, *least);
        if (here < *least - 1e-6) {
            *least = here;
            *best = *t;
        }
    }
}

/* Unit, copies, second unit and busy time depend on each other, so they are tried together. */
static bool improve_units(struct core_fit *f, const struct core_found *v)
{
    struct iss_timing *t = core_fit_timing(f->model, core_fit_class(f, v->kernel)), now = *t, best = now;
    double least = cost_of(f, v);
    if (least < 0.5)
        return false;
    for (unsigned unit = 0; unit < ISS_UNIT_N; unit++)
        for (unsigned take = 1; take <= 2; take++)
            for (unsigned second = 0; second < ISS_UNIT_N; second++) {
                struct iss_timing units = now;
                units.unit = (uint8_t)unit;
                units.take = (uint8_t)take;
                units.second_unit = (uint8_t)second;
                if (units_exist(f, unit, take, second))
                    try_units(f, v, &units, &best, &least);
            }
    bool changed =
        best.unit != now.unit || best.take != now.take || best.second_unit != now.second_unit || best.busy != now.busy;
    *t = best;
    core_fit_settle(f, v->kernel);
    return changed;
}

/* All needs of its result so much later that the usual one is there after `latency` cycles. */
static void put_latency(struct core_fit *f, const struct core_found *v, struct iss_timing *t, long latency)
{
    long later = latency - t->after[core_main_need(&f->run->trials.kernels->at[v->kernel])];
    for (int need = 0; need < ISS_NEED_N; need++)
        t->after[need] = (int16_t)(t->after[need] + later);
}

/* Tries these with each way to issue; *best and *least are the best so far. */
static void try_holds(struct core_fit *f, const struct core_found *v, const struct iss_timing *with,
                      struct iss_timing *best, double *least)
{
    struct iss_timing *t = core_fit_timing(f->model, core_fit_class(f, v->kernel));
    for (int issue = ISS_ISSUE_ANY; issue <= ISS_ISSUE_ALONE; issue++)
        for (int drains = 0; drains < 2; drains++) {
            *t = *with;
            t->issue = (uint8_t)issue;
            t->drains = (uint8_t)drains;
            core_fit_settle(f, v->kernel);
            double here = cost_within(f, v, *least);
            if (here < *least - 1e-6) {
                *least = here;
                *best = *t;
            }
        }
}

/* Whether it is alone in its cycle, how long it holds the core, whether it waits for all before it, and when its result is there
 * belong together. A stream takes as long as it holds the core, or some cycles more where it waits for its like; what waits for
 * its result takes as long as that, or as it holds the core. */
static bool improve_holds(struct core_fit *f, const struct core_found *v)
{
    enum { FEWER = 3 };
    const struct core_trials *trials = &f->run->trials;
    struct iss_timing *t = core_fit_timing(f->model, core_fit_class(f, v->kernel)), best = *t;
    const struct iss_timing now = *t;
    double least = cost_of(f, v);
    if (least < 0.5)
        return false;
    char *name = core_class_name(core_fit_class(f, v->kernel));
    long stream = core_whole_cycles(core_trials_cycles(trials, "%s/stream", name));
    long wait = core_whole_cycles(core_trials_cycles(trials, "%s to operand", name));
    free(name);
    for (long hold = stream < FEWER ? 0 : stream - FEWER; hold <= stream + 1; hold++)
        for (long latency = wait < FEWER ? 0 : wait - FEWER; latency <= wait; latency++) {
            struct iss_timing with = now;
            with.hold = with.hold_load = with.hold_store = (int16_t)hold;
            put_latency(f, v, &with, latency);
            try_holds(f, v, &with, &best, &least);
        }
    *t = best;
    core_fit_settle(f, v->kernel);
    return best.issue != now.issue || best.drains != now.drains || best.hold != now.hold;
}

static bool sweep(struct core_fit *f, bool wide, bool late)
{
    bool changed = false;
    for (size_t i = 0; i < f->found.n; i++) {
        const struct core_found *v = &f->found.at[i];
        if (v->kind == CORE_LATE && !late)
            continue;
        changed |= v->kind == CORE_UNIT    ? improve_units(f, v)
                   : v->kind == CORE_ISSUE ? improve_holds(f, v)
                                           : improve_one(f, v, wide);
    }
    return changed;
}

/* Tries needs with the units from streams and pairs: a need that is too large makes a unit look free. Not of what holds the
 * core: its stream does not tell for how long, and its latency would be taken for that. */
static void sweep_needs(struct core_fit *f)
{
    for (size_t i = 0; i < f->found.n; i++) {
        const struct core_found *v = &f->found.at[i];
        if ((v->kind == CORE_AFTER || v->kind == CORE_SECOND) &&
            !core_kernel_holds(&f->run->trials.kernels->at[v->kernel]))
            improve_one(f, v, true);
    }
}

static int by_size(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static double cost_with(struct core_fit *f, const struct core_found *v, int64_t value, double most)
{
    int64_t now = core_fit_get(f, v);
    core_fit_put(f, v, value);
    double here = cost_within(f, v, most);
    core_fit_put(f, v, now);
    return here;
}

/* Do trials determine it to the cycle? */
static bool is_exact(struct core_fit *f, const struct core_found *v)
{
    int64_t now = core_fit_get(f, v);
    double most = cost_of(f, v) + TOLD_APART;
    return v->n_trials && cost_with(f, v, now - 1, most) > most && cost_with(f, v, now + 1, most) > most;
}

static int main_latency(const struct core_fit *f, const struct core_found *v, int *need)
{
    *need = core_main_need(&f->run->trials.kernels->at[v->kernel]);
    return core_fit_timing(f->model, core_fit_class(f, v->kernel))->after[*need];
}

/* By how much most results are needed sooner or later so than as their own kind, according to the trials; 0: not
 * known. */
static int usual_need(struct core_fit *f, int need)
{
    int *found = xcalloc(f->found.n, sizeof *found), main;
    size_t n = 0;
    for (size_t i = 0; i < f->found.n; i++) {
        const struct core_found *v = &f->found.at[i];
        if (v->kind != CORE_AFTER || v->need != need)
            continue;
        int latency = main_latency(f, v, &main);
        if (main != need && is_exact(f, v))
            found[n++] = (int)core_fit_get(f, v) - latency;
    }
    qsort(found, n, sizeof *found, by_size);
    int usual = n ? found[n / 2] : 0;
    free(found);
    return usual;
}

/* Sets needs that trials leave open to what most others have, since other figures' trials depend on them. */
static void take_usual_needs(struct core_fit *f)
{
    int main;
    for (int need = 0; need < ISS_NEED_N; need++) {
        int usual = usual_need(f, need);
        for (size_t i = 0; i < f->found.n; i++) {
            const struct core_found *v = &f->found.at[i];
            if (v->kind != CORE_AFTER || v->need != need)
                continue;
            int64_t value = main_latency(f, v, &main) + usual;
            double most = cost_of(f, v) + 1e-6;
            if (main != need && core_fit_possible(f, v, value) && cost_with(f, v, value, most) <= most)
                core_fit_put(f, v, value);
        }
    }
}

/* ---- units that may be one ---- */

static void move_unit(struct core_fit *f, const uint8_t *units, unsigned from, unsigned to)
{
    for (size_t i = 0; i < f->run->trials.kernels->n; i++) {
        struct iss_timing *t = core_fit_timing(f->model, core_fit_class(f, i));
        t->unit = (uint8_t)(units[i] == from ? to : units[i]);
        core_fit_settle(f, i);
    }
}

static unsigned unit_now(struct core_fit *f, unsigned class)
{
    return core_fit_timing(f->model, class)->unit;
}

/* Finds trials of pairs with one instruction in the first unit and the other in the second, and the model's error in
 * them. */
static size_t pairs_of(struct core_fit *f, size_t *trials, unsigned from, unsigned to, double *between)
{
    size_t n = 0;
    *between = 0;
    for (size_t i = 0; i < f->run->trials.list.n; i++) {
        const struct core_trial *t = &f->run->trials.list.at[i];
        if (!isfinite(t->cycles) || !strstr(t->name, " with "))
            continue;
        unsigned a = unit_now(f, t->classes[0]), b = unit_now(f, t->classes[1]);
        if (a != from && b != from)
            continue;
        trials[n++] = i;
        if (a == to || b == to)
            *between += core_fit_error(f, i);
    }
    return n;
}

static void merge_units(struct core_fit *f, size_t *room)
{
    size_t kernels = f->run->trials.kernels->n;
    uint8_t *units = xcalloc(kernels, sizeof *units);
    for (unsigned from = 1; from < ISS_UNIT_N; from++)
        for (unsigned to = 1; to < ISS_UNIT_N; to++) {
            double between;
            if (from == to || f->model->units[from] != 1 || f->model->units[to] != 1)
                continue;
            size_t n = pairs_of(f, room, from, to, &between);
            if (between < 4 * TOLD_APART)
                continue;
            for (size_t i = 0; i < kernels; i++)
                units[i] = core_fit_timing(f->model, core_fit_class(f, i))->unit;
            double before = cost(f, room, n, INFINITY);
            move_unit(f, units, from, to);
            if (cost(f, room, n, before) >= before - TOLD_APART)
                move_unit(f, units, ISS_UNIT_N, 0);
        }
    free(units);
}

/* ---- late execution ---- */

struct kept {
    struct iss_timing timing[ISS_CLASS_N], timing32[ISS_CLASS_N];
};

static void keep(struct kept *to, const struct core_fit *f)
{
    memcpy(to->timing, f->model->timing, sizeof to->timing);
    memcpy(to->timing32, f->model->timing32, sizeof to->timing32);
}

static void go_back(struct core_fit *f, const struct kept *to)
{
    memcpy(f->model->timing, to->timing, sizeof to->timing);
    memcpy(f->model->timing32, to->timing32, sizeof to->timing32);
}

static void make_late(struct core_fit *f, const char *unit, int64_t late)
{
    for (size_t i = 0; i < f->found.n; i++)
        if (f->found.at[i].kind == CORE_LATE &&
            strcmp(f->run->trials.kernels->at[f->found.at[i].kernel].kind->unit, unit) == 0)
            core_fit_put(f, &f->found.at[i], late);
}

/* An instruction that waits for a late one sees more of its operands' latency than the late one does, so all latencies
 * to it change too. Therefore each lateness of similar instructions is tried together with the latencies that fit. */
static void find_late(struct core_fit *f, const char *unit, const size_t *all, size_t n)
{
    struct kept *best = xcalloc(1, sizeof *best), *begun = xcalloc(1, sizeof *begun);
    double least = cost(f, all, n, INFINITY);
    keep(best, f);
    keep(begun, f);
    for (int64_t late = 1; late <= CORE_LATEST; late++) {
        go_back(f, begun);
        make_late(f, unit, late);
        for (int twice = 0; twice < 2; twice++)
            for (size_t i = 0; i < f->found.n; i++)
                if (f->found.at[i].kind == CORE_AFTER)
                    improve_one(f, &f->found.at[i], false);
        double here = cost(f, all, n, least);
        if (here < least - TOLD_APART) {
            least = here;
            keep(best, f);
        }
    }
    go_back(f, best);
    free(best);
    free(begun);
}

/* ---- the front end ---- */

static const struct core_found *global_of(const struct core_fit *f, const char *key)
{
    for (size_t i = 0; i < f->found.n; i++)
        if (f->found.at[i].kind == CORE_GLOBAL && strcmp(f->found.at[i].key, key) == 0)
            return &f->found.at[i];
    return NULL;
}

/* The cost of a misprediction, the cycles of a branch that is taken again, and how many instructions are fetched ahead can
 * stand for each other, so they are tried together. Of equally good combinations the first is taken: the cheapest branch,
 * and the queue that the fit begins with. */
static void find_front(struct core_fit *f, const size_t *all, size_t n)
{
    static const int64_t queues[] = {16, 12, 8, 6, 4, 2, 24};
    enum { QUEUES = sizeof queues / sizeof *queues, AGAIN = 4, APART = 4 };
    int64_t *missed = global_of(f, "mispredicted")->global, *again = global_of(f, "same_taken")->global,
            *queue = global_of(f, "queue")->global;
    const int64_t usual = *missed, ahead = *queue;
    int64_t best[] = {usual, *again, ahead};
    double least = cost(f, all, n, INFINITY);
    for (int64_t taken = 1; taken <= AGAIN; taken++)
        for (int64_t cycles = usual > APART ? usual - APART : 0; cycles <= usual + APART; cycles++)
            for (int q = 0; q <= QUEUES; q++) {
                *missed = cycles;
                *again = taken;
                *queue = q < QUEUES ? queues[q] : ahead;
                double here = cost(f, all, n, least);
                if (here >= least - TOLD_APART)
                    continue;
                least = here;
                best[0] = *missed;
                best[1] = *again;
                best[2] = *queue;
            }
    *missed = best[0];
    *again = best[1];
    *queue = best[2];
}

/* ---- the simplest of equally good values ---- */

/* Does it explain the trials equally well? The difference must be below what can be told apart: a figure that only
 * absorbs errors of trials is not the core's. `best`: the best of all values tried before. */
static bool is_as_good(struct core_fit *f, const struct core_found *v, struct iss_timing *t, struct iss_timing other,
                       double best)
{
    struct iss_timing now = *t;
    *t = other;
    core_fit_settle(f, v->kernel);
    if (cost_within(f, v, best + SAME) <= best + SAME)
        return true;
    *t = now;
    core_fit_settle(f, v->kernel);
    return false;
}

/* Prefers one unit to two, and the unit that such instructions normally use. */
static void simplify(struct core_fit *f, const struct core_found *v, unsigned nature)
{
    struct iss_timing *t = core_fit_timing(f->model, core_fit_class(f, v->kernel)), other = *t;
    double best = cost_of(f, v);
    if (t->second_unit && (!t->unit || t->second_unit == nature) && f->model->units[t->second_unit] >= t->take) {
        other.unit = t->second_unit;
        other.second_unit = 0;
        is_as_good(f, v, t, other, best);
    }
    other = *t;
    other.second_unit = 0;
    if (t->second_unit)
        is_as_good(f, v, t, other, best);
    other = *t;
    other.unit = (uint8_t)nature;
    if (f->model->units[nature] < t->take)
        other.take = 1;
    if (f->model->units[nature] && nature != t->second_unit)
        is_as_good(f, v, t, other, best);
    other = *t;
    other.take = 1;
    is_as_good(f, v, t, other, best);
}

/* A repeated taken branch takes one cycle, like any next group, unless trials exclude that. */
static void simplify_same_taken(struct core_fit *f)
{
    const struct core_found *v = global_of(f, "same_taken");
    double most = cost_of(f, v) + TOLD_APART;
    if (cost_with(f, v, 1, most) <= most)
        core_fit_put(f, v, 1);
}

static void simplify_all(struct core_fit *f)
{
    simplify_same_taken(f);
    for (size_t i = 0; i < f->found.n; i++)
        if (f->found.at[i].kind == CORE_UNIT)
            simplify(f, &f->found.at[i], core_unit_of(f->run->trials.kernels->at[f->found.at[i].kernel].kind->unit));
}

/* ---- intervals ---- */

/* The most distant value on one side that explains the trials equally well. */
static int64_t edge(struct core_fit *f, const struct core_found *v, int64_t step, double base)
{
    int64_t last = v->value, value = v->value;
    for (int i = 0; i < REACH; i++) {
        value =
            v->kind == CORE_GLOBAL && strcmp(v->key, "bytes") == 0 ? (step > 0 ? 2 * value : value / 2) : value + step;
        if (!core_fit_possible(f, v, value))
            break;
        core_fit_put(f, v, value);
        double here = cost_within(f, v, base + TOLD_APART);
        if (here > base + TOLD_APART)
            break;
        last = value;
    }
    core_fit_put(f, v, v->value);
    return last;
}

static bool is_told(struct core_fit *f, const struct core_found *v, double base)
{
    bool told = false;
    for (int64_t value = 0; value < ISS_UNIT_N && !told; value++) {
        if (value == v->value || !core_fit_possible(f, v, value))
            continue;
        core_fit_put(f, v, value);
        told = cost_within(f, v, base + TOLD_APART) > base + TOLD_APART;
    }
    core_fit_put(f, v, v->value);
    return told;
}

/* Is the edge a bound? It is if the value beyond it is possible, was tried, and was excluded by trials. */
static bool is_bound(const struct core_fit *f, const struct core_found *v, int64_t beyond)
{
    return core_fit_possible(f, v, beyond) && beyond > v->value - REACH && beyond < v->value + REACH;
}

static void find_interval(struct core_fit *f, struct core_found *v)
{
    double base = cost_of(f, v);
    v->value = v->low = v->high = core_fit_get(f, v);
    if (v->kind == CORE_UNIT || v->kind == CORE_SECOND_UNIT) {
        v->observable = is_told(f, v, base);
        return;
    }
    v->low = edge(f, v, -1, base);
    v->high = edge(f, v, 1, base);
    if (v->kind == CORE_GLOBAL && strcmp(v->key, "bytes") == 0)
        v->observable = v->low > 4 || v->high < 64;
    else
        v->observable = v->n_trials && (is_bound(f, v, v->low - 1) || is_bound(f, v, v->high + 1));
}

/* ---- everything together ---- */

enum status core_fit_make(struct core_fit *f, const struct core_run *run, struct error *e)
{
    *f = (struct core_fit){.run = run, .model = xcalloc(1, sizeof *f->model)};
    f->model->architecture = xstrdup(run->trials.kernels->architecture);
    core_begin(f);
    enum status s = core_predict_new(&f->predict, run, f->model, e);
    if (s)
        return s;
    size_t n = run->trials.list.n, *all = xcalloc(n, sizeof *all), *room = xcalloc(n, sizeof *room);
    for (size_t i = 0; i < n; i++)
        all[i] = i;
    list_globals(f);
    for (size_t i = 0; i < run->trials.kernels->n; i++) {
        list_holds(f, i);
        list_class(f, i);
    }
    sweep_needs(f);
    sweep(f, true, false);
    merge_units(f, room);
    list_again(f);
    take_usual_needs(f);
    sweep(f, true, false);
    simplify_all(f);
    find_late(f, "alu", all, n);
    find_late(f, "branch", all, n);
    for (int i = 0; i < SWEEPS && sweep(f, i == 0, i > 0); i++)
        ;
    find_front(f, all, n);
    simplify_all(f);
    list_again(f);
    take_usual_needs(f);
    sweep(f, false, true);
    simplify_same_taken(f);
    for (size_t i = 0; i < f->found.n; i++)
        find_interval(f, &f->found.at[i]);
    for (size_t i = 0; i < n; i++) {
        double error = core_fit_error(f, i);
        f->tried += isfinite(error);
        f->explained += isfinite(error) && error <= 1;
    }
    free(room);
    free(all);
    return OK;
}

const struct core_found *core_fit_of(const struct core_fit *f, enum core_figure_kind kind, size_t kernel, int need)
{
    for (size_t i = 0; i < f->found.n; i++) {
        const struct core_found *v = &f->found.at[i];
        if (v->kind == kind && v->kernel == kernel && (kind != CORE_AFTER || v->need == need))
            return v;
    }
    return NULL;
}

void core_fit_release(struct core_fit *f)
{
    for (size_t i = 0; i < f->found.n; i++)
        free(f->found.at[i].trials);
    vec_release(&f->found);
    core_predict_release(&f->predict);
    iss_model_free(f->model);
    *f = (struct core_fit){0};
}
