/* series.c - recognises disturbed runs by what the kernel reports and by their values, and takes the median of the
 * others: docs/method/measuring.md. */
#include "boards/measure/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "boards/description/causes.h"
#include "boards/measure/run_stats.h"

void campaign_init(struct campaign *c, const char *program, double best_width)
{
    *c = (struct campaign){.program = xstrdup(program), .best_width = best_width};
}

void campaign_release(struct campaign *c)
{
    for (size_t i = 0; i < c->regions.n; i++) {
        struct series *s = &c->regions.at[i];
        for (size_t k = 0; k < s->runs.n; k++)
            free(s->runs.at[k].raw);
        vec_release(&s->runs);
        free(s->region);
    }
    for (size_t i = 0; i < c->events.n; i++) {
        free(c->events.at[i].name);
        vec_release(&c->events.at[i].inside);
        vec_release(&c->events.at[i].pair);
    }
    vec_release(&c->regions);
    vec_release(&c->events);
    free(c->program);
}

/* ---- collecting ---- */

static void first_launch(struct campaign *c, const struct run_result *r)
{
    for (size_t i = 0; i < r->events.n; i++)
        vec_push(&c->events, (struct event_series){.name = xstrdup(r->events.at[i].name)});
    c->estimate = !r->pmu;
    for (size_t i = 0; i < r->regions.n; i++)
        vec_push(&c->regions, (struct series){.region = xstrdup(r->regions.at[i].name)});
}

static const struct run_region *region_named(const struct run_result *r, const char *name)
{
    for (size_t i = 0; i < r->regions.n; i++)
        if (strcmp(r->regions.at[i].name, name) == 0)
            return &r->regions.at[i];
    return 0;
}

static enum status same_shape(const struct campaign *c, const struct run_result *r, struct error *e)
{
    bool same = r->events.n == c->events.n;
    for (size_t i = 0; same && i < c->events.n; i++)
        same = strcmp(r->events.at[i].name, c->events.at[i].name) == 0;
    if (!same)
        return error_set(e, ERR_SYSTEM, NOWHERE,
                         "%s: the events that can be counted changed between two runs; end other users of the counters",
                         c->program);
    for (size_t i = 0; i < c->regions.n; i++)
        if (!region_named(r, c->regions.at[i].region))
            return error_set(e, ERR_INPUT, NOWHERE,
                             "%s: region '%s' was entered in run 1 and not in run %zu; a measured program must do the "
                             "same in every run",
                             c->program, c->regions.at[i].region, c->launches + 1);
    if (r->regions.n != c->regions.n)
        return error_set(
            e, ERR_INPUT, NOWHERE,
            "%s: run %zu entered a region that run 1 did not; a measured program must do the same in every "
            "run",
            c->program, c->launches + 1);
    return OK;
}

static struct observation observe(const struct run_result *r, const struct run_region *g)
{
    const struct run_region *outer =
        region_named(r, g->outer); /* switches and faults are recorded for the outermost region */
    if (!outer)
        outer = g;
    return (struct observation){.raw = xmemdup(g->raw, (r->events.n + 1) * sizeof *g->raw),
                                .entries = g->entries,
                                .pairs = g->pairs,
                                .switches = (double)outer->voluntary,
                                .involuntary = (double)outer->involuntary + (outer->moved ? 1 : 0),
                                .minor = (double)outer->minor,
                                .major = (double)outer->major,
                                .interrupts = (double)outer->interrupts,
                                .width = outer->width,
                                .clock = outer->clock};
}

enum status campaign_add(struct campaign *c, const struct run_result *r, struct error *e)
{
    if (c->launches == 0)
        first_launch(c, r);
    enum status s = same_shape(c, r, e);
    if (s)
        return s;
    for (size_t i = 0; i < c->regions.n; i++)
        vec_push(&c->regions.at[i].runs, observe(r, region_named(r, c->regions.at[i].region)));
    for (size_t i = 0; i < c->events.n; i++) {
        vec_push(&c->events.at[i].inside, r->events.at[i].inside);
        vec_push(&c->events.at[i].pair, r->events.at[i].pair);
    }
    for (size_t i = 0; i < c->regions.n; i++)
        c->estimate = c->estimate && c->regions.at[i].runs.at[c->launches].clock > 0;
    c->launches++;
    return OK;
}

