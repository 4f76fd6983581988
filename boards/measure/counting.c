/* counting.c - checks the counters on the board by known work, and measures what a region costs there. */
#include "boards/measure/counting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "boards/description/event_names.h"
#include "boards/machine/this_machine.h"
#include "boards/machine/system_files.h"
#include "boards/measure/run_stats.h"

struct counting *counting_new(void)
{
    return xcalloc(1, sizeof(struct counting));
}

void counting_reset(struct counting *c)
{
    counter_plan_release(&c->plan);
    c->known = false;
}

void counting_free(struct counting *c)
{
    if (!c)
        return;
    counting_reset(c);
    for (size_t i = 0; i < c->dropped.n; i++) {
        free(c->dropped.at[i].name);
        free(c->dropped.at[i].why);
    }
    vec_release(&c->dropped);
    free(c);
}

void counting_drop(struct counting *c, const char *event, const char *why)
{
    vec_push(&c->dropped, (struct lost_event){xstrdup(event), xstrdup(why)});
}

static bool is_dropped(const struct counting *c, const char *spec)
{
    for (size_t i = 0; i < c->dropped.n; i++) {
        size_t n = strlen(c->dropped.at[i].name);
        if (strncmp(spec, c->dropped.at[i].name, n) == 0 && spec[n] == '=')
            return true;
    }
    return false;
}

char *counting_events(const struct counting *c, const struct board *b, const char *root)
{
    struct str all = STR_INIT, kept = STR_INIT;
    char *cpuinfo = sys_text(root, "/proc/cpuinfo"), *vendor = cpuinfo ? line_value(cpuinfo, "vendor_id") : 0;
    /* the simulator uses PMUv3's numbers for events, whatever core it simulates */
    char *architecture = b->how == BOARD_SIMULATOR ? xstrdup("aarch64") : machine_architecture(root);
    events_spec(&all, b, architecture ? architecture : "", vendor ? vendor : "");
    str_add(&kept, "");
    for (const char *at = is_dropped(c, str_text(&all)) ? "" : str_text(&all); *at;
         /* without cycles no event is of use */ at += strcspn(at, ",") + (at[strcspn(at, ",")] == ','))
        if (!is_dropped(c, at))
            str_addf(&kept, "%s%.*s", kept.len ? "," : "", (int)strcspn(at, ","), at);
    str_release(&all);
    free(architecture);
    free(vendor);
    free(cpuinfo);
    return str_detach(&kept);
}

/* ---- proving on the board ---- */

struct prover {
    struct runner *place;
    const struct board *b;
    const char *const *settings;
    char *out;
    int core;
};

static enum status launch(void *context, const char *events, struct run_result **out, struct error *e)
{
    struct prover *p = context;
    struct board_args environment = {0, 0};
    char *asked = xasprintf("SHIM_MEASURE_EVENTS=%s", events);
    for (const char *const *v = p->settings; *v; v++)
        board_args_add(&environment, *v);
    board_args_add(&environment, asked);
    board_args_add(&environment, "SHIM_MEASURE_PROVE=1");
    struct run_request q = {.environment = (const char *const *)environment.at,
                            .result_variable = "SHIM_MEASURE_OUT",
                            .result = p->out,
                            .timeout_s = p->b->timeout_s,
                            .core = p->core};
    struct run_end end = RUN_END_INIT;
    struct error unreadable = ERROR_INIT;
    enum status s = runner_run(p->place, &q, &end, e);
    if (!s && end.written && run_result_read(out, p->out, &unreadable))
        *out = 0; /* the program's first launch will say what is wrong with it */
    error_release(&unreadable);
    run_end_release(&end);
    board_args_release(&environment);
    free(asked);
    return s;
}

enum status counting_prove(struct counting *c, struct runner *place, const struct board *b, int core,
                           const char *const *settings, struct error *e)
{
    struct prover p = {.place = place, .b = b, .settings = settings, .core = core};
    char *folder = 0, *events = counting_events(c, b, runner_root(place));
    struct error ignored = ERROR_INIT;
    counting_reset(c);
    enum status s = temp_directory(&folder, "shimgen-prove", e);
    if (!s) {
        p.out = path_join(folder, "proof");
        s = prove_counters(&c->plan, events, launch, &p, e);
        c->known = !s;
        (void)!remove_tree(folder, &ignored);
        cleanup_remove(folder);
    }
    error_release(&ignored);
    free(p.out);
    free(folder);
    free(events);
    return s;
}

/* ---- what a region costs ---- */

enum { LEAST_FULL = 3, MOST_FULL = 8, MOST_ODD = 3 };
#define STEADY 0.05

/* The spread of the set's first event, as a rule the cycles: half the difference between the largest and the smallest
 * reading, relative to the median. */
static double spread(const struct set_event *event)
{
    const double *x = event->inside.at;
    size_t n = event->inside.n;
    double middle = median_of(x, n);
    return middle > 0 ? (quantile_of(x, n, 1) - quantile_of(x, n, 0)) / (2 * middle) : 0;
}

bool calibration_wanted(const struct counter_set *set)
{
    if (set->full < LEAST_FULL || set->odd >= MOST_ODD)
        return true;
    return set->full < MOST_FULL && spread(&set->events.at[0]) > STEADY;
}

/* How much a short check of a few readings may differ: a fifth, plus some cycles for its coarse resolution. */
static bool is_odd(const struct set_event *event, double inside)
{
    double middle = median_of(event->inside.at, event->inside.n);
    return fabs(inside - middle) > 0.2 * middle + 16;
}

static void take_full(struct counter_set *set, const struct run_result *r)
{
    if (set->odd >= MOST_ODD) /* the known overhead is no longer valid */
        for (size_t i = 0; i < set->events.n; i++)
            set->events.at[i].inside.n = set->events.at[i].pair.n = 0;
    set->full = set->odd >= MOST_ODD ? 1 : set->full + 1;
    set->odd = 0;
    for (size_t i = 0; i < set->events.n && i < r->events.n; i++) {
        vec_push(&set->events.at[i].inside, r->events.at[i].inside);
        vec_push(&set->events.at[i].pair, r->events.at[i].pair);
    }
}

void calibration_take(struct counter_set *set, struct run_result *r)
{
    if (r->calibrated) {
        take_full(set, r);
        return;
    }
    set->odd = is_odd(&set->events.at[0], r->events.at[0].inside) ? set->odd + 1 : 0;
    for (size_t i = 0; i < set->events.n && i < r->events.n; i++) {
        const struct set_event *known = &set->events.at[i];
        r->events.at[i].inside = median_of(known->inside.at, known->inside.n);
        r->events.at[i].pair = median_of(known->pair.at, known->pair.n);
    }
}
