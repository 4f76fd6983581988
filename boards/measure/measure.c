/* measure.c - runs a program until there are enough undisturbed runs. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/proc.h"
#include "boards/description/causes.h"
#include "boards/machine/this_machine.h"
#include "boards/machine/system_files.h"
#include "boards/measure/run_stats.h"
#include "boards/run/run.h"
#include "boards/measure/conditions.h"
#include "boards/measure/counting.h"
#include "boards/measure/part.h"
#include "boards/measure/series.h"

enum { N_SETTINGS = 3 };

struct session {
    const struct board *b;
    struct runner *place;
    const char *program;
    const char *const *args;
    int core;                       /* -1: any */
    char *folder, *out;             /* the runtime writes its result to `out` */
    char *settings[N_SETTINGS + 2]; /* environment of the runtime without the events; NULL-terminated */
    struct counting *counting;      /* of the table that results go to */
    VEC(struct campaign) runs;      /* one for each set of the counters' plan, at least one */
    size_t at;                      /* the set of the next launch */
    unsigned bad, thrown;           /* launches discarded since a counter read nothing: in a row, in all */
    unsigned proofs;                /* repeated checks of the counters for this program */
    const char *dead;               /* the event whose counter read nothing; borrowed from the plan */
    bool again;                     /* the plan of counters is not valid any more: measure again */
    struct run_result *last;
    double started, set_started;
};

static void make_settings(struct session *s)
{
    static const char *const sources[] = {"auto", "pmu", "constant"};
    bool simulated = s->b->how == BOARD_SIMULATOR;
    size_t n = 0;
    s->settings[n++] = xasprintf("SHIM_MEASURE_CACHE=%s", s->b->cache == BOARD_WARM ? "warm" : "cold");
    s->settings[n++] = xasprintf("SHIM_MEASURE_SOURCE=%s", simulated ? "simulator" : sources[s->b->source]);
    s->settings[n++] = xasprintf("SHIM_MEASURE_PRIORITY=%d", s->b->raise_priority);
    s->settings[n] = 0;
}

static struct campaign *now(struct session *s)
{
    return &s->runs.at[s->at];
}