/* ---- judging ---- */

/* The median of one member over all runs of a series. */
#define MEDIAN_OF(s, member) median_member((s), offsetof(struct observation, member))
static double median_member(const struct series *s, size_t offset)
{
    double *x = xmalloc(s->runs.n * sizeof *x);
    for (size_t i = 0; i < s->runs.n; i++)
        memcpy(&x[i], (const char *)&s->runs.at[i] + offset, sizeof *x);
    double m = median_of(x, s->runs.n);
    free(x);
    return m;
}

/* What happens in half of the runs belongs to the program: it sleeps, allocates memory, or runs so long that ticks fall
 * into it. More than that is a disturbance. A few more ticks in a long region show in its value, or do not matter. */
static void judge_kernel(struct series *s)
{
    double switches = MEDIAN_OF(s, switches), involuntary = MEDIAN_OF(s, involuntary), minor = MEDIAN_OF(s, minor),
           major = MEDIAN_OF(s, major), interrupts = MEDIAN_OF(s, interrupts);
    for (size_t i = 0; i < s->runs.n; i++) {
        struct observation *o = &s->runs.at[i];
        if (o->involuntary > involuntary || o->switches > switches)
            o->verdict = BY_SWITCH;
        else if (o->major > major || o->minor > minor)
            o->verdict = BY_FAULT;
        else if (interrupts <= 0 && o->interrupts > 0)
            o->verdict = BY_INTERRUPT;
        else
            o->verdict = COUNTS;
    }
    s->always_disturbed = switches > 0 || involuntary > 0 || minor > 0 || major > 0;
}

/* The core's width when nothing else uses it: the ninth decile over all launches, so that one odd reading does not set
 * it, and at least what earlier programs saw. */
static double width_alone(const struct campaign *c)
{
    VEC(double) w = {0};
    for (size_t i = 0; i < c->regions.n; i++)
        for (size_t k = 0; k < c->regions.at[i].runs.n; k++)
            if (c->regions.at[i].runs.at[k].width > 0)
                vec_push(&w, c->regions.at[i].runs.at[k].width);
    double best = w.n ? quantile_of(w.at, w.n, 0.9) : 0;
    vec_release(&w);
    return fmax(best, c->best_width);
}

/* Without disturbance readings vary by 2 %; a busy second thread takes 15 % to 50 % of the width. */
#define SHARED_BELOW 0.94
static bool is_shared(const struct observation *o, double best)
{
    return o->width > 0 && o->width < SHARED_BELOW * best;
}

/* `last`: see campaign_judge. */
static void judge_sharing(struct series *s, double best, size_t wanted, bool last)
{
    size_t good = 0, alone = 0;
    for (size_t i = 0; i < s->runs.n; i++)
        if (s->runs.at[i].verdict == COUNTS) {
            good++;
            alone += !is_shared(&s->runs.at[i], best);
        }
    if (wanted > s->runs.n)
        wanted = s->runs.n;
    s->always_shared = last && alone < good && alone < (wanted < 10 ? 1 : wanted / 10);
    for (size_t i = 0; i < s->runs.n && !s->always_shared; i++)
        if (s->runs.at[i].verdict == COUNTS && is_shared(&s->runs.at[i], best))
            s->runs.at[i].verdict = BY_SHARING;
}

/* The value by which a run is judged: core cycles if they can be estimated, so that a slower clock does not count as a
 * disturbance. */
static double judged_by(const struct campaign *c, const struct observation *o)
{
    return c->estimate ? o->raw[0] * o->clock : o->raw[0];
}

static void judge(const struct campaign *c, struct series *s, size_t wanted, bool last)
{
    judge_kernel(s);
    judge_sharing(s, c->best_width, wanted, last);
    double *x = xmalloc(s->runs.n * sizeof *x);
    size_t n = 0;
    for (size_t i = 0; i < s->runs.n; i++)
        if (s->runs.at[i].verdict == COUNTS)
            x[n++] = judged_by(c, &s->runs.at[i]);
    double limit = n ? outlier_limit(x, n) : 0;
    free(x);
    for (size_t i = 0; i < s->runs.n; i++) {
        struct observation *o = &s->runs.at[i];
        if (o->verdict == COUNTS && judged_by(c, o) > limit)
            o->verdict = BY_OUTLIER;
    }
}

