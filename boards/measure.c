/* measure.c - runs a program until enough undisturbed runs are there. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "boards/run.h"
#include "series.h"

enum { N_SETTINGS = 4 };

struct session {
    const struct board *b;
    struct runner *place;
    const char *program;
    const char *const *args;
    int core;                       /* -1: any */
    char *folder, *out;             /* where the runtime's result comes to */
    char *settings[N_SETTINGS + 2]; /* the runtime's environment, NULL-terminated */
    struct campaign runs;
    struct run_result *last;
    double started;
};

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void make_settings(struct session *s)
{
    static const char *const sources[] = {"auto", "pmu", "constant"};
    const char *root = runner_root(s->place);
    bool simulated = s->b->how == BOARD_SIMULATOR;
    struct str events = STR_INIT;
    char *cpuinfo = sys_text(root, "/proc/cpuinfo"), *vendor = cpuinfo ? line_value(cpuinfo, "vendor_id") : NULL;
    /* The simulator knows events by PMUv3's numbers, whatever it simulates. */
    char *architecture = simulated ? xstrdup("aarch64") : machine_architecture(root);
    events_spec(&events, s->b, architecture ? architecture : "", vendor ? vendor : "");
    size_t n = 0;
    s->settings[n++] = xasprintf("SHIM_MEASURE_CACHE=%s", s->b->cache == BOARD_WARM ? "warm" : "cold");
    s->settings[n++] = xasprintf("SHIM_MEASURE_SOURCE=%s", simulated ? "simulator" : sources[s->b->source]);
    s->settings[n++] = xasprintf("SHIM_MEASURE_EVENTS=%s", str_text(&events));
    s->settings[n++] = xasprintf("SHIM_MEASURE_PRIORITY=%d", s->b->raise_priority);
    s->settings[n] = NULL;
    str_release(&events);
    free(architecture);
    free(vendor);
    free(cpuinfo);
}

static enum status choose(struct session *s, struct error *e)
{
    const char *root = runner_root(s->place);
    s->core = choose_core(s->b, root);
    char *allowed = allowed_cores(root), *core = xasprintf("%d", s->core);
    bool may = in_cpu_list(allowed, s->core);
    enum status status = may ? OK : cause_error(e, ERR_UNSUPPORTED, s->program, "core-not-allowed", core);
    free(core);
    free(allowed);
    return status;
}

static enum status open_session(struct session *s, struct runner *place, const struct board *b, const char *executable,
                                const char *program, const char *const *args, double best_width, struct error *e)
{
    *s = (struct session){.b = b, .place = place, .program = program, .args = args, .core = -1, .started = now_s()};
    campaign_init(&s->runs, program, best_width);
    enum status status = b->how == BOARD_SIMULATOR ? OK : choose(s, e); /* simulated time does not depend on the core */
    if (!status)
        status = runner_put(place, executable, e);
    if (!status)
        status = temp_directory(&s->folder, "shimgen-measure", e);
    if (status)
        return status;
    s->out = path_join(s->folder, "run");
    make_settings(s);
    return OK;
}

static void close_session(struct session *s)
{
    struct error ignored = ERROR_INIT;
    if (s->folder) {
        (void)!remove_tree(s->folder, &ignored);
        cleanup_forget(s->folder);
    }
    error_release(&ignored);
    for (char **v = s->settings; *v; v++)
        free(*v);
    run_result_free(s->last);
    campaign_release(&s->runs);
    free(s->out);
    free(s->folder);
}

/* The last line of what the program wrote to stderr, for the message; "" none. */
static const char *last_line(const struct str *messages)
{
    const char *line = messages->len ? strrchr(messages->s, '\n') : NULL;
    return line ? line + 1 : str_text(messages);
}

