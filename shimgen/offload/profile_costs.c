/* profile_costs.c - costs of the functions in an irprof profile, in the whole run or in a window. */
#include "shimgen/offload/profile_costs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the meaning of keys and events ---- */

/* Reads a level of the simulated caches: "l1d=262144:8:64:lru". Returns false if it was not simulated. */
static bool simulated(struct offload_cache *out, const struct irprof_profile *p, const char *level)
{
    *out = (struct offload_cache){0};
    for (size_t i = 0; i < p->n_modules; i++) {
        const char *at = strstr(p->modules[i].settings, level);
        if (at && sscanf(at + strlen(level), "%" SCNu64 ":%u:%u", &out->size, &out->ways, &out->line) == 3)
            return true;
    }
    return false;
}

/* The event that counts lines requested from beyond a cache of this size; n_events: none was simulated. */
static size_t event_beyond(const struct irprof_profile *p, uint64_t size, unsigned *line)
{
    static const struct {
        const char *level, *event;
    } levels[] = {{"l1d=", "L1D_CACHE_REFILL"}, {"l2=", "L2D_CACHE_REFILL"}};
    struct offload_cache c;
    for (size_t i = 0; size && i < 2; i++)
        if (simulated(&c, p, levels[i].level) && c.size == size && irprof_event(p, levels[i].event) < p->n_events) {
            *line = c.line;
            return irprof_event(p, levels[i].event);
        }
    return p->n_events;
}

static enum status take_shim(struct profile_costs *c, const struct accelerator *a, const struct offload_timing *timing,
                             struct error *e)
{
    enum status s = costs_from_shim(&c->costs, timing->shim, timing->core, timing->method, e);
    if (s)
        return s;
    c->hertz = c->costs.clock_hz > 0 ? c->costs.clock_hz : a->host_clock;
    if (isnan(c->hertz))
        return error_set(e, ERR_INPUT, AT_FILE(timing->shim),
                         "the core has no ClockFrequency; give one in the accelerator's file: [host] clock = HERTZ");
    c->method = estimator_choose(timing->method, &c->costs);
    c->known |= 1U << OFFLOAD_TIME | 1U << OFFLOAD_TIME_LOW | 1U << OFFLOAD_TIME_HIGH;
    return OK;
}

enum status profile_costs_make(struct profile_costs *out, const struct irprof_profile *p, const struct accelerator *a,
                               const struct offload_timing *timing, struct error *e)
{
    *out = (struct profile_costs){.profile = p};
    out->does = xcalloc(p->n_keys, sizeof *out->does);
    for (size_t i = 0; i < p->n_keys; i++) {
        struct ir_key key = ir_key(p->keys[i]);
        out->does[i] = arithmetic_of_key(&key);
    }
    out->flops = irprof_event(p, "TARGET_FLOPS");
    out->beyond[0] = event_beyond(p, a->local.size, &out->line[0]);
    out->beyond[1] = event_beyond(p, a->host_l2.size, &out->line[1]);
    out->known = 1U << OFFLOAD_INSTRUCTIONS | 1U << OFFLOAD_FLOPS | 1U << OFFLOAD_INTEGERS;
    out->known |= out->beyond[0] < p->n_events ? 1U << OFFLOAD_BYTES : 0;
    out->known |= out->beyond[1] < p->n_events ? 1U << OFFLOAD_BYTES_L2 : 0;
    return timing->shim ? take_shim(out, a, timing, e) : OK;
}

void profile_costs_release(struct profile_costs *c)
{
    free(c->does);
    costs_release(&c->costs);
    *c = (struct profile_costs){0};
}

/* ---- a region ---- */

static void add_row(const struct profile_sums *out, const struct profile_costs *c, const struct irprof_row *row)
{
    double *self = out->self[row->function];
    struct operations operations = {.integers = 0};
    for (size_t i = 0; i < row->n_counts; i++)
        operations_count(&operations, &c->does[row->counts[i].key], (double)row->counts[i].count);
    self[OFFLOAD_INSTRUCTIONS] = (double)row->total;
    self[OFFLOAD_INTEGERS] = operations.integers;
    self[OFFLOAD_FLOPS] = operations_flops(&operations);
    if (c->flops < c->profile->n_events) /* operations of the machine code replace those of the IR */
        self[OFFLOAD_FLOPS] = (double)row->events[c->flops];
    for (size_t i = 0; i < 2; i++)
        if (c->beyond[i] < c->profile->n_events)
            self[i ? OFFLOAD_BYTES_L2 : OFFLOAD_BYTES] = (double)row->events[c->beyond[i]] * c->line[i];
    if (out->operations)
        out->operations[row->function] = operations;
}