void campaign_judge(struct campaign *c, size_t runs, bool last)
{
    c->best_width = width_alone(c);
    for (size_t i = 0; i < c->regions.n; i++)
        judge(c, &c->regions.at[i], runs, last);
}

bool campaign_last_shared(const struct campaign *c)
{
    double best = c->launches < 10 ? c->best_width : width_alone(c);
    for (size_t i = 0; i < c->regions.n; i++)
        if (is_shared(&c->regions.at[i].runs.at[c->launches - 1], best))
            return true;
    return false;
}

double campaign_clock(const struct campaign *c)
{
    VEC(double) all = {0};
    for (size_t i = 0; i < c->regions.n; i++)
        for (size_t k = 0; k < c->regions.at[i].runs.n; k++)
            if (c->regions.at[i].runs.at[k].clock > 0)
                vec_push(&all, c->regions.at[i].runs.at[k].clock);
    double clock = all.n ? median_of(all.at, all.n) : 0;
    vec_release(&all);
    return clock;
}

/* ---- the table ---- */

void add_note(struct measurements *m, char *owned)
{
    char ***notes = &m->conditions.notes;
    size_t n = 0;
    while (*notes && (*notes)[n])
        n++;
    *notes = xreallocarray(*notes, n + 2, sizeof **notes);
    (*notes)[n] = owned;
    (*notes)[n + 1] = 0;
}

static void note_cause(struct measurements *m, const char *id, char *owned_detail)
{
    add_note(m, cause_sentence(id, owned_detail));
    free(owned_detail);
}

/* Values of one event in the runs that count. */
struct sample {
    double *x; /* overhead subtracted; in core cycles if those are estimated */
    size_t n;
    double step, overhead; /* resolution of the counter, and usual overhead, in the same unit */
};

/* Takes at most `runs` values. estimate: in core cycles instead of event 0's ticks. */
static struct sample take(const struct campaign *c, const struct series *s, size_t event, bool estimate, size_t runs)
{
    const struct event_series *v = &c->events.at[event];
    double inside = median_of(v->inside.at, c->launches), pair = median_of(v->pair.at, c->launches);
    double *clock = xmalloc(s->runs.n * sizeof *clock), *raw = xmalloc(s->runs.n * sizeof *raw);
    struct sample t = {.x = xmalloc(s->runs.n * sizeof *t.x)};
    for (size_t i = 0; i < s->runs.n && t.n < runs; i++) {
        const struct observation *o = &s->runs.at[i];
        if (o->verdict != COUNTS)
            continue;
        clock[t.n] = estimate ? o->clock : 1;
        raw[t.n] = o->raw[event];
        t.x[t.n] = net_value(o->raw[event], o->entries, o->pairs, inside, pair) * clock[t.n];
        t.n++;
    }
    double scale = median_of(clock, t.n);
    t.step = step_of(raw, t.n) * scale;
    t.overhead = (MEDIAN_OF(s, entries) * inside + MEDIAN_OF(s, pairs) * pair) * scale;
    free(raw);
    free(clock);
    return t;
}

struct estimate series_estimate(const struct campaign *c, const struct series *s, size_t runs)
{
    struct sample t = take(c, s, 0, c->estimate, runs);
    struct estimate e = {.value = centre_of(t.x, t.n, t.step), .overhead = t.overhead};
    e.half_width = half_width_of(t.x, t.n, e.value, t.step);
    free(t.x);
    return e;
}

/* Computes the centre and the spread. */
static struct measurement summarise(const struct campaign *c, const struct series *s, size_t event, bool estimate,
                                    size_t runs)
{
    struct sample t = take(c, s, event, estimate, runs);
    struct measurement m = {.program = xstrdup(c->program),
                            .region = xstrdup(s->region),
                            .event = xstrdup(estimate ? BOARD_CORE_ESTIMATE : c->events.at[event].name)};
    m.value = centre_of(t.x, t.n, t.step);
    m.half_width = half_width_of(t.x, t.n, m.value, t.step);
    m.stddev = MAD_TO_SIGMA * mad_of(t.x, t.n, m.value);
    m.mean = mean_of(t.x, t.n, &m.mean_stddev);
    m.minimum = quantile_of(t.x, t.n, 0);
    m.runs = (unsigned)t.n;
    m.entries = MEDIAN_OF(s, entries);
    m.overhead = t.overhead;
    for (size_t i = 0; i < s->runs.n; i++)
        m.dropped += s->runs.at[i].verdict != COUNTS;
    free(t.x);
    return m;
}

