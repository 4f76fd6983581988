/* wide_core.c - latencies, ports and slots in closed form, figures of fetch and window by trying values. */
#include "shimgen/core/wide/wide_core.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "shimgen/core/core_predict.h"
#include "shimgen/core/wide/port_sets.h"
#include "shimgen/core/wide/wide_trials.h"

enum { REPEATS = 2, USUAL_QUOTIENT = 16, MOST_SLOTS = 80, FUSED = 14 };
#define TOLD_APART     1.0  /* of a sum of errors: as in core_fit.c */
#define FASTER         0.15 /* of a slot: a stream that is so much faster than a width shows a greater one */
#define PART_OF_A_SLOT 0.25 /* what a slot more must explain better */
#define UNSTEADY       0.05 /* of its cycles: a trial that spreads so much may be wrong */

static const struct core_trials *trials_of(const struct wide_core *w)
{
    return &w->run->trials;
}

/* ---- cycles of single kinds ---- */

static double cycles_of(const struct wide_core *w, size_t kernel, const char *kind)
{
    char *class = core_class_name(w->measured.kernels->at[kernel].class);
    double c = core_trials_cycles(trials_of(w), "%s/%s", class, kind);
    free(class);
    return c;
}

static double cycles_of_class(const struct wide_core *w, unsigned class, const char *kind)
{
    return core_trials_cycles(trials_of(w), "%s/%s", iss_class_names[class], kind);
}

/* Of what has no chain of its own: divisions by a quotient of usual length; a comparison of floating point goes back
 * through a selection and a move, whose latency is half of that of both ways. */
static double latency_otherwise(const struct wide_core *w, const struct core_kernel *k)
{
    if (k->class == ISS_FP_COMPARE)
        return cycles_of_class(w, ISS_FP_COMPARE, "back") - cycles_of_class(w, ISS_SELECT, "chain") -
               ceil(cycles_of_class(w, ISS_FP_FROM_INT, "chain") / 2);
    return k->class & CORE_32
               ? NAN
               : round(core_trials_cycles(trials_of(w), "%s/%d bits/chain", iss_class_names[k->class], USUAL_QUOTIENT));
}

/* No stream is faster than the width: the next whole number above the fastest. A nop can be part of the instruction before
 * it, so its stream does not tell. */
static double width_of(const struct wide_core *w)
{
    double fastest = 0;
    for (size_t i = 0; i < w->measured.kernels->n; i++)
        if (w->measured.kernels->at[i].class != ISS_NOP && w->measured.at[i].stream > 0)
            fastest = fmax(fastest, 1 / w->measured.at[i].stream);
    return fmax(1, ceil(fastest - FASTER));
}

static void read_kinds(struct wide_core *w)
{
    const struct core_kernels *k = trials_of(w)->kernels;
    core_measured_init(&w->measured, k);
    for (size_t i = 0; i < k->n; i++) {
        struct core_cycles *c = &w->measured.at[i];
        c->chain = cycles_of(w, i, "chain");
        c->second = cycles_of(w, i, "second");
        c->use = cycles_of(w, i, "use");
        c->stream = cycles_of(w, i, "stream");
        c->latency = k->at[i].kind->need ? NAN : latency_otherwise(w, &k->at[i]);
    }
    w->measured.width = width_of(w);
    w->measured.out_of_order = true;
}

/* ---- the model of the figures so far ---- */

struct model {
    const struct wide_core *w;
    struct iss_model *model;
    struct core_predict predict;
};

static double told(const struct core_trial *t)
{
    return 0.05 * t->copies + 0.02 * fabs(t->cycles) + (isfinite(t->half_width) ? t->half_width : 0);
}

static double error_with(struct model *m, size_t trial)
{
    const struct core_trial *t = &trials_of(m->w)->list.at[trial];
    double predicted = isfinite(t->cycles) ? core_predict_unit(&m->predict, trial) : NAN;
    return fabs(predicted - t->cycles) / told(t);
}

static void model_close(struct model *m)
{
    if (m->predict.run)
        core_predict_release(&m->predict);
    iss_model_free(m->model);
}

/* By way of a file in `folder`. figures: those that are known otherwise, NULL: none. model_close, also after an error. */
static enum status model_open(struct model *m, const struct wide_core *w, const struct core_figures *figures,
                              const char *folder, struct error *e)
{
    const struct core_file file = {
        .name = "draft", .measured_on = "a draft", .timing = &w->timing, .measured = &w->measured, .figures = figures};
    char *path = path_join(folder, "draft.ini");
    *m = (struct model){.w = w};
    enum status s = core_file_write(&file, path, e);
    if (!s)
        s = iss_model_read(&m->model, path, e);
    if (!s)
        s = core_predict_new(&m->predict, w->run, m->model, e);
    free(path);
    return s;
}

