/* judge.c - the indexes of each offload root, the verdict, the bound on the speed-up, obstacles, the ranking. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shimgen/offload/call_parts.h"

enum { INSIDE_MOST = 20 };
/* a program with fewer floating-point operations per integer operation counts as an integer program */
#define ON_INTEGERS 0.1
/* a function with a smaller part of a root's work does not determine the root's data rate */
#define LEAST_FOR_RATE 0.01

struct judge {
    const struct offload_table *table;
    const struct accelerator *a;
    struct call_parts parts;
    bool alone;             /* without callees */
    enum offload_cost work; /* what shares refer to */
    double total[OFFLOAD_COSTS];
    double *done; /* of each cycle, for the current root */
};

const char *offload_state_name(enum offload_state s)
{
    static const char *const names[] = {"pass", "fail", "unknown"};
    return names[s];
}

const char *offload_verdict_name(enum offload_verdict v)
{
    static const char *const names[] = {"yes", "maybe", "no", "unknown"};
    return names[v];
}

const char *offload_rule(void)
{
    return "all indexes pass: yes; the intensity passes: maybe; it fails: no; it is unknown: unknown";
}

/* ---- indexes ---- */

static struct offload_ratio ratio(const struct judge *j, const double *costs, enum offload_cost operations,
                                  double threshold)
{
    struct offload_ratio r = {.value = NAN, .state = OFFLOAD_NOT_KNOWN};
    if (!offload_knows(j->table, operations))
        return r;
    double n = costs[operations];
    if (n <= 0) {
        r.value = 0;
        r.state = OFFLOAD_FAIL;
    } else if (offload_knows(j->table, OFFLOAD_BYTES)) {
        r.no_data = costs[OFFLOAD_BYTES] <= 0;
        r.value = r.no_data ? INFINITY : n / costs[OFFLOAD_BYTES];
    }
    if (!isnan(r.value) && !isnan(threshold))
        r.state = r.value >= threshold ? OFFLOAD_PASS : OFFLOAD_FAIL;
    return r;
}

static double rate_of(const struct judge *j, const double *costs)
{
    if (!offload_knows(j->table, OFFLOAD_BYTES) || !offload_knows(j->table, OFFLOAD_TIME) || costs[OFFLOAD_TIME] <= 0)
        return NAN;
    return costs[OFFLOAD_BYTES] / costs[OFFLOAD_TIME];
}

/* The part of a function's work that is done for the current candidate. */
static double works_for(const struct judge *j, const struct offload_candidate *c, uint32_t function)
{
    if (j->alone && c->function != OFFLOAD_WHOLE)
        return c->function == function;
    return j->done[j->parts.graph.circle[function]];
}

/* What the current candidate did in a window. */
static double in_window(const struct judge *j, const struct offload_candidate *c, const struct offload_window *w,
                        enum offload_cost cost)
{
    double sum = 0;
    for (size_t i = w->first; i < w->first + w->n; i++)
        sum += works_for(j, c, j->table->spent.at[i].function) * j->table->spent.at[i].costs[cost];
    return sum;
}

/* The largest rate of all windows. Returns false if there are none, or if their bytes or times are not known. */
static bool find_peak(const struct judge *j, struct offload_candidate *c)
{
    const struct offload_table *t = j->table;
    c->rate = NAN;
    c->peak = SIZE_MAX;
    for (size_t i = 0; offload_knows(t, OFFLOAD_BYTES) && i < t->windows.n; i++) {
        const struct offload_window *w = &t->windows.at[i];
        double rate = in_window(j, c, w, OFFLOAD_BYTES) / w->seconds;
        if (!(w->seconds > 0) || rate <= c->rate)
            continue;
        c->rate = rate;
        c->peak = i;
    }
    return c->peak != SIZE_MAX;
}

/* Without windows, the peak is at least the mean rate, and at least that of a function that works for the root. */
static void judge_rate(const struct judge *j, struct offload_candidate *c)
{
    if (find_peak(j, c)) {
        c->rate_state = c->rate <= j->a->rate.value ? OFFLOAD_PASS : OFFLOAD_FAIL;
        return;
    }
    c->rate = rate_of(j, c->costs);
    for (size_t i = 0; i < c->inside.n; i++)
        if (c->inside.at[i].share >= LEAST_FOR_RATE)
            c->rate = fmax(c->rate, rate_of(j, j->table->functions.at[c->inside.at[i].function].self));
    c->rate_state = c->rate > j->a->rate.value ? OFFLOAD_FAIL : OFFLOAD_NOT_KNOWN;
}