static enum status add_times(const struct profile_sums *out, const struct profile_costs *c,
                             const struct irprof_profile *p, size_t region, struct error *e)
{
    struct estimate_request q = {.profile = p, .region = region, .costs = &c->costs};
    struct estimate *est = NULL;
    struct estimate_row *rows = NULL;
    size_t n = 0;
    enum status s = estimate_run(&est, c->method, &q, e);
    if (!s)
        estimate_rows(&rows, &n, est, ESTIMATE_BY_FUNCTION);
    for (size_t i = 0; i < n; i++) {
        double *self = out->self[rows[i].function];
        self[OFFLOAD_TIME] = rows[i].cycles.typical / c->hertz;
        self[OFFLOAD_TIME_LOW] = rows[i].cycles.best / c->hertz;
        self[OFFLOAD_TIME_HIGH] = rows[i].cycles.worst / c->hertz;
    }
    for (size_t i = 0; !s && out->notes && i < est->n_notes; i++)
        offload_note(out->notes, "%s", est->notes[i]);
    free(rows);
    estimate_free(est);
    return s;
}

enum status profile_costs_sum(const struct profile_sums *out, const struct profile_costs *c,
                              const struct irprof_profile *p, size_t region, struct error *e)
{
    struct irprof_groups *g = NULL;
    enum status s = irprof_group(&g, p, region, IRPROF_BY_FUNCTION, e);
    for (size_t i = 0; !s && i < g->n_rows; i++)
        add_row(out, c, &g->rows[i]);
    irprof_groups_free(g);
    return !s && c->method ? add_times(out, c, p, region, e) : s;
}

/* ---- windows ---- */

/* largest number of windows; neighbours are joined */
enum { WINDOWS_MOST = 1000 };

static void add_window(struct offload_table *t, const struct profile_costs *c, const double (*self)[OFFLOAD_COSTS])
{
    const struct offload_window *before = t->windows.n ? &t->windows.at[t->windows.n - 1] : NULL;
    struct offload_window w = {.first = t->spent.n, .begin = before ? before->begin + before->seconds : 0};
    w.seconds = c->method ? 0 : NAN;
    for (uint32_t f = 0; f < c->profile->n_functions; f++) {
        struct offload_spent spent = {.function = f};
        memcpy(spent.costs, self[f], sizeof spent.costs);
        if (self[f][OFFLOAD_INSTRUCTIONS] <= 0 && self[f][OFFLOAD_BYTES] <= 0)
            continue;
        w.seconds += self[f][OFFLOAD_TIME];
        w.n++;
        vec_push(&t->spent, spent);
    }
    vec_push(&t->windows, w);
}

static enum status read_window(struct offload_table *t, const struct profile_costs *c, size_t first, size_t n,
                               struct error *e)
{
    struct irprof_profile only = *c->profile; /* a profile with the window as its only region */
    struct irprof_region window;
    double(*self)[OFFLOAD_COSTS] = xcalloc(c->profile->n_functions, sizeof *self);
    struct profile_sums sums = {.self = self};
    irprof_window(c->profile, first, n, &window);
    only.regions = &window;
    only.n_regions = 1;
    enum status s = profile_costs_sum(&sums, c, &only, 0, e);
    if (!s)
        add_window(t, c, self);
    irprof_region_release(&window);
    free(self);
    return s;
}

static void say_flaws(struct offload_table *t, unsigned flaws)
{
    offload_note(t, "what happened when is not known: %s",
                 flaws & IRPROF_WINDOWS_THREADS ? "several threads ended windows"
                 : flaws & IRPROF_WINDOWS_FULL
                     ? "there were more windows than are kept; instrument with a larger --windows N"
                     : "modules were instrumented with different --windows N");
}

enum status profile_costs_windows(struct offload_table *t, const struct profile_costs *c, struct error *e)
{
    const struct irprof_windows *w = c->profile->windows;
    enum status s = OK;
    if (w && w->flaws)
        say_flaws(t, w->flaws);
    if (!w || w->flaws || !w->n)
        return OK;
    size_t each = (w->n + WINDOWS_MOST - 1) / WINDOWS_MOST;
    for (size_t i = 0; i < w->n && !s; i += each) {
        bool last = w->n - i <= 2 * each; /* a shorter rest is joined to the last window */
        s = read_window(t, c, i, last ? w->n - i : each, e);
        if (last)
            break;
    }
    t->window_size = xasprintf("%" PRIu64 " accesses", each * w->accesses);
    return s;
}