/* ---- slots ---- */

/* Of the class, and of its 32-bit operations if no kernel tells these apart. */
static void set_slots(const struct wide_core *w, struct iss_model *m, unsigned class, unsigned slots)
{
    if (!(class & CORE_32))
        m->timing[class].slots = (uint8_t)slots;
    if (class & CORE_32 || !core_kernels_find(w->measured.kernels, class | CORE_32))
        m->timing32[class & (CORE_32 - 1)].slots = (uint8_t)slots;
}

/* Those with which the trial of a class among others that take slots only takes what it took. It does not depend on ports. `scale`:
 * what the model needs for the others alone, by what they took. */
static void find_slots_of(struct wide_core *w, struct model *m, double scale, size_t kernel)
{
    char *class = core_class_name(w->measured.kernels->at[kernel].class), *name = xasprintf("%s/slots", class);
    const struct core_trial *t = core_trials_find(trials_of(w), name);
    unsigned of = w->measured.kernels->at[kernel].class;
    /* A stream takes at least the cycles of its slots. */
    double least = INFINITY,
           most = fmin(MOST_SLOTS, w->measured.at[kernel].stream * w->measured.width + PART_OF_A_SLOT);
    for (unsigned slots = 1; t && isfinite(t->cycles) && (slots == 1 || slots <= most); slots++) {
        set_slots(w, m->model, of, slots);
        double predicted = core_predict_unit(&m->predict, (size_t)(t - trials_of(w)->list.at));
        double error = fabs(predicted - scale * t->cycles);
        if (error < least - PART_OF_A_SLOT / (double)m->model->width) {
            least = error;
            w->timing.classes[kernel].slots = slots;
        }
    }
    set_slots(w, m->model, of, w->timing.classes[kernel].slots);
    free(name);
    free(class);
}

static double scale_of_slots(const struct wide_core *w, struct model *m)
{
    const struct core_trial *alone = core_trials_find(trials_of(w), WIDE_SLOTS_ALONE);
    double scale = alone ? core_predict_unit(&m->predict, (size_t)(alone - trials_of(w)->list.at)) / alone->cycles : 1;
    return isfinite(scale) ? scale : 1;
}

static enum status find_slots(struct wide_core *w, const char *folder, struct error *e)
{
    struct model m;
    enum status s = model_open(&m, w, NULL, folder, e);
    for (size_t i = 0; !s && i < w->measured.kernels->n; i++)
        if (w->timing.classes[i].known)
            find_slots_of(w, &m, scale_of_slots(w, &m), i);
    model_close(&m);
    return s;
}

/* ---- ports ---- */

struct sets {
    struct port_sets p;
    size_t *kernel; /* of each kind */
    VEC(struct port_pair) pairs;
};

static void add_kind(struct sets *s, const struct wide_core *w, size_t kernel)
{
    const struct core_kernel *k = &w->measured.kernels->at[kernel];
    struct port_kind one = {
        .unit = k->kind->unit, .slots = w->timing.classes[kernel].slots, .stream = w->measured.at[kernel].stream};
    port_kind_of(&one, w->measured.at[kernel].stream, k->changes);
    if (k->changes)
        one.chained = w->measured.at[kernel].chain / w->measured.kernels->turns;
    s->p.kinds[s->p.n] = one;
    s->kernel[s->p.n++] = kernel;
}

static void add_pairs(struct sets *s, const struct wide_core *w)
{
    const struct core_kernels *k = w->measured.kernels;
    for (size_t a = 0; a < s->p.n; a++)
        for (size_t b = a + 1; b < s->p.n; b++) {
            struct port_pair one = {.a = a, .b = b};
            char *name = wide_pair_name(&k->at[s->kernel[a]], &k->at[s->kernel[b]]);
            one.cycles = core_trials_cycles(trials_of(w), "%s", name);
            port_pair_counts(w->measured.at[s->kernel[a]].stream, w->measured.at[s->kernel[b]].stream, &one.na,
                             &one.nb);
            free(name);
            if (isfinite(one.cycles))
                vec_push(&s->pairs, one);
        }
}