/* m: the row that is judged; that of estimated core cycles, if there is one. */
static void note_row(const struct measurement *m, const struct series *s, const struct goal *g,
                     struct measurements *into)
{
    const char *p = m->program, *r = m->region;
    if (m->value > 0 && m->stddev > 0.1 * m->value)
        note_cause(into, "spread",
                   xasprintf("%s, region '%s': the runs spread by %.0f %%", p, r, 100 * m->stddev / m->value));
    if (m->overhead > m->value)
        note_cause(into, "short",
                   xasprintf("%s, region '%s': measuring it costs more (%.0f) than its work (%.0f)", p, r, m->overhead,
                             m->value));
    if (m->runs < g->runs && !(m->runs >= g->least && precise_enough(g, m->value, m->half_width, m->overhead)))
        note_cause(into, "few-runs", xasprintf("%s, region '%s': %u of %zu runs count", p, r, m->runs, g->runs));
    if (s->always_shared)
        note_cause(into, "always-shared", xasprintf("%s, region '%s': the core was shared in nearly all runs", p, r));
    if (s->always_disturbed)
        note_cause(into, "always-disturbed",
                   xasprintf("%s, region '%s': page faults or context switches in half of the runs or more", p, r));
}

static void tally(const struct campaign *c, struct measured_program *p)
{
    for (size_t k = 0; k < c->launches; k++) {
        unsigned by[N_VERDICTS] = {0};
        for (size_t i = 0; i < c->regions.n; i++)
            by[c->regions.at[i].runs.at[k].verdict]++;
        p->by_switch += by[BY_SWITCH];
        p->by_fault += by[BY_FAULT];
        p->by_interrupt += by[BY_INTERRUPT];
        p->by_sharing += by[BY_SHARING];
        p->by_outlier += by[BY_OUTLIER];
        p->disturbed += by[COUNTS] < c->regions.n;
    }
}

void campaign_finish(struct campaign *c, const struct goal *g, double wall_s, struct measurements *into)
{
    struct measured_program p = {.program = xstrdup(c->program), .launches = (unsigned)c->launches, .wall_s = wall_s};
    campaign_judge(c, g->runs, true);
    for (size_t i = 0; i < c->regions.n; i++) {
        const struct series *s = &c->regions.at[i];
        size_t first = into->rows.n;
        for (size_t event = 0; event < c->events.n; event++)
            vec_push(&into->rows, summarise(c, s, event, false, g->runs));
        if (c->estimate)
            vec_push(&into->rows, summarise(c, s, 0, true, g->runs));
        note_row(&into->rows.at[c->estimate ? into->rows.n - 1 : first], s, g, into);
    }
    tally(c, &p);
    p.core_per_tick = campaign_clock(c);
    vec_push(&into->programs, p);
}

static void insert_row(struct measurements *into, size_t at, struct measurement row)
{
    vec_push(&into->rows, row);
    memmove(&into->rows.at[at + 1], &into->rows.at[at], (into->rows.n - 1 - at) * sizeof row);
    into->rows.at[at] = row;
}

/* Index after the last row of the program's region. */
static size_t end_of_region(const struct measurements *into, const struct campaign *c, const char *region)
{
    size_t at = into->rows.n;
    for (size_t i = 0; i < into->rows.n; i++)
        if (strcmp(into->rows.at[i].program, c->program) == 0 && strcmp(into->rows.at[i].region, region) == 0)
            at = i + 1;
    return at;
}

void campaign_merge(struct campaign *c, const struct goal *g, struct measurements *into)
{
    struct measured_program *p = &into->programs.at[into->programs.n - 1];
    campaign_judge(c, g->runs, true);
    for (size_t i = 0; i < c->regions.n; i++)
        for (size_t event = 0; event < c->events.n; event++)
            if (!board_is_cycle_event(c->events.at[event].name))
                insert_row(into, end_of_region(into, c, c->regions.at[i].region),
                           summarise(c, &c->regions.at[i], event, false, g->runs));
    p->launches += (unsigned)c->launches;
    tally(c, p);
}
