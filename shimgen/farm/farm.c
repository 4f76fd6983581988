/* farm.c - runs a build on a farm: what is missing, the plan, comparison of boards, attempts, results. */
#include "shimgen/farm/farm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/file.h"
#include "base/map.h"
#include "base/progress.h"
#include "shimgen/farm/agree.h"
#include "shimgen/farm/collect.h"
#include "shimgen/farm/engine.h"
#include "shimgen/farm/farm_plan.h"
#include "shimgen/units/jobs.h"
#include "shimgen/units/measure_units.h"

enum { ATTEMPTS = 3, COMMON_UNITS = 5, MOST_WAITING = 64 /* processes that each wait for a place */ };
#define STEP "farm"

struct farm {
    struct units *units;
    const struct farm_order *o;
    struct engine *engine;
    struct farm_plan plan;
    char *folder;       /* absolute: <work>/farm */
    VEC(size_t) needed; /* units that are to be done, by index */
    size_t n_common;    /* the first tasks are the common programs, one task per place */
    struct collection collected;
    VEC(const char *) places; /* places that may be used; empty: any */
    VEC(size_t) tasks;        /* of a batch */
};

/* ---- what is missing ---- */

static bool is_done(const struct farm *f, const struct unit *u)
{
    return !(f->o->again && u->wanted) && u->is_measured && unit_is_counted(u) &&
           unit_was_built(u, f->o->board, f->o->tools);
}

static void find_needed(struct farm *f)
{
    f->needed.n = 0;
    for (size_t i = 0; i < f->units->n; i++)
        if (!is_done(f, &f->units->at[i]))
            vec_push(&f->needed, i);
}

/* ---- the plan ---- */

static int by_work(const void *a, const void *b)
{
    const struct unit *x = *(const struct unit *const *)a, *y = *(const struct unit *const *)b;
    return (x->sample->work > y->sample->work) - (x->sample->work < y->sample->work);
}

/* Chooses and marks the programs that each board measures first: from medium to long ones, since programs of
 * nanoseconds cannot tell boards apart. */
static void choose_common(const struct farm *f, struct map *common)
{
    const struct unit **sorted = xcalloc(f->needed.n + 1, sizeof *sorted);
    const size_t n = f->needed.n;
    for (size_t i = 0; i < n; i++)
        sorted[i] = &f->units->at[f->needed.at[i]];
    qsort(sorted, n, sizeof *sorted, by_work);
    for (size_t k = 0; k < COMMON_UNITS && k < n; k++)
        map_number(common, sorted[n - 1 - k * (n / 2) / COMMON_UNITS]->name);
    free(sorted);
}

static bool is_compared(const struct farm *f)
{
    const char *const *places;
    return f->o->board->how != BOARD_SIMULATOR && engine_places(f->engine, &places) > 1;
}

static void plan_common(struct farm *f, struct map *common)
{
    const char *const *places;
    if (!is_compared(f))
        return;
    choose_common(f, common);
    f->n_common = engine_places(f->engine, &places);
    for (size_t i = 0; i < f->n_common; i++)
        farm_plan_add_task(&f->plan, (const char *const *)common->keys, common->n);
}

/* Sorts by level, since unoptimised code takes longer; then the most work first. */
static int by_time(const void *a, const void *b)
{
    const struct unit *x = *(const struct unit *const *)a, *y = *(const struct unit *const *)b;
    int level = strcmp(x->level, y->level), work = by_work(b, a);
    return level ? level : work ? work : strcmp(x->name, y->name);
}

static void plan_rest(struct farm *f, const struct map *common)
{
    const struct unit **rest = xcalloc(f->needed.n + 1, sizeof *rest);
    const char **names = xcalloc(f->needed.n + 1, sizeof *names);
    size_t n = 0, most = engine_most_tasks(f->engine), processors = engine_processors(f->engine);
    for (size_t i = 0; i < f->needed.n; i++) {
        const struct unit *u = &f->units->at[f->needed.at[i]];
        if (!map_get(common, u->name, 0))
            rest[n++] = u;
    }
    qsort(rest, n, sizeof *rest, by_time);
    for (size_t i = 0; i < n; i++)
        names[i] = rest[i]->name;
    most = most > f->n_common ? most - f->n_common : most;
    farm_plan_assign(&f->plan, names, n, farm_plan_tasks(n, processors, most), processors);
    free(names);
    free(rest);
}

