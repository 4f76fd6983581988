/* read_perf.c - reads samples of `perf script` as a table of functions and calls. Several files are several sets of
 * events. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/map.h"
#include "shimgen/offload/arcs.h"
#include "shimgen/offload/event_weights.h"
#include "shimgen/offload/perf_line.h"

/* What was found of an event. */
struct seen {
    size_t files;  /* number of files with it */
    size_t last;   /* the latest of these, from 1 */
    double counts; /* sum of the periods */
};
/* A count of a function, before it is known how many files have its event. */
struct counted {
    uint32_t function;
    size_t event; /* index in the weights */
    size_t file;
    double time, count;
};
struct arc_count {
    uint32_t caller, callee;
    size_t event;
    double count;
};
/* What a sample counts as. */
struct amount {
    size_t window;
    uint32_t function;
    enum offload_cost cost;
    double amount;
};
struct reading {
    struct offload_table *t;
    const struct event_weights *w;
    double window; /* [s] */
    const struct accelerator *a;
    struct map functions, strange; /* strange: events without a weight */
    struct str key;
    struct seen *seen;
    VEC(struct counted) counts;
    VEC(struct arc_count) arcs;
    VEC(struct amount) amounts;
    VEC(uint32_t) chain; /* of the current sample: functions, its own first */
    double *begin;       /* of each file: time of its first sample */
    size_t file, event;  /* of the current sample; EVENT_NONE: it has no weight */
    double time, count;
    double nameless, all;
};
#define EVENT_NONE ((size_t)-1)

static uint32_t function_of(struct reading *r, const char *object, const char *name)
{
    str_clear(&r->key);
    str_addf(&r->key, "%s\n%s", object, name);
    size_t n = r->functions.n, number = map_number(&r->functions, r->key.s);
    if (number == n) {
        bool library = strstr(object, ".so") || strstr(object, "kernel");
        struct offload_function f = {.name = xstrdup(name)};
        f.obstacles = library ? offload_library_obstacles(name) : 0;
        f.obstacles |= strstr(object, "[kernel") ? OFFLOAD_SYSTEM : 0;
        offload_add_function(r->t, f);
    }
    return (uint32_t)number;
}

static size_t event_of(struct reading *r, const char *event)
{
    for (size_t i = 0; i < r->w->events.n; i++)
        if (strcmp(r->w->events.at[i].event, event) == 0)
            return i;
    if (!map_get(&r->strange, event, NULL)) {
        map_number(&r->strange, event);
        offload_note(r->t, "event %s has no weight in %s: it is left out", event, r->w->path);
    }
    return EVENT_NONE;
}

/* ---- samples ---- */

static bool earlier_in_chain(const struct reading *r, size_t i)
{
    for (size_t k = 1; k < i; k++)
        if (r->chain.at[k - 1] == r->chain.at[i - 1] && r->chain.at[k] == r->chain.at[i])
            return true;
    return false;
}

/* Counts the current sample for its function and, once each, for the calls in its chain. */
static void finish_sample(struct reading *r)
{
    enum { DEEPEST = 256 };
    if (r->chain.n && r->event != EVENT_NONE) {
        vec_push(&r->counts, (struct counted){r->chain.at[0], r->event, r->file, r->time, r->count});
        for (size_t i = 1; i < r->chain.n && i < DEEPEST; i++)
            if (!earlier_in_chain(r, i))
                vec_push(&r->arcs, (struct arc_count){r->chain.at[i], r->chain.at[i - 1], r->event, r->count});
    }
    r->chain.n = 0;
    r->event = EVENT_NONE;
}

static void begin_sample(struct reading *r, const struct perf_file *p)
{
    r->event = event_of(r, p->event);
    r->time = p->time;
    r->count = p->period;
    if (isnan(r->begin[r->file]) || p->time < r->begin[r->file])
        r->begin[r->file] = p->time;
    if (r->event == EVENT_NONE)
        return;
    struct seen *seen = &r->seen[r->event];
    seen->files += seen->last != r->file + 1;
    seen->last = r->file + 1;
    seen->counts += p->period;
}