static void put_uses(struct wide_core *w, const struct sets *s)
{
    const struct core_kernels *k = w->measured.kernels;
    for (size_t i = 0; i < s->p.n; i++) {
        struct core_class *c = &w->timing.classes[s->kernel[i]];
        const struct port_kind *one = &s->p.kinds[i];
        c->n_uses = 1;
        c->use[0] = (struct iss_use){one->set, one->busy};
        for (unsigned u = 0; u < one->n_more; u++)
            c->use[c->n_uses++] = (struct iss_use){one->more[u].set, one->more[u].busy};
    }
    /* Their streams are chains, or show the fetch: the ports of what is most like them. */
    static const unsigned likes[][2] = {{ISS_ALU_CARRY, ISS_ALU}, {ISS_BRANCH, ISS_BRANCH_IF}};
    for (size_t i = 0; i < sizeof likes / sizeof *likes; i++) {
        const struct core_kernel *to = core_kernels_find(k, likes[i][0]), *from = core_kernels_find(k, likes[i][1]);
        if (!to || !from)
            continue;
        struct core_class *c = &w->timing.classes[to - k->at];
        c->n_uses = w->timing.classes[from - k->at].n_uses;
        memcpy(c->use, w->timing.classes[from - k->at].use, sizeof c->use);
    }
}

static void find_ports(struct wide_core *w)
{
    const struct core_kernels *k = w->measured.kernels;
    struct sets s = {.kernel = xcalloc(k->n, sizeof *s.kernel)};
    s.p.kinds = xcalloc(k->n, sizeof *s.p.kinds);
    for (size_t i = 0; i < k->n; i++)
        if (w->timing.classes[i].known && wide_has_ports(trials_of(w), &k->at[i]))
            add_kind(&s, w, i);
    add_pairs(&s, w);
    s.p.pairs = s.pairs.at;
    s.p.n_pairs = s.pairs.n;
    s.p.width = w->measured.width;
    s.p.seen = fmin(w->measured.width, 1 / cycles_of_class(w, ISS_ZERO, "stream"));
    port_sets_find(&s.p);
    put_uses(w, &s);
    vec_release(&s.pairs);
    free(s.p.kinds);
    free(s.kernel);
}

/* ---- figures of fetch and window ---- */

struct global {
    const char *section, *key, *trials; /* those whose names begin so */
    size_t at;                          /* in struct iss_model */
    int64_t from, to, step;
};
#define IN(member) offsetof(struct iss_model, member)
static const struct global globals[] = {
    {"fetch", "taken", "branch/taken", IN(fetch.taken), 0, 8, 1},
    {"fetch", "return", "branch/call", IN(fetch.back), 0, 20, 1},
    {"fetch", "jump_register", "branch/register", IN(fetch.jump_register), 0, 30, 1},
    {"fetch", "call_register", "branch/call register", IN(fetch.call_register), 0, 30, 1},
    {"fetch", "mispredicted", "branch/mispredicted", IN(fetch.mispredicted), 0, 40, 1},
    {"window", "forward", "store/forward", IN(window.forward), 0, 20, 1},
    {"window", "reorder", "window/mixed", IN(window.reorder), 16, ISS_REORDER, 16},
    {"window", "scheduler", "window/waiting", IN(window.scheduler), 8, ISS_QUEUED, 8},
    {"window", "loads", "window/loads", IN(window.loads), 8, 512, 8},
    {"window", "stores", "window/stores", IN(window.stores), 8, 512, 8},
};
enum { GLOBALS = sizeof globals / sizeof *globals };
struct found {
    int64_t value, low, high;
    bool observable;
};
struct search {
    struct model m;
    struct found found[GLOBALS];
};

static int64_t *in_model(const struct search *s, const struct global *g)
{
    return (int64_t *)((char *)s->m.model + g->at);
}

/* "branch/call" has the trial of this name, and "branch/call register" is another figure's. */
static bool is_of(const struct global *g, const char *trial)
{
    size_t n = strlen(g->trials);
    if (strncmp(trial, g->trials, n) != 0)
        return false;
    for (size_t i = 0; i < GLOBALS; i++)
        if (strlen(globals[i].trials) > n && strncmp(trial, globals[i].trials, strlen(globals[i].trials)) == 0)
            return false;
    return true;
}

static double cost_of(struct search *s, const struct global *g)
{
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < trials_of(s->m.w)->list.n; i++) {
        double error = is_of(g, trials_of(s->m.w)->list.at[i].name) ? error_with(&s->m, i) : NAN;
        n += isfinite(error);
        sum += isfinite(error) ? error : 0;
    }
    return n ? sum : NAN;
}