static void fill_plan(struct farm *f)
{
    const struct farm_order *o = f->o;
    const struct board_overrides *c = &o->how->changes;
    struct map common = {0};
    struct farm_plan *p = &f->plan;
    p->directory = getcwd(0, 0);
    p->board = xstrdup(o->how->board);
    p->samples = xstrdup(o->samples);
    p->runs = c->runs;
    p->precision = c->precision;
    p->levels = xstrdup(c->levels);
    p->cache = xstrdup(c->cache);
    p->core = xstrdup(c->core);
    p->source = xstrdup(c->source);
    p->ssh = xstrdup(c->ssh);
    for (size_t i = 0; i < o->simulate->n; i++)
        board_args_add(&p->simulate, o->simulate->at[i]);
    p->tools = o->tools;
    plan_common(f, &common);
    plan_rest(f, &common);
    map_release(&common);
}

/* Makes empty folders for results and logs. */
static enum status empty_folder(const struct farm *f, const char *name, struct error *e)
{
    char *path = path_join(f->folder, name);
    enum status s = remove_tree(path, e);
    if (!s)
        s = make_directories(path, e);
    free(path);
    return s;
}

static enum status make_plan(struct farm *f, struct error *e)
{
    char *path = path_join(f->folder, "plan.json");
    fill_plan(f);
    enum status s = farm_settings_hash(&f->plan.settings, f->o->board, e);
    if (!s)
        s = empty_folder(f, "results", e);
    if (!s)
        s = empty_folder(f, "logs", e);
    if (!s)
        s = farm_plan_write(&f->plan, path, e);
    free(path);
    return s;
}

/* ---- an earlier build that was interrupted ---- */

/* Takes over results of an earlier plan, if tools and settings are the same. Only in a simulator: of several boards it
 * is not known any more which ones agreed. */
static enum status resume(struct farm *f, struct error *e)
{
    char *path = path_join(f->folder, "plan.json");
    struct error ignored = ERROR_INIT;
    struct farm_plan old = {0};
    uint64_t settings;
    enum status s = farm_settings_hash(&settings, f->o->board, e);
    if (!s && f->o->board->how == BOARD_SIMULATOR && !f->o->again && file_exists(path) &&
        !farm_plan_read(&old, path, &ignored) && old.tools == f->o->tools && old.settings == settings) {
        struct collection c = {.silent = true};
        for (size_t t = 0; !s && t < old.tasks.n; t++)
            s = collect_task(&c, &old, t, f->folder, &ignored) == ERR_CANCELLED ? ERR_CANCELLED : OK;
        const size_t n = c.results.n;
        if (!s)
            s = collect_adopt(&c, f->units, f->o->board, f->o->work, 0, f->o->losses, e);
        if (!s && n)
            progress_note("%zu tasks of a build that was cut off had their results: they are taken", n);
        collection_release(&c);
    }
    farm_plan_release(&old);
    error_release(&ignored);
    free(path);
    return s;
}

/* ---- tasks ---- */

/* Reads the batch's results; tasks without one stay missing. Returns only OK or ERR_CANCELLED. */
static enum status collect(struct farm *f, struct error *e)
{
    enum status s = OK;
    for (size_t i = 0; !s && i < f->tasks.n; i++) {
        struct error why = ERROR_INIT;
        if (collect_task(&f->collected, &f->plan, f->tasks.at[i], f->folder, &why) == ERR_CANCELLED)
            s = error_set(e, ERR_CANCELLED, NOWHERE, "interrupted");
        error_release(&why);
    }
    return s;
}

static enum status run_batch(struct farm *f, struct error *e)
{
    const struct engine_batch b = {f->folder, f->tasks.at, f->tasks.n, f->places.at, f->places.n};
    return engine_run(f->engine, &b, e);
}

/* Finds tasks without a result, from `first` on. */
static void find_missing(struct farm *f, size_t first)
{
    f->tasks.n = 0;
    for (size_t t = first; t < f->plan.tasks.n; t++)
        if (!collection_has(&f->collected, t))
            vec_push(&f->tasks, t);
}

/* ---- comparison of boards ---- */

static enum status common_at(size_t i, void *context, struct error *e)
{
    const struct farm *f = context;
    const char *const *places;
    engine_places(f->engine, &places);
    const struct engine_batch b = {f->folder, &i, 1, &places[i], 1};
    return engine_run(f->engine, &b, e);
}

static enum status note_place(size_t i, enum status s, void *context, struct error *e)
{
    const struct farm *f = context;
    const char *const *places;
    if (s == ERR_CANCELLED)
        return s;
    engine_places(f->engine, &places);
    char *text = error_text(e);
    progress_note("%s: %s", places[i], text);
    free(text);
    error_release(e);
    return OK;
}

