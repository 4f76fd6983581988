/* predictors.c - chooses the branch predictor that a build simulates. */
#include "shimgen/predictor/predictors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/map.h"
#include "base/progress.h"
#include "irprof/irprof.h"
#include "shimgen/estimate/compile.h"
#include "shimgen/units/count_units.h"
#include "shimgen/units/jobs.h"
#include "shimgen/units/measure_units.h"
#include "shimgen/predictor/predictor_file.h"
#include "shimgen/predictor/predictor_judge.h"
#include "shimgen/profile/shim_simulated.h"
#include "shimgen/units/unit.h"

#define STEP "predictor"

/* Candidates besides the one in the board's description: small and large tables, short and long histories of each
 * family. */
static const char *const candidates[] = {
    "bimodal:12",   "bimodal:14",   "gshare:10:4",      "gshare:12:6:0",    "gshare:12:8",    "gshare:12:12",
    "gshare:14:10", "gshare:14:12", "tournament:12:10", "tournament:14:12", "tage:10:8:3:24", "tage:12:10:4:64",
};
enum { N_CANDIDATES = sizeof candidates / sizeof *candidates };

/* One training sample of so many takes part, of those with few enough instructions: the choice is between few
 * predictors, and simulating many is slow, above all in an emulator. If there are few samples, more take part. */
enum { ONE_OF = 6, WANTED = 8 };
#define MOST_WORK 30e3
/* A sample that takes more processor time [s] with all predictors is not used for the choice, and is counted later like
 * any other. It is processor time, so that a busy machine chooses the same. */
enum { LIMIT_S = 5 };
/* Limit on the total processor time [s] of counting samples: several slow ones would make the choice more expensive
 * than the build. Samples that are not counted by then are not used. */
enum { LIMIT_ALL_S = 30 };
/* Least number of regions for a choice: with fewer it would be random. */
enum { LEAST_REGIONS = 4 };
/* So many samples show whether mispredictions are measured at all: one of them may fail. */
enum { TRIAL = 3 };

/* ---- options ---- */

/* The same options with another predictor, or several. */
static void copy_with(struct board_args *to, const struct board_args *from, const char *predictors)
{
    for (size_t i = 0; i < from->n; i++)
        board_args_add(to, i && strcmp(from->at[i - 1], "--branches") == 0 ? predictors : from->at[i]);
}

static void replace(struct board_args *a, const char *predictors)
{
    struct board_args new = {0};
    copy_with(&new, a, predictors);
    board_args_release(a);
    *a = new;
}

/* ---- the samples ---- */

static bool may_choose(const struct sample *s)
{
    return !s->test && s->work <= MOST_WORK;
}

/* Borrows the samples: only the list is freed. */
static void take_some(struct samples *some, const struct samples *all)
{
    size_t n = 0, seen = 0;
    for (size_t i = 0; i < all->n; i++)
        n += may_choose(&all->at[i]);
    size_t one_of = n / WANTED < 1 ? 1 : n / WANTED < ONE_OF ? n / WANTED : ONE_OF;
    *some = (struct samples){xcalloc(all->n + 1, sizeof *some->at), 0};
    for (size_t i = 0; i < all->n; i++)
        if (may_choose(&all->at[i]) && seen++ % one_of == 0)
            some->at[some->n++] = all->at[i];
}

static bool has_mispredictions(const struct measurements *m)
{
    for (size_t i = 0; i < m->rows.n; i++)
        if (strcmp(m->rows.at[i].event, IRPROF_MISPREDICTED) == 0)
            return true;
    return false;
}

struct judged {
    struct predictor_judged by;
    size_t failed; /* programs at a level that were not used */
    bool ended;    /* stopped by LIMIT_ALL_S */
};

/* Counts these samples with these options, measures them, and judges the predictors if mispredictions were measured.
 * Samples that fail here are not lost: the build tries them again. */