/* The value with the least error, and those around it that are as good. */
static void search_one(struct search *s, size_t which)
{
    const struct global *g = &globals[which];
    int64_t *at = in_model(s, g), before = *at, n = (g->to - g->from) / g->step + 1;
    double *cost = xcalloc((size_t)n, sizeof *cost);
    int64_t best = -1;
    for (int64_t i = 0; i < n; i++) {
        *at = g->from + i * g->step;
        cost[i] = cost_of(s, g);
        if (isfinite(cost[i]) && (best < 0 || cost[i] < cost[best] - 1e-9))
            best = i;
    }
    int64_t low = best, high = best;
    while (best >= 0 && low > 0 && cost[low - 1] <= cost[best] + TOLD_APART)
        low--;
    while (best >= 0 && high + 1 < n && cost[high + 1] <= cost[best] + TOLD_APART)
        high++;
    bool observable = best >= 0 && (low > 0 || high + 1 < n);
    int64_t value = g->from + (low + high + 1) / 2 * g->step;
    value = best >= 0 && cost[(low + high + 1) / 2] > cost[best] + 1e-9 ? g->from + best * g->step : value;
    s->found[which] = (struct found){value, g->from + low * g->step - (g->step - 1) * (low > 0),
                                     g->from + high * g->step + (g->step - 1) * (high + 1 < n), observable};
    *at = observable ? value : before;
    free(cost);
}

/* A queue that is as large as the window, or larger, never fills up first. */
static bool is_hidden(const struct search *s, const struct global *g, const struct found *f)
{
    bool queue = strcmp(g->section, "window") == 0 && g->from > 0 && strcmp(g->key, "reorder") != 0;
    return queue && f->value >= s->m.model->window.reorder;
}

/* A comparison and its branch take a slot less beside each other than apart. Apart they take FUSED slots, unless something else
 * limits: then it is not known. */
static void find_fuses(struct search *s, const struct wide_core *w, struct core_figures *figures, struct str *intervals)
{
    if (core_figures_is_set(figures, "window", "fuses"))
        return;
    double apart = core_trials_cycles(trials_of(w), "branch/apart"),
           beside = core_trials_cycles(trials_of(w), "branch/fused");
    bool fuses = (apart - beside) * w->measured.width > 0.5;
    if (!fuses && !(apart * w->measured.width < FUSED + 0.5)) {
        str_add(intervals, "window.fuses = not observable\n");
        return;
    }
    s->m.model->window.fuses = fuses;
    core_figures_put(figures, "window", "fuses", fuses ? "1" : "0");
    str_addf(intervals, "window.fuses = %d %d\n", fuses, fuses);
}

static void put_globals(struct search *s, struct core_figures *figures, struct str *intervals)
{
    for (size_t i = 0; i < GLOBALS; i++) {
        const struct global *g = &globals[i];
        const struct found *f = &s->found[i];
        if (core_figures_is_set(figures, g->section, g->key))
            continue;
        if (!f->observable || is_hidden(s, g, f)) {
            str_addf(intervals, "%s.%s = not observable\n", g->section, g->key);
            continue;
        }
        char *value = xasprintf("%lld", (long long)f->value);
        core_figures_put(figures, g->section, g->key, value);
        free(value);
        str_addf(intervals, "%s.%s = %lld %lld\n", g->section, g->key, (long long)f->low, (long long)f->high);
    }
}

static void score(struct wide_core *w, struct search *s)
{
    size_t n = trials_of(w)->list.n;
    w->predicted = xcalloc(n, sizeof *w->predicted);
    w->errors = xcalloc(n, sizeof *w->errors);
    for (size_t i = 0; i < n; i++) {
        const struct core_trial *t = &trials_of(w)->list.at[i];
        w->predicted[i] = isfinite(t->cycles) ? core_predict_unit(&s->m.predict, i) : NAN;
        w->errors[i] = fabs(w->predicted[i] - t->cycles) / told(t);
        w->tried += isfinite(w->errors[i]);
        w->explained += w->errors[i] < 1;
        w->spread += isfinite(t->half_width) && t->half_width > UNSTEADY * fabs(t->cycles) + 0.05 * t->copies;
    }
}

static enum status find_globals(struct wide_core *w, struct core_figures *figures, const char *folder, struct error *e)
{
    struct search s = {0};
    enum status st = model_open(&s.m, w, figures, folder, e);
    if (!st)
        find_fuses(&s, w, figures, &w->intervals);
    for (int time = 0; !st && time < REPEATS; time++)
        for (size_t i = 0; i < GLOBALS; i++)
            if (!core_figures_is_set(figures, globals[i].section, globals[i].key))
                search_one(&s, i);
    if (!st) {
        put_globals(&s, figures, &w->intervals);
        score(w, &s);
    }
    model_close(&s.m);
    return st;
}

/* ---- intervals of classes ---- */