static enum status read_file(struct reading *r, const char *path, struct error *e)
{
    struct perf_file p = {0};
    enum perf_kind kind = PERF_BLANK;
    size_t samples = 0;
    enum status s = perf_open(&p, path, e);
    while (!s && kind != PERF_END) {
        s = perf_next(&kind, &p, e);
        if (s)
            break;
        if (kind != PERF_FRAME)
            finish_sample(r);
        if (kind == PERF_SAMPLE) {
            begin_sample(r, &p);
            samples++;
        }
        if (kind != PERF_BLANK && kind != PERF_END && p.function) {
            r->all += r->chain.n == 0;
            r->nameless += r->chain.n == 0 && strcmp(p.function, "[unknown]") == 0;
            vec_push(&r->chain, function_of(r, p.object, p.function));
        }
    }
    if (!s && !samples)
        s = error_set(e, ERR_INPUT, AT_FILE(path),
                      "has no samples; write it by: perf script -F "
                      "comm,tid,time,period,event,ip,sym,dso");
    perf_close(&p);
    return s;
}

/* ---- from counts to costs ---- */

static enum offload_cost cost_of(enum event_meaning m)
{
    return m == EVENT_OPERATIONS ? OFFLOAD_FLOPS : m == EVENT_BYTES ? OFFLOAD_BYTES : OFFLOAD_TIME;
}

/* The weight of an event; several files with it are averaged. 0: it does not count. */
static double weight_of(const struct reading *r, size_t event)
{
    const struct event_weight *w = &r->w->events.at[event];
    const struct seen *seen = &r->seen[event];
    if (seen->counts <= 0 || w->meaning == EVENT_INSTRUCTIONS)
        return 0;
    double weight = w->weight / (double)seen->files;
    return w->meaning == EVENT_CYCLES ? weight / r->a->host_clock : weight;
}

static int earlier(const void *a, const void *b)
{
    const struct amount *x = a, *y = b;
    if (x->window != y->window)
        return x->window < y->window ? -1 : 1;
    return x->function < y->function ? -1 : x->function > y->function;
}

/* Makes an entry for each window that is not empty, and in it one for each function. */
static void make_windows(struct reading *r)
{
    struct offload_table *t = r->t;
    if (r->amounts.n)
        qsort(r->amounts.at, r->amounts.n, sizeof *r->amounts.at, earlier);
    for (size_t i = 0; i < r->amounts.n; i++) {
        const struct amount *a = &r->amounts.at[i], *before = i ? a - 1 : NULL;
        bool begins = !before || before->window != a->window;
        if (begins)
            vec_push(&t->windows, (struct offload_window){(double)a->window * r->window, r->window, t->spent.n, 0});
        if (begins || before->function != a->function) {
            vec_push(&t->spent, (struct offload_spent){.function = a->function});
            t->windows.at[t->windows.n - 1].n++;
        }
        t->spent.at[t->spent.n - 1].costs[a->cost] += a->amount;
    }
    t->window_size = xasprintf("%g ms", 1e3 * r->window);
}

/* later windows are joined with this one */
#define LAST_WINDOW 1e6
/* perf gives nanoseconds at most. In whole ones, a sample at a window's begin is in it: 100.02 - 100 is less than 0.02. */
#define NANOSECONDS 1e9
static double window_of(const struct reading *r, const struct counted *c)
{
    double since = round((c->time - r->begin[c->file]) * NANOSECONDS), size = fmax(1, round(r->window * NANOSECONDS));
    return floor(since / size);
}

static void add_amount(struct reading *r, const struct counted *c, enum offload_cost cost, double amount)
{
    double window = window_of(r, c);
    vec_push(&r->amounts, (struct amount){(size_t)fmin(window, LAST_WINDOW), c->function, cost, amount});
}