static enum status try_samples(struct judged *j, bool *measured, const struct samples *some,
                               const struct board_args *simulate, const struct board *b, const struct outputs *o,
                               const struct predictors_how *how, struct error *e)
{
    struct units units = {0};
    struct measurements *m = 0;
    struct losses failed = {.folder = how->losses ? how->losses->folder : 0, .silent = true};
    const struct counting counting = {how->place, how->jobs, false, &failed};
    const struct measuring measuring = {.place = how->place,
                                        .workers = how->jobs > 0 ? (size_t)how->jobs : jobs_processors(),
                                        .losses = &failed,
                                        .step = STEP};
    char *table = path_join(o->work, "candidates.csv");
    units_plan(&units, some, b, o->work, simulate);
    struct count_budget *budget = count_budget_new(LIMIT_ALL_S);
    for (size_t i = 0; i < units.n; i++) {
        units.at[i].count_cpu_limit_s = LIMIT_S;
        units.at[i].count_budget = budget;
    }
    enum status s = measure_known(&units, b, o->work, &measuring, e);
    if (!s)
        s = count_units(&units, b, o->work, how->tools, &counting, e);
    if (!s)
        s = measure_units(&m, &units, b, o->work, how->findings, &measuring, e);
    *measured = !s && has_mispredictions(m);
    if (!s)
        s = counts_write(&units, "events,predictors", table, e);
    if (!s && j && *measured)
        s = predictor_judge(&j->by, table, m, e);
    if (j) {
        j->failed = failed.list.n;
        j->ended = count_budget_is_spent(budget);
    }
    count_budget_free(budget);
    losses_release(&failed);
    measurements_free(m);
    units_release(&units);
    free(table);
    return s;
}

/* ---- the choice ---- */

static void inputs_hash(uint64_t *hash, const struct board_args *simulate, const struct samples *some, uint64_t tools)
{
    *hash = hash_bytes(HASH_START, &tools, sizeof tools);
    for (size_t i = 0; i < simulate->n; i++)
        *hash = hash_text(*hash, simulate->at[i]);
    for (size_t i = 0; i < some->n; i++)
        *hash = hash_text(*hash, some->at[i].name);
    for (size_t i = 0; i < N_CANDIDATES; i++)
        *hash = hash_text(*hash, candidates[i]);
}

/* The predictors' names, the board's own first, as one list for --branches. The caller frees. */
static char *all_of(struct judged *j, const char *own)
{
    struct str text = STR_INIT;
    map_number(&j->by.names, own);
    for (size_t i = 0; i < N_CANDIDATES; i++)
        map_number(&j->by.names, candidates[i]);
    for (size_t i = 0; i < j->by.names.n; i++)
        str_addf(&text, "%s%s", i ? "," : "", j->by.names.keys[i]);
    return str_detach(&text);
}

static enum status find_best(struct judged *j, const char *own, const struct samples *some,
                             const struct board_args *simulate, const struct board *b, const struct outputs *o,
                             const struct predictors_how *how, struct error *e)
{
    struct samples first = {some->at, some->n < TRIAL ? some->n : TRIAL};
    struct board_args several = {0};
    bool measured = false;
    enum status s = try_samples(0, &measured, &first, simulate, b, o, how, e);
    char *list = all_of(j, own);
    copy_with(&several, simulate, list);
    if (!s && measured)
        s = try_samples(j, &measured, some, &several, b, o, how, e);
    board_args_release(&several);
    free(list);
    return s;
}

/* If no choice can be made, the present predictor is kept; *failed says why. */
static enum status find_best_or_say(char **failed, struct judged *j, const char *own, const struct samples *some,
                                    const struct board_args *simulate, const struct board *b, const struct outputs *o,
                                    const struct predictors_how *how, struct error *e)
{
    enum status s = find_best(j, own, some, simulate, b, o, how, e);
    char *text = s ? error_text(e) : 0;
    if (!s || losses_take(how->losses, STEP, "choice of a branch predictor", s, e)) {
        free(text);
        return s;
    }
    *failed = text;
    j->by.regions = 0;
    return OK;
}

static char *reason(const struct predictor_judged *j, const char *own, bool choose, const char *failed)
{
    if (!own)
        return xstrdup("no predictor of branches is simulated");
    if (failed)
        return xasprintf("none could be chosen: %s", failed);
    if (!choose)
        return xstrdup("it was asked for, or nothing is measured while building");
    if (!j->regions)
        return xstrdup("the board does not count mispredicted branches (BR_MIS_PRED)");
    if (j->regions < LEAST_REGIONS)
        return xasprintf("too few to choose by: %zu of %d regions of short training programs", j->regions,
                         LEAST_REGIONS);
    if (j->best != j->nearest)
        return xasprintf("the board's own: by the measured mispredictions of %zu training programs '%s' is not much "
                         "nearer: on average %.3g apart per 1000 cycles, '%s' %.3g",
                         j->programs.n, j->names.keys[j->nearest], j->loss[j->nearest], j->names.keys[0], j->loss[0]);
    return xasprintf("nearest to the measured mispredictions of %zu training programs: on average %.3g apart per 1000 "
                     "cycles, '%s' %.3g",
                     j->programs.n, j->loss[j->best], j->names.keys[0], j->loss[0]);
}