static double half_width(const struct wide_core *w, const char *class, const char *kind, double *cycles)
{
    char *name = xasprintf("%s/%s", class, kind);
    const struct core_trial *t = core_trials_find(trials_of(w), name);
    free(name);
    if (!t || !isfinite(t->cycles))
        return NAN;
    *cycles = t->cycles / t->copies;
    return told(t) / t->copies;
}

/* Whole numbers that a latency can be: what is closer than half a cycle, and what repetitions leave open. Of a way there and
 * back only the sum is known. */
static void latency_interval(struct wide_core *w, size_t i, const char *class, int need)
{
    const struct core_class *c = &w->timing.classes[i];
    int value = c->to[need] >= 0 ? c->to[need] : c->latency + w->timing.need[need];
    double cycles = NAN, off = half_width(w, class, "chain", &cycles);
    if (w->measured.kernels->at[i].kind->back && isfinite(off)) {
        str_addf(&w->intervals, "%s.to_%s = 0 %.0f\n", class, iss_need_names[need], floor(cycles + off));
    } else if (isfinite(off)) {
        double low = fmin(value, ceil(cycles - off)), high = fmax(value, floor(cycles + off));
        str_addf(&w->intervals, "%s.to_%s = %.0f %.0f\n", class, iss_need_names[need], low < 0 ? 0 : low, high);
    }
}

/* In hundredths of a cycle. The slowest operation of a stream decides; which ports it has, pairs tell. */
static void stream_interval(struct wide_core *w, size_t i, const char *class)
{
    const struct core_class *c = &w->timing.classes[i];
    double cycles = NAN, off = half_width(w, class, "stream", &cycles);
    if (!c->n_uses || !isfinite(off))
        return;
    double value = 0;
    for (unsigned u = 0; u < c->n_uses; u++)
        value = fmax(value, round(100 * (double)c->use[u].busy / __builtin_popcountll(c->use[u].ports)));
    double low = fmin(value, ceil(100 * (cycles - off))), high = fmax(value, floor(100 * (cycles + off)));
    str_addf(&w->intervals, "%s.stream = %.0f %.0f\n%s.unit = 1 1\n", class, low < 0 ? 0 : low, high, class);
}

static void add_intervals(struct wide_core *w)
{
    const struct core_kernels *k = w->measured.kernels;
    str_addf(&w->intervals, "issue.width = %.0f %d\n", w->measured.width, (int)w->measured.width + 1);
    for (size_t i = 0; i < k->n; i++) {
        char *class = core_class_name(k->at[i].class);
        if (w->timing.classes[i].known && k->at[i].kind->need)
            latency_interval(w, i, class, core_need_of(k->at[i].kind->need));
        if (w->timing.classes[i].known)
            stream_interval(w, i, class);
        free(class);
    }
}

/* ---- the whole ---- */

enum status wide_core_find(struct wide_core *w, const struct core_run *run, struct core_figures *figures,
                           const char *folder, struct error *e)
{
    *w = (struct wide_core){.run = run};
    read_kinds(w);
    core_timing_find(&w->timing, &w->measured);
    enum status s = find_slots(w, folder, e);
    if (s)
        return s;
    find_ports(w);
    add_intervals(w);
    return find_globals(w, figures, folder, e);
}

void wide_core_release(struct wide_core *w)
{
    core_measured_release(&w->measured);
    core_timing_release(&w->timing);
    str_release(&w->intervals);
    free(w->predicted);
    free(w->errors);
    *w = (struct wide_core){0};
}

char *wide_core_origin(const struct wide_core *w, const struct board *b)
{
    struct str text = STR_INIT;
    str_addf(&text, "on %s, %zu of %zu trials explained", b->name, w->explained, w->tried);
    if (w->run->ticks)
        str_add(&text, "; cycles not counted, but ticks calibrated by a chain of additions");
    if (w->spread)
        str_addf(&text, "; %zu trials unsteady", w->spread);
    return str_detach(&text);
}

enum status wide_core_write(const struct wide_core *w, const struct board *b, const struct core_figures *figures,
                            const char *path, struct error *e)
{
    char *origin = wide_core_origin(w, b);
    char *triple = xasprintf("%s-linux-gnu", w->measured.kernels->architecture);
    const struct core_file file = {.name = *b->cpu ? b->cpu : b->name,
                                   .measured_on = origin,
                                   .target = *board_target(b) ? board_target(b) : triple,
                                   .cpu = w->run->cpu,
                                   .timing = &w->timing,
                                   .measured = &w->measured,
                                   .figures = figures,
                                   .intervals = str_text(&w->intervals)};
    enum status s = core_file_write(&file, path, e);
    free(triple);
    free(origin);
    return s;
}