static enum offload_verdict verdict_of(const struct offload_candidate *c)
{
    enum offload_state s = c->on_integers ? c->integer_intensity.state : c->intensity.state;
    if (s == OFFLOAD_NOT_KNOWN)
        return OFFLOAD_UNDECIDED;
    if (s == OFFLOAD_FAIL)
        return OFFLOAD_NO;
    return c->rate_state == OFFLOAD_PASS && c->needed_state == OFFLOAD_PASS ? OFFLOAD_YES : OFFLOAD_MAYBE;
}

/* ---- the bound ---- */

static double positive(double value)
{
    return value > 0 ? value : 0; /* NAN becomes 0 */
}

/* The least time on the accelerator: the longest of computing, memory and link, plus the calls. What the description
 * lacks takes no time. The link carries at least the bytes that the root needs and leaves. */
static double least_time(const struct judge *j, const struct offload_candidate *c)
{
    const struct accelerator *a = j->a;
    double memory = isnan(a->memory) ? a->link : a->memory;
    double bytes = offload_knows(j->table, OFFLOAD_BYTES) ? c->costs[OFFLOAD_BYTES] : 0;
    double compute =
        fmax(positive(c->costs[OFFLOAD_FLOPS] / a->flops), positive(c->costs[OFFLOAD_INTEGERS] / a->integers));
    double crossing = positive((c->footprint[OFFLOAD_NEEDED] + c->footprint[OFFLOAD_LEFT]) / a->link);
    return fmax(fmax(compute, crossing), positive(bytes / memory)) + positive(c->calls * a->latency);
}

static double speedup(double root, double rest, double accelerated)
{
    root = positive(root);
    rest = positive(rest);
    return rest + accelerated > 0 ? (root + rest) / (rest + accelerated) : INFINITY;
}

static void judge_bound(const struct judge *j, struct offload_candidate *c)
{
    c->bound = c->bound_low = c->bound_high = NAN;
    if (!offload_knows(j->table, OFFLOAD_TIME)) {
        c->bound = c->share < 1 ? 1 / (1 - c->share) : INFINITY; /* Amdahl's law alone */
        return;
    }
    double time = least_time(j, c), rest = j->total[OFFLOAD_TIME] - c->costs[OFFLOAD_TIME];
    c->bound = c->bound_low = c->bound_high = speedup(c->costs[OFFLOAD_TIME], rest, time);
    if (!offload_knows(j->table, OFFLOAD_TIME_LOW))
        return;
    double low = c->costs[OFFLOAD_TIME_LOW], high = c->costs[OFFLOAD_TIME_HIGH];
    c->bound_low = speedup(low, j->total[OFFLOAD_TIME_HIGH] - high, time);
    c->bound_high = speedup(high, j->total[OFFLOAD_TIME_LOW] - low, time);
}

/* ---- functions that work for a root ---- */

static int larger_share(const void *a, const void *b)
{
    const struct offload_inside *x = a, *y = b;
    if (x->share != y->share)
        return x->share < y->share ? 1 : -1;
    return x->function < y->function ? -1 : 1;
}

static void list_inside(const struct judge *j, struct offload_candidate *c)
{
    const struct offload_table *t = j->table;
    double all = c->costs[j->work], sum = 0;
    for (uint32_t i = 0; i < t->functions.n; i++) {
        uint32_t circle = j->parts.graph.circle[i];
        double part = works_for(j, c, i);
        if (part <= 0)
            continue;
        c->obstacles |= t->functions.at[i].obstacles | (j->parts.recursive[circle] ? OFFLOAD_RECURSION : 0);
        double work = part * t->functions.at[i].self[j->work];
        if (work > 0)
            vec_push(&c->inside, (struct offload_inside){i, all > 0 ? work / all : 0});
    }
    if (c->inside.n)
        qsort(c->inside.at, c->inside.n, sizeof *c->inside.at, larger_share);
    c->working = c->inside.n;
    /* a rounding error in the sum must not miss 0.8 */
    while (c->needed < c->inside.n && sum < j->a->share.value * (1 - 1e-12))
        sum += c->inside.at[c->needed++].share;
}

static void judge_candidate(const struct judge *j, struct offload_candidate *c)
{
    const struct accelerator *a = j->a;
    c->share = j->total[j->work] > 0 ? c->costs[j->work] / j->total[j->work] : 0;
    list_inside(j, c);
    c->intensity = ratio(j, c->costs, OFFLOAD_FLOPS, a->intensity.value);
    c->integer_intensity = ratio(j, c->costs, OFFLOAD_INTEGERS, a->integer_intensity.value);
    c->on_integers = c->costs[OFFLOAD_FLOPS] < ON_INTEGERS * c->costs[OFFLOAD_INTEGERS];
    judge_rate(j, c);
    c->needed_state = (double)c->needed <= a->functions.value ? OFFLOAD_PASS : OFFLOAD_FAIL;
    c->verdict = verdict_of(c);
    judge_bound(j, c);
    if (c->inside.n > INSIDE_MOST)
        c->inside.n = INSIDE_MOST;
}