static void take(struct board_args *simulate, const struct predictors *p)
{
    char *both = p->other ? xasprintf("%s,%s", p->chosen, p->other) : xstrdup(p->chosen);
    replace(simulate, both);
    free(both);
}

/* Takes the choice in the file. */
static enum status take_kept(struct board_args *simulate, const struct outputs *o, struct error *e)
{
    struct predictors p;
    enum status s = predictors_read(&p, o, e);
    if (!s && p.chosen)
        take(simulate, &p);
    predictors_release(&p);
    return s;
}

static bool is_made(const struct predictor_judged *j)
{
    return j->regions >= LEAST_REGIONS;
}

static void say_left_out(const struct judged *j)
{
    if (j->ended)
        progress_note("%zu programs had no part in this choice: it ended early, when counting with all predictors had "
                      "taken %d s of processor time",
                      j->failed, LIMIT_ALL_S);
    else if (j->failed)
        progress_note("%zu programs had no part in this choice: they failed, or took more than %d s of processor "
                      "time with all predictors",
                      j->failed, LIMIT_S);
}

static enum status settle(struct board_args *simulate, const struct judged *judged, const char *own, bool choose,
                          const char *failed, const struct outputs *o, struct error *e)
{
    const struct predictor_judged *j = &judged->by;
    const bool made = is_made(j);
    const char *chosen = made ? j->names.keys[j->best] : own;
    const char *other = !chosen                             ? 0
                        : strcmp(chosen, own) != 0          ? own
                        : strcmp(chosen, PREDICTOR_DEFAULT) ? PREDICTOR_DEFAULT
                                                            : 0;
    char *why = reason(j, own, choose, failed);
    const struct predictor_choice c = {.chosen = chosen,
                                       .other = made ? other : 0, /* otherwise there is nothing to compare with */
                                       .why = why,
                                       .regions = made ? j->regions : 0,
                                       .n_candidates = made ? j->names.n : 0,
                                       .candidates = (const char *const *)j->names.keys,
                                       .loss = j->loss,
                                       .n_programs = made ? j->programs.n : 0,
                                       .programs = (const char *const *)j->programs.keys};
    progress_note("predictor of branches: %s: %s", chosen ? chosen : "none", why);
    if (!failed)
        say_left_out(judged);
    enum status s = predictor_file_write(&c, simulate, o, e);
    free(why);
    return s ? s : take_kept(simulate, o, e);
}

/* Only a choice that was made is stored for later builds. */
static enum status choose_again(struct board_args *simulate, const char *own, bool choose, uint64_t inputs,
                                const struct samples *some, const struct board *b, const struct outputs *o,
                                const struct predictors_how *how, struct error *e)
{
    struct judged j = {.failed = 0};
    char *failed = 0;
    step_undone(o->work, STEP);
    enum status s = choose ? find_best_or_say(&failed, &j, own, some, simulate, b, o, how, e) : OK;
    if (!s)
        s = settle(simulate, &j, own, choose, failed, o, e);
    if (!s && is_made(&j.by))
        s = step_done(o->work, STEP, inputs, (const char *const[]){o->predictor, NULL}, e);
    predictor_judged_release(&j.by);
    free(failed);
    return s;
}

enum status predictors_choose(struct board_args *simulate, enum predictors_choice choice, const struct board *b,
                              const struct outputs *o, const struct samples *samples, const struct predictors_how *how,
                              struct error *e)
{
    const char *given = simulated_value(simulate, "--branches");
    char *own = given ? xstrndup(given, strcspn(given, ",")) : 0;
    struct samples some;
    uint64_t inputs = 0;
    take_some(&some, samples);
    bool possible = own && b->how != BOARD_IMPORT && b->how != BOARD_COMMAND && some.n;
    inputs_hash(&inputs, simulate, &some, how->tools);
    enum stamp_state state = choice != PREDICTORS_GIVEN && possible && !how->again
                                 ? step_state(o->work, STEP, inputs, (const char *const[]){o->predictor, NULL})
                                 : STAMP_STALE;
    bool choose = possible && (choice == PREDICTORS_AGAIN || state == STAMP_DAMAGED);
    enum status s = state == STAMP_FRESH ? take_kept(simulate, o, e)
                                         : choose_again(simulate, own, choose, inputs, &some, b, o, how, e);
    free(some.at);
    free(own);
    return s;
}