static enum status ended_badly(struct session *s, const struct run_request *q, const struct run_end *end,
                               struct error *e)
{
    char *how = run_how_ended(q, end);
    const char *said = last_line(&end->messages);
    const char *cure = end->timed_out ? "raise [run] timeout in board.ini if it needs longer"
                       : end->signal
                           ? "run it by hand to see why"
                           : "its self-check fails in this build: nothing of it is used; run it by hand to see why";
    error_set(e, ERR_INPUT, NOWHERE, "%s: the program %s in run %zu%s%s%s; %s", s->program, how, s->runs.launches + 1,
              *said ? " (" : "", said, *said ? ")" : "", cure);
    free(how);
    return ERR_INPUT;
}

static enum status launch(struct session *s, struct error *e)
{
    struct run_request q = {.arguments = s->args,
                            .environment = (const char *const *)s->settings,
                            .result_variable = "SHIM_MEASURE_OUT",
                            .result = s->out,
                            .timeout_s = s->b->timeout_s,
                            .core = s->core};
    struct run_end end = RUN_END_INIT;
    struct run_result *result = NULL;
    enum status status = runner_run(s->place, &q, &end, e);
    if (!status && end.written)
        status = run_result_read(&result, s->out, e);
    /* A problem that the runtime found explains the exit code, not the other way round. */
    if (!status && result && (result->problem || (!end.signal && !end.exit_code)))
        status = run_result_check(result, s->program, e);
    if (!status && (end.signal || end.exit_code || end.timed_out))
        status = ended_badly(s, &q, &end, e);
    if (!status && !end.written)
        status = error_set(
            e, ERR_INPUT, NOWHERE,
            "%s: the program ended without a result; link it with what 'shimgen measure BOARD --flags' prints, "
            "and let it end by return or exit, not by _exit",
            s->program);
    if (!status)
        status = campaign_add(&s->runs, result, e);
    if (!status) {
        if (!s->last && result->own_regions) /* from now on main as a whole need not be prepared for */
            s->settings[N_SETTINGS] = xstrdup("SHIM_MEASURE_MAIN=0");
        run_result_free(s->last);
        s->last = result;
        result = NULL;
    }
    run_result_free(result);
    run_end_release(&end);
    return status;
}

enum { LEAST_RUNS = 10 }; /* fewer are not enough for a median of some worth, however long they take */

static bool budget_left(const struct session *s)
{
    return s->b->budget_s <= 0 || s->runs.launches < LEAST_RUNS || now_s() - s->started < s->b->budget_s;
}

/* After a run in which the core was shared a pause: what shares it comes in bursts. */
static enum status launch_once(struct session *s, struct error *e)
{
    enum status status = launch(s, e);
    if (!status && campaign_last_shared(&s->runs))
        nanosleep(&(struct timespec){0, 5000000}, NULL);
    return status;
}

/* As many runs as are wanted, then what of them was disturbed and what precision still lacks, until nothing is missing
 * or the extra ones are used up. */
static enum status launch_all(struct session *s, struct error *e)
{
    const struct goal goal = goal_of(s->b);
    size_t most = (size_t)s->b->runs + s->b->extra_runs, wanted = goal.precision > 0 ? goal.least : goal.runs;
    enum status status = OK;
    while (!status && wanted && s->runs.launches < most && budget_left(s)) {
        size_t upto = s->runs.launches + wanted;
        while (!status && s->runs.launches < upto && s->runs.launches < most && budget_left(s))
            status = launch_once(s, e);
        if (!status)
            wanted = campaign_missing(&s->runs, &goal);
    }
    return status;
}

static void set_text(char **to, char *owned)
{
    free(*to);
    *to = owned;
}

static const char *nature(const char *cycle_event, bool simulated)
{
    if (simulated)
        return "core cycles, simulated";
    return strcmp(cycle_event, "CPU_CYCLES") == 0 ? "core cycles of the program's own code, from the PMU"
                                                  : "ticks of a constant-rate counter: time, not core cycles";
}