/* If boards differ, all measurements get a note. */
static void note_spread(struct farm *f, const struct agreement *a)
{
    struct findings *to = f->o->findings;
    if (a->agree < 2)
        return;
    progress_note(
        "%zu boards agree: they differ by %.2g %% (standard deviation, %zu rows of the same programs on each)",
        a->agree, 100 * a->spread, a->rows);
    if (a->spread <= 0)
        return;
    struct finding x = {.severity = FINDING_WARNING, .id = "boards-differ"};
    x.what = xasprintf("%zu boards of this kind measured, and they differ by %.2g %% (standard deviation)", a->agree,
                       100 * a->spread);
    x.consequence = xstrdup("the spread and the interval of each measurement of cycles include that");
    x.remedy = xstrdup("none is needed; a program measured on one board alone has no such spread");
    to->at = xreallocarray(to->at, to->n + 1, sizeof *to->at);
    to->at[to->n++] = x;
}

static void choose_places(struct farm *f, const struct agree_place *places, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct agree_place *p = &places[i];
        if (p->agrees) {
            vec_push(&f->places, p->name);
        } else if (p->measured) {
            char *cause =
                xasprintf("it differs by %+.1f %% from the other boards on the same programs", 100 * p->deviation);
            losses_add(f->o->losses, STEP, p->name, cause);
            free(cause);
        } else {
            char *why = collect_reason(f->folder, i);
            losses_add(f->o->losses, STEP, p->name, why);
            free(why);
        }
    }
}

static enum status judge_places(struct farm *f, struct error *e)
{
    const char *const *names;
    const size_t n = engine_places(f->engine, &names);
    struct agree_place *places = xcalloc(n, sizeof *places);
    struct agreement a;
    size_t first = n;
    for (size_t i = 0; i < n; i++)
        places[i] = (struct agree_place){.name = names[i], .measured = collection_rows(&f->collected, i)};
    enum status s = agree_judge(&a, places, n, f->o->how->agree, e);
    if (!s) {
        choose_places(f, places, n);
        note_spread(f, &a);
        f->collected.spread = a.spread;
    }
    for (size_t i = 0; !s && i < n; i++) { /* for the common programs, one board's rows are enough */
        if (places[i].agrees && first == n)
            first = i;
        else
            collection_drop(&f->collected, i);
    }
    free(places);
    return s;
}

static enum status compare_places(struct farm *f, struct error *e)
{
    if (!f->n_common)
        return OK;
    enum status s =
        jobs_try(f->n_common, f->n_common < MOST_WAITING ? f->n_common : MOST_WAITING, common_at, 0, note_place, f, e);
    f->tasks.n = 0;
    for (size_t i = 0; i < f->n_common; i++)
        vec_push(&f->tasks, i);
    if (!s)
        s = collect(f, e);
    return s ? s : judge_places(f, e);
}

/* ---- attempts ---- */

/* Drops a place where tasks were started and none came back: it would fail in the next attempt too. */
static void drop_dead_places(struct farm *f)
{
    const char *const *all;
    const size_t n = engine_places(f->engine, &all);
    struct map dead = {0};
    for (size_t i = 0; i < f->tasks.n; i++) {
        char *place = collect_place(f->folder, f->tasks.at[i]);
        if (place && !collection_has_place(&f->collected, place))
            map_number(&dead, place);
        free(place);
    }
    if (!f->places.n && dead.n)
        for (size_t i = 0; i < n; i++)
            vec_push(&f->places, all[i]);
    size_t kept = 0;
    for (size_t i = 0; i < f->places.n; i++) {
        if (map_get(&dead, f->places.at[i], 0))
            progress_note("%s brought no result: it is not used any more", f->places.at[i]);
        else
            f->places.at[kept++] = f->places.at[i];
    }
    if (kept) /* otherwise any board */
        f->places.n = kept;
    map_release(&dead);
}

static enum status nothing_came(struct farm *f, struct error *e)
{
    char *why = collect_reason(f->folder, f->tasks.at[0]);
    enum status s =
        error_set(e, ERR_SYSTEM, NOWHERE, "none of %zu tasks came back from '%s': %s", f->tasks.n, f->o->how->on, why);
    free(why);
    return s;
}