static const double *costs_of(const struct judge *j, uint32_t function)
{
    return j->alone ? j->table->functions.at[function].self : j->parts.inclusive[j->parts.graph.circle[function]];
}

static void add_root(struct offload_judgement *out, struct judge *j, uint32_t root)
{
    const struct offload_function *f = &j->table->functions.at[root];
    struct offload_candidate c = {.function = root, .calls = f->calls};
    memcpy(c.costs, costs_of(j, root), sizeof c.costs);
    for (int i = 0; i < OFFLOAD_FOOTPRINT; i++)
        c.footprint[i] = j->alone ? NAN : f->footprint[i];
    c.self_share = j->total[j->work] > 0 ? f->self[j->work] / j->total[j->work] : 0;
    call_parts_of_root(j->done, &j->parts, root);
    judge_candidate(j, &c);
    vec_push(&out->roots, c);
}

static void judge_whole(struct offload_judgement *out, struct judge *j)
{
    struct offload_candidate c = {.function = OFFLOAD_WHOLE, .calls = 1, .self_share = 1};
    memcpy(c.costs, j->total, sizeof c.costs);
    for (int i = 0; i < OFFLOAD_FOOTPRINT; i++)
        c.footprint[i] = NAN;
    for (size_t i = 0; i < j->parts.graph.n_circles; i++)
        j->done[i] = 1;
    judge_candidate(j, &c);
    out->whole = c;
}

/* ---- the ranking ---- */

static int better(const void *a, const void *b)
{
    const struct offload_candidate *x = a, *y = b;
    if (x->bound != y->bound)
        return x->bound < y->bound ? 1 : -1;
    if (x->share != y->share)
        return x->share < y->share ? 1 : -1;
    return x->function < y->function ? -1 : 1;
}

/* If the intervals of two bounds overlap, either candidate may be better. */
static void rank(struct offload_judgement *j)
{
    for (size_t i = 0; i < j->roots.n; i++) {
        struct offload_candidate *c = &j->roots.at[i];
        bool range = c->bound_low <= c->bound_high;
        double low = range ? c->bound_low : c->bound, high = range ? c->bound_high : c->bound;
        c->rank_from = 1;
        c->rank_to = j->roots.n;
        for (size_t k = 0; k < j->roots.n; k++) {
            const struct offload_candidate *o = &j->roots.at[k];
            c->rank_from += (range ? o->bound_low : o->bound) > high;
            c->rank_to -= (range ? o->bound_high : o->bound) < low;
        }
    }
}

/* Of the candidates that reach the share, the one with the fewest functions; of equal ones, that with the least
 * work. */
static uint32_t find_smallest(const struct offload_judgement *j, const struct accelerator *a)
{
    uint32_t best = OFFLOAD_WHOLE;
    for (uint32_t i = 0; i < j->roots.n; i++) {
        const struct offload_candidate *c = &j->roots.at[i], *b = best == OFFLOAD_WHOLE ? NULL : &j->roots.at[best];
        if (c->share < a->share.value * (1 - 1e-12))
            continue;
        if (!b || c->working < b->working || (c->working == b->working && c->share < b->share))
            best = i;
    }
    return best;
}

void offload_judge(struct offload_judgement *out, const struct offload_table *t, const struct accelerator *a,
                   double least, bool alone)
{
    struct judge j = {.table = t, .a = a, .alone = alone};
    *out = (struct offload_judgement){0};
    j.work = offload_knows(t, OFFLOAD_TIME) ? OFFLOAD_TIME : OFFLOAD_INSTRUCTIONS;
    call_parts_make(&j.parts, t);
    j.done = xcalloc(j.parts.graph.n_circles, sizeof *j.done);
    for (size_t i = 0; i < t->functions.n; i++)
        for (size_t k = 0; k < OFFLOAD_COSTS; k++)
            j.total[k] += t->functions.at[i].self[k];
    judge_whole(out, &j);
    for (uint32_t i = 0; i < t->functions.n; i++) {
        double work = costs_of(&j, i)[j.work];
        if (work > 0 && work >= least * j.total[j.work])
            add_root(out, &j, i);
    }
    if (out->roots.n)
        qsort(out->roots.at, out->roots.n, sizeof *out->roots.at, better);
    rank(out);
    out->smallest = find_smallest(out, a);
    free(j.done);
    call_parts_release(&j.parts);
}

void offload_judgement_release(struct offload_judgement *j)
{
    vec_release(&j->whole.inside);
    for (size_t i = 0; i < j->roots.n; i++)
        vec_release(&j->roots.at[i].inside);
    vec_release(&j->roots);
}