static void describe_cache(struct conditions *c, const struct session *s)
{
    const struct run_result *r = s->last;
    set_text(&c->cache, xstrdup(r->cold ? "cold" : "warm"));
    if (!r->cold)
        set_text(&c->cache_method,
                 xasprintf("main is run once before, unmeasured, in the same process; branch predictors %s",
                           r->new_place ? "have not seen the addresses of this launch" : "untrained before that"));
    else
        set_text(&c->cache_method,
                 xasprintf("%s over %.1f MB, and branch predictors untrained, before a region's first entry",
                           r->flush_method, r->flush_bytes / 1e6));
}

static void take_left_out(struct conditions *c, const struct run_result *r)
{
    if (c->events_left_out)
        return; /* the same for every program of the board */
    c->events_left_out = xcalloc(r->left_out.n + 1, sizeof *c->events_left_out);
    for (size_t i = 0; i < r->left_out.n; i++)
        c->events_left_out[i] = xstrdup(r->left_out.at[i]);
}

/* What the runs tell of the conditions; the rest comes from measurements_describe. */
static void describe(struct measurements *into, const struct session *s)
{
    struct conditions *c = &into->conditions;
    const struct run_result *r = s->last;
    const struct event_series *cycles = &s->runs.events.at[0];
    if (!c->cycle_event || !*c->cycle_event) {
        set_text(&c->cycle_event, xstrdup(cycles->name));
        set_text(&c->cycle_nature, xstrdup(nature(cycles->name, s->b->how == BOARD_SIMULATOR)));
        c->cycle_hz = r->pmu ? 0 : r->clock_hz;
    }
    describe_cache(c, s);
    set_text(&c->priority, xstrdup(r->priority));
    set_text(&c->memory, xstrdup(r->memory));
    c->core = s->core >= 0 ? s->core : s->b->core >= 0 ? s->b->core : 0;
    c->runs = s->b->runs;
    c->precision = s->b->precision;
    c->core_width = s->runs.best_width;
    c->overhead_cycles = median_of(cycles->inside.at, cycles->inside.n);
    take_left_out(c, r);
    if (r->flush_skipped > 0) {
        char *size = xasprintf("%s: %.1f MB", s->program, r->flush_skipped / 1e6);
        add_note(into, cause_sentence("flush-limit", size));
        free(size);
    }
}

static enum status check_against(const struct session *s, const struct measurements *into, struct error *e)
{
    const char *before = into->conditions.cycle_event, *now = s->runs.events.at[0].name;
    for (size_t i = 0; i < into->programs.n; i++)
        if (strcmp(into->programs.at[i].program, s->program) == 0)
            return error_set(e, ERR_INPUT, NOWHERE, "%s: measured twice into one table; give it another name",
                             s->program);
    if (!board_is_cycle_event(now))
        return error_set(e, ERR_UNSUPPORTED, NOWHERE,
                         "%s: the first event '%s' does not count cycles; begin [events] in board.ini with CPU_CYCLES",
                         s->program, now);
    if (before && *before && strcmp(before, now) != 0)
        return error_set(e, ERR_SYSTEM, NOWHERE,
                         "%s: its cycles are %s, those of the programs before are %s: they cannot stand in one table; "
                         "end other users of the counters and measure again",
                         s->program, now, before);
    return OK;
}

enum status board_measure_at(struct runner *place, const struct board *b, const char *executable, const char *program,
                             const char *const *args, struct measurements *into, struct error *e)
{
    struct session s;
    enum status status = open_session(&s, place, b, executable, program, args, into->conditions.core_width, e);
    if (!status)
        status = launch_all(&s, e);
    if (!status)
        status = check_against(&s, into, e);
    if (!status) {
        const struct goal goal = goal_of(b);
        campaign_finish(&s.runs, &goal, now_s() - s.started, into);
        describe(into, &s);
    }
    close_session(&s);
    return status;
}

enum status board_measure(const struct board *b, const char *executable, const char *program, const char *const *args,
                          struct measurements *into, struct error *e)
{
    struct runner *place = NULL;
    enum status s = runner_open(&place, b, RUN_MEASURED, e);
    if (!s)
        s = board_measure_at(place, b, executable, program, args, into, e);
    runner_close(place);
    return s;
}