static enum status run_attempts(struct farm *f, struct error *e)
{
    enum status s = OK;
    for (int attempt = 0; !s && attempt < ATTEMPTS; attempt++) {
        find_missing(f, f->n_common);
        if (!f->tasks.n)
            return OK;
        if (attempt)
            progress_note("%zu of %zu tasks did not come back; they are tried again", f->tasks.n,
                          f->plan.tasks.n - f->n_common);
        s = run_batch(f, e);
        struct error ignored = ERROR_INIT; /* what has come is kept, even after an interruption */
        enum status got = collect(f, s ? &ignored : e);
        error_release(&ignored);
        s = s ? s : got;
        find_missing(f, f->n_common);
        if (!s && !f->collected.results.n && f->tasks.n)
            s = nothing_came(f, e);
        if (!s && f->tasks.n)
            drop_dead_places(f);
    }
    return s;
}

/* ---- tasks that did not come back ---- */

static bool is_not_lost(const struct unit *u, void *context)
{
    return !map_get(context, u->name, 0);
}

/* In a simulator, missing programs are done here. On boards they are left out. */
static void settle_missing(struct farm *f)
{
    struct map lost = {0};
    const bool here = f->o->board->how == BOARD_SIMULATOR;
    find_missing(f, f->n_common);
    for (size_t i = 0; i < f->tasks.n; i++) {
        const struct plan_task *t = &f->plan.tasks.at[f->tasks.at[i]];
        char *why = collect_reason(f->folder, f->tasks.at[i]);
        for (size_t k = 0; k < t->n; k++) {
            map_number(&lost, t->units[k]);
            if (!here)
                losses_add(f->o->losses, STEP, t->units[k], why);
        }
        free(why);
    }
    if (here && lost.n)
        progress_note("%zu programs did not come back from the farm; they are counted and measured here", lost.n);
    if (!here)
        units_filter(f->units, is_not_lost, &lost);
    map_release(&lost);
}

/* ---- everything together ---- */

enum status farm_check(const struct farm_options *how, const struct board *b, struct error *e)
{
    struct engine *g = 0;
    if (b->how == BOARD_IMPORT)
        return usage_error(e, "--on: the board '%s' is measured elsewhere, so there is nothing to run on a farm",
                           b->name);
    enum status s = engine_open(&g, how->on, e);
    const char *const *places;
    if (!s && b->how != BOARD_SIMULATOR && !engine_places(g, &places))
        s = error_set(e, ERR_INPUT, NOWHERE,
                      "--on %s: boards are compared before they measure, so they must be named: [farm] places",
                      how->on);
    engine_close(g);
    return s;
}

static enum status begin(struct farm *f, struct error *e)
{
    char *folder = path_join(f->o->work, "farm");
    enum status s = make_directories(folder, e);
    f->folder = s ? 0 : realpath(folder, 0);
    if (!s && !f->folder)
        s = error_errno(e, AT_FILE(folder), "cannot be used");
    free(folder);
    return s ? s : engine_open(&f->engine, f->o->how->on, e);
}

/* Removes the results, which have been taken over. The plan and the tasks' messages stay. */
static enum status remove_results(const struct farm *f, struct error *e)
{
    char *path = path_join(f->folder, "results");
    enum status s = remove_tree(path, e);
    free(path);
    return s;
}

static enum status work(struct farm *f, struct error *e)
{
    enum status s = compare_places(f, e);
    if (s) /* nothing is known to be right */
        return s;
    s = run_attempts(f, e);
    struct error second = ERROR_INIT;
    struct error *to = s ? &second : e; /* what has come is kept, whatever ended the attempts */
    enum status taken =
        collect_adopt(&f->collected, f->units, f->o->board, f->o->work, f->o->findings, f->o->losses, to);
    error_release(&second);
    if (!s)
        s = taken;
    if (!s)
        settle_missing(f);
    return s ? s : remove_results(f, e);
}

static void print_plan(const struct farm *f)
{
    printf("%zu programs in %zu tasks%s; %s/plan.json\n", f->needed.n, f->plan.tasks.n,
           f->n_common ? ", the first of them to compare the boards" : "", f->folder);
}

enum status farm_run(struct units *u, const struct farm_order *o, struct error *e)
{
    struct farm f = {.units = u, .o = o};
    enum status s = begin(&f, e);
    if (!s)
        s = resume(&f, e);
    if (!s)
        find_needed(&f);
    if (!s && f.needed.n)
        s = make_plan(&f, e);
    if (!s && o->how->plan_only)
        print_plan(&f);
    else if (!s && f.needed.n)
        s = work(&f, e);
    progress_clear();
    collection_release(&f.collected);
    engine_close(f.engine);
    farm_plan_release(&f.plan);
    vec_release(&f.needed);
    vec_release(&f.places);
    vec_release(&f.tasks);
    free(f.folder);
    return s;
}