static void add_counts(struct reading *r)
{
    for (size_t i = 0; i < r->counts.n; i++) {
        const struct counted *c = &r->counts.at[i];
        enum event_meaning meaning = r->w->events.at[c->event].meaning;
        double amount = c->count * weight_of(r, c->event);
        double *self = r->t->functions.at[c->function].self;
        if (meaning == EVENT_INSTRUCTIONS || amount <= 0)
            continue;
        self[cost_of(meaning)] += amount;
        if (cost_of(meaning) == OFFLOAD_TIME)
            self[OFFLOAD_INSTRUCTIONS] += amount; /* calls are weighted by their time */
        add_amount(r, c, cost_of(meaning), amount);
    }
    for (size_t i = 0; i < r->arcs.n; i++) {
        const struct arc_count *c = &r->arcs.at[i];
        enum event_meaning meaning = r->w->events.at[c->event].meaning;
        if (meaning == EVENT_CYCLES || meaning == EVENT_SECONDS)
            vec_push(&r->t->arcs, (struct offload_arc){c->caller, c->callee, 0, c->count * weight_of(r, c->event)});
    }
}

/* An event that is in no sample, or whose samples all count 0, tells nothing. */
static void find_known(struct reading *r)
{
    for (size_t i = 0; i < r->w->events.n; i++) {
        const struct event_weight *w = &r->w->events.at[i];
        if (r->seen[i].counts > 0)
            r->t->known |= w->meaning == EVENT_INSTRUCTIONS ? 0 : 1U << cost_of(w->meaning);
        else if (r->seen[i].files)
            offload_note(r->t, "event %s is 0 in all samples: the counter does not work, and is left out", w->event);
    }
}

static void say_unknown(struct reading *r)
{
    static const struct {
        enum offload_cost cost;
        const char *what, *section;
    } needed[] = {{OFFLOAD_FLOPS, "operations", "operations"}, {OFFLOAD_BYTES, "bytes demanded", "bytes"}};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!offload_knows(r->t, needed[i].cost))
            offload_note(r->t, "the %s are unknown: no sample has an event of section [%s] of %s", needed[i].what,
                         needed[i].section, r->w->path);
    if (r->all > 0 && r->nameless > 0.01 * r->all)
        offload_note(r->t, "%.1f %% of the samples are in functions without a name: there are no symbols",
                     100 * r->nameless / r->all);
}

static enum status finish(struct reading *r, const char *path, struct error *e)
{
    bool cycles = false;
    find_known(r);
    say_unknown(r);
    for (size_t i = 0; i < r->w->events.n; i++)
        cycles |= r->w->events.at[i].meaning == EVENT_CYCLES && r->seen[i].counts > 0;
    if (!offload_knows(r->t, OFFLOAD_TIME))
        return error_set(e, ERR_INPUT, AT_FILE(path),
                         "no sample has an event of section [cycles] or [seconds] of %s: functions have no time",
                         r->w->path);
    if (cycles && isnan(r->a->host_clock))
        return error_set(e, ERR_INPUT, AT_FILE(r->a->path), "[host] clock is needed: it turns cycles into time");
    add_counts(r);
    make_windows(r);
    offload_join_arcs(r->t);
    return OK;
}

enum status offload_read_perf(struct offload_table *out, const struct offload_samples *samples,
                              const struct accelerator *a, struct error *e)
{
    struct reading r = {.t = out, .w = samples->weights, .window = samples->window, .a = a, .event = EVENT_NONE};
    const char *first = samples->paths[0];
    *out = (struct offload_table){.path = xstrdup(first), .kind = xstrdup("perf samples")};
    out->program = xstrdup(path_basename(first));
    r.seen = xcalloc(r.w->events.n, sizeof *r.seen);
    r.begin = xcalloc(samples->n, sizeof *r.begin);
    enum status s = OK;
    for (; !s && r.file < samples->n; r.file++) {
        r.begin[r.file] = NAN;
        s = read_file(&r, samples->paths[r.file], e);
    }
    if (!s)
        s = finish(&r, first, e);
    free(r.seen);
    free(r.begin);
    vec_release(&r.counts);
    vec_release(&r.arcs);
    vec_release(&r.amounts);
    vec_release(&r.chain);
    map_release(&r.functions);
    map_release(&r.strange);
    str_release(&r.key);
    return s;
}