/* NULL: there is no plan, so all events are asked for. */
static struct counter_set *set_now(struct session *s)
{
    return s->at < s->counting->plan.sets.n ? &s->counting->plan.sets.at[s->at] : 0;
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
                                const char *program, const char *const *args, struct counting *counting,
                                struct error *e)
{
    *s = (struct session){
        .b = b, .place = place, .program = program, .args = args, .core = -1, .started = proc_clock_s()};
    s->counting = counting;
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

static void release_runs(struct session *s)
{
    for (size_t i = 0; i < s->runs.n; i++)
        campaign_release(&s->runs.at[i]);
    s->runs.n = 0;
}

static void close_session(struct session *s)
{
    struct error ignored = ERROR_INIT;
    if (s->folder) {
        (void)!remove_tree(s->folder, &ignored);
        cleanup_remove(s->folder);
    }
    error_release(&ignored);
    for (char **v = s->settings; *v; v++)
        free(*v);
    run_result_free(s->last);
    release_runs(s);
    vec_release(&s->runs);
    free(s->out);
    free(s->folder);
}

/* The last line of the program's messages, for an error's text; "": none. */
static const char *last_line(const struct str *messages)
{
    const char *line = messages->len ? strrchr(messages->s, '\n') : 0;
    return line ? line + 1 : str_text(messages);
}

static enum status ended_badly(struct session *s, const struct run_request *q, const struct run_end *end,
                               struct error *e)
{
    char *how = run_how_ended(q, end);
    const char *said = last_line(&end->messages);
    bool too_long = end->timed_out || (q->cpu_limit_s && end->signal == SIGXCPU);
    const char *cure = too_long ? "raise [run] timeout in board.ini if it needs longer"
                       : end->signal
                           ? "run it by hand to see why"
                           : "its self-check fails in this build, so it is not used; run it by hand to see why";
    error_set(e, ERR_INPUT, NOWHERE, "%s: the program %s in run %zu%s%s%s; %s", s->program, how, now(s)->launches + 1,
              *said ? " (" : "", said, *said ? ")" : "", cure);
    free(how);
    return ERR_INPUT;
}

/* There are counters, but the cycles are wrong. */
static bool cycles_lost(const struct session *s)
{
    return s->counting->plan.opened && s->counting->plan.sets.n == 0;
}

/* Adds the runtime's environment for a launch of the current set. */
static void add_environment(struct session *s, struct board_args *to)
{
    const struct counter_set *set = set_now(s);
    char *events = set              ? counter_set_spec(set)
                   : cycles_lost(s) ? xstrdup("") /* measures by the constant counter */
                                    : counting_events(s->counting, s->b, runner_root(s->place)),
         *text = xasprintf("SHIM_MEASURE_EVENTS=%s", events);
    for (char **v = s->settings; *v; v++)
        board_args_add(to, *v);
    board_args_add(to, text);
    if (set && !calibration_wanted(set))
        board_args_add(to, "SHIM_MEASURE_CALIBRATE=short");
    free(text);
    free(events);
}

/* Launches the program once and reads its result. Anything that went wrong is an error. */
static enum status launch_program(struct session *s, struct run_result **result, struct error *e)
{
    struct board_args environment = {0, 0};
    add_environment(s, &environment);
    struct run_request q = {.arguments = s->args,
                            .environment = (const char *const *)environment.at,
                            .result_variable = "SHIM_MEASURE_OUT",
                            .result = s->out,
                            .core = s->core};
    struct run_end end = RUN_END_INIT;
    run_limit(&q, s->b);
    enum status status = runner_run(s->place, &q, &end, e);
    if (!status && end.written)
        status = run_result_read(result, s->out, e);
    /* a problem that the runtime found explains the exit code, not the other way round */
    if (!status && *result && ((*result)->problem || (!end.signal && !end.exit_code)))
        status = run_result_check(*result, s->program, e);
    if (!status && (end.signal || end.exit_code || end.timed_out))
        status = ended_badly(s, &q, &end, e);
    if (!status && !end.written)
        status =
            error_set(e, ERR_INPUT, NOWHERE,
                      "%s: the program ended without a result; link it with the measuring runtime (shimgen measure "
                      "BOARD --flags prints how), and let it end by return or exit, not by _exit",
                      s->program);
    run_end_release(&end);
    board_args_release(&environment);
    return status;
}

enum { MOST_BAD = 3 }; /* launches in a row without one counter: then it will not come back by itself */

/* Did every counter count? A launch in which one did not is discarded. */
static bool counted(struct session *s, const struct run_result *r)
{
    const struct counter_set *set = set_now(s);
    s->dead = 0;
    if (!set || sentinels_hold(set, r, &s->dead)) {
        s->bad = 0;
        return true;
    }
    s->thrown++;
    s->again = ++s->bad >= MOST_BAD;
    return false;
}

static enum status launch(struct session *s, struct error *e)
{
    struct run_result *result = 0;
    enum status status = launch_program(s, &result, e);
    if (!status && counted(s, result)) {
        if (set_now(s))
            calibration_take(set_now(s), result);
        status = campaign_add(now(s), result, e);
        if (!status && !s->settings[N_SETTINGS] && result->own_regions)
            /* main as a region needs no preparation any more */
            s->settings[N_SETTINGS] = xstrdup("SHIM_MEASURE_MAIN=0");
        if (!status && (s->at == 0 || !s->last)) {
            run_result_free(s->last);
            s->last = result;
            result = 0;
        }
    }
    run_result_free(result);
    return status;
}

enum { LEAST_RUNS = 10 }; /* fewer runs are not enough for a median, however long they take */

static bool budget_left(struct session *s)
{
    return s->b->budget_s <= 0 || now(s)->launches < LEAST_RUNS || proc_clock_s() - s->set_started < s->b->budget_s;
}

/* Waits after a run in which the core was shared, since such disturbances come in bursts. */
static enum status launch_once(struct session *s, struct error *e)
{
    enum status status = launch(s, e);
    if (!status && now(s)->launches && campaign_last_shared(now(s)))
        nanosleep(&(struct timespec){0, 5000000}, 0);
    return status;
}

/* The goal of a set: the board's precision for the cycles. Other events vary less, so further sets have the minimum
 * number of runs. */
static struct goal goal_of_set(const struct session *s, size_t set)
{
    struct goal goal = goal_of(s->b);
    if (set > 0 && goal.precision > 0)
        goal = (struct goal){goal.least, goal.least, 0};
    return goal;
}

/* Launches the wanted number of runs, then replaces disturbed ones and adds what the precision needs, until the extra
 * runs are used up. */
static enum status launch_set(struct session *s, struct error *e)
{
    const struct goal goal = goal_of_set(s, s->at);
    size_t most = goal.runs + s->b->extra_runs, wanted = goal.precision > 0 ? goal.least : goal.runs;
    enum status status = OK;
    s->set_started = proc_clock_s();
    while (!status && !s->again && wanted && now(s)->launches < most && budget_left(s)) {
        size_t upto = now(s)->launches + wanted;
        while (!status && !s->again && now(s)->launches < upto && now(s)->launches < most && budget_left(s))
            status = launch_once(s, e);
        if (!status && !s->again)
            wanted = campaign_missing(now(s), &goal);
    }
    return status;
}

static enum status launch_sets(struct session *s, double best_width, struct error *e)
{
    size_t n = s->counting->plan.sets.n ? s->counting->plan.sets.n : 1;
    enum status status = OK;
    release_runs(s);
    s->again = false;
    s->bad = 0;
    for (s->at = 0; s->at < n && !status && !s->again; s->at += !s->again) {
        struct campaign c;
        campaign_init(&c, s->program, best_width);
        vec_push(&s->runs, c);
        status = launch_set(s, e);
        best_width = now(s)->best_width;
    }
    return status;
}

enum { MOST_PROOFS = 3 }; /* for one program; then the event that fails each time is given up */

/* A counter failed, so groups without it are searched. Runs with the old plan are discarded. */
static void lose_plan(struct session *s)
{
    if (++s->proofs > MOST_PROOFS) {
        counting_drop(s->counting, s->dead, "its counter stopped counting in the middle of launches, again and again");
        s->proofs = 0;
    }
    counting_reset(s->counting);
}

static bool proves(const struct session *s)
{
    return s->b->how != BOARD_SIMULATOR && s->b->source != BOARD_SOURCE_CONSTANT;
}

static enum status prove(struct session *s, struct error *e)
{
    const struct counter_plan *plan = &s->counting->plan;
    enum status status = counting_prove(s->counting, s->place, s->b, s->core, (const char *const *)s->settings, e);
    if (status || s->b->source != BOARD_SOURCE_PMU || !cycles_lost(s))
        return status;
    char *why = xasprintf("%s: %s", plan->lost.at[0].name, plan->lost.at[0].why);
    cause_error(e, ERR_UNSUPPORTED, s->program, "cycles-wrong", why);
    free(why);
    return ERR_UNSUPPORTED;
}

static enum status launch_all(struct session *s, double best_width, struct error *e)
{
    enum status status = OK;
    do {
        if (proves(s) && !s->counting->known)
            status = prove(s, e);
        if (!status)
            status = launch_sets(s, best_width, e);
        if (!status && s->again)
            lose_plan(s);
    } while (!status && s->again);
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

/* Takes over `owned`. Events that are in the list already are not added. */
static void add_left_out(struct conditions *c, char *owned)
{
    size_t n = 0, name = strcspn(owned, ":");
    for (; c->events_left_out && c->events_left_out[n]; n++)
        if (strncmp(c->events_left_out[n], owned, name + 1) == 0) {
            free(owned);
            return;
        }
    c->events_left_out = xreallocarray(c->events_left_out, n + 2, sizeof *c->events_left_out);
    c->events_left_out[n] = owned;
    c->events_left_out[n + 1] = 0;
}

/* Events that the check left out, that failed later, or that the kernel did not open. */
static void take_left_out(struct conditions *c, const struct session *s)
{
    const struct counter_plan *plan = &s->counting->plan;
    for (size_t i = 0; i < plan->lost.n; i++)
        add_left_out(c, xasprintf("%s: %s", plan->lost.at[i].name, plan->lost.at[i].why));
    for (size_t i = 0; i < s->counting->dropped.n; i++)
        add_left_out(c, xasprintf("%s: %s", s->counting->dropped.at[i].name, s->counting->dropped.at[i].why));
    for (size_t i = 0; i < s->last->left_out.n; i++)
        add_left_out(c, xstrdup(s->last->left_out.at[i]));
}

static void note_thrown(struct measurements *into, const struct session *s)
{
    if (!s->thrown)
        return;
    char *what = xasprintf("%s: a counter read nothing in %u launches", s->program, s->thrown);
    add_note(into, cause_sentence("counter-died", what));
    free(what);
}

/* Conditions that follow from the runs; measurements_describe fills in the rest. */
static void describe(struct measurements *into, const struct session *s)
{
    struct conditions *c = &into->conditions;
    const struct run_result *r = s->last;
    const struct event_series *cycles = &s->runs.at[0].events.at[0];
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
    c->core_width = s->runs.at[0].best_width;
    c->overhead_cycles = median_of(cycles->inside.at, cycles->inside.n);
    take_left_out(c, s);
    note_thrown(into, s);
    if (r->flush_skipped > 0) {
        char *size = xasprintf("%s: %.1f MB", s->program, r->flush_skipped / 1e6);
        add_note(into, cause_sentence("flush-limit", size));
        free(size);
    }
}

static enum status check_against(const struct session *s, const struct measurements *into, struct error *e)
{
    const char *before = into->conditions.cycle_event, *now = s->runs.at[0].events.at[0].name;
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
                         "%s: its cycles are %s, those of earlier programs are %s: they cannot be in one table; end "
                         "other users of the counters and measure again",
                         s->program, now, before);
    return OK;
}

/* Joins the rows of all sets. The cycles come from the first set, which has the most launches. */
static void finish(struct session *s, struct measurements *into)
{
    const struct goal goal = goal_of_set(s, 0);
    campaign_finish(&s->runs.at[0], &goal, proc_clock_s() - s->started, into);
    for (size_t i = 1; i < s->runs.n; i++) {
        const struct goal others = goal_of_set(s, i);
        campaign_merge(&s->runs.at[i], &others, into);
    }
    describe(into, s);
}

/* Removes the rows of a program whose event counts are impossible. */
static enum status refuse_impossible(struct measurements *m, size_t rows, size_t programs, struct error *e)
{
    size_t row;
    char *what = measurements_impossible(m, rows, &row);
    if (!what)
        return OK;
    error_set(e, ERR_INPUT, NOWHERE,
              "impossible counts: region '%s' has %s; do the counters count what they are named for?",
              m->rows.at[row].region, what);
    free(what);
    measurements_cut(m, rows, programs);
    return ERR_INPUT;
}

enum status board_measure_at(struct runner *place, const struct board *b, const char *executable, const char *program,
                             const char *const *args, struct measurements *into, struct error *e)
{
    struct session s;
    if (b->how == BOARD_COMMAND)
        return part_measure(place, b, executable, program, into, e);
    if (!into->counting)
        into->counting = counting_new();
    enum status status = open_session(&s, place, b, executable, program, args, into->counting, e);
    if (!status)
        status = launch_all(&s, into->conditions.core_width, e);
    if (!status)
        status = check_against(&s, into, e);
    const size_t rows = into->rows.n, programs = into->programs.n;
    if (!status)
        finish(&s, into);
    if (!status)
        status = refuse_impossible(into, rows, programs, e);
    close_session(&s);
    return status;
}

enum status board_measure(const struct board *b, const char *executable, const char *program, const char *const *args,
                          struct measurements *into, struct error *e)
{
    struct runner *place = 0;
    enum status s = runner_open(&place, b, RUN_MEASURED, e);
    if (!s)
        s = board_measure_at(place, b, executable, program, args, into, e);
    runner_close(place);
    return s;
}
