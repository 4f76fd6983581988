/* predictors.c - see predictors.h. */
#include "shimgen/predictors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/csv.h"
#include "base/file.h"
#include "base/json.h"
#include "base/map.h"
#include "base/progress.h"
#include "irprof/irprof.h"
#include "shim-xml/shimxml.h"
#include "shimgen/compile.h"
#include "shimgen/counting.h"
#include "shimgen/measure.h"
#include "shimgen/jobs.h"
#include "shimgen/shim_simulated.h"
#include "shimgen/unit.h"

#define FORMAT "shimgen predictor 1"
#define STEP   "predictor"

/* Beside what the board's description says. Small and large tables, short and long histories of each family. */
static const char *const candidates[] = {
    "bimodal:12",   "bimodal:14",   "gshare:10:4",      "gshare:12:6:0",    "gshare:12:8",    "gshare:12:12",
    "gshare:14:10", "gshare:14:12", "tournament:12:10", "tournament:14:12", "tage:10:8:3:24", "tage:12:10:4:64",
};
enum { N_CANDIDATES = sizeof candidates / sizeof *candidates };

/* One training sample of so many takes part, of those that execute no more than so much: the choice is between few, and
 * many predictors take their time, the more so in an emulator. */
enum { ONE_OF = 6 };
#define MOST_WORK 30e3
/* What a region is at most away from the measurement, in mispredictions per 1000 cycles: none decides alone. */
#define MOST_APART 20.0

/* ---- options ---- */

static size_t index_of(const struct board_args *a, const char *option)
{
    size_t i = 0;
    while (i + 1 < a->n && strcmp(a->at[i], option) != 0)
        i++;
    return i + 1 < a->n ? i + 1 : 0;
}

static const char *value_of(const struct board_args *a, const char *option)
{
    size_t i = index_of(a, option);
    return i ? a->at[i] : 0;
}

/* The same options with another predictor, or several. */
static void copy_with(struct board_args *to, const struct board_args *from, const char *predictors)
{
    size_t at = index_of(from, "--branches");
    for (size_t i = 0; i < from->n; i++)
        board_args_add(to, i == at ? predictors : from->at[i]);
}

static void replace(struct board_args *a, const char *predictors)
{
    struct board_args new = {0};
    copy_with(&new, a, predictors);
    board_args_release(a);
    *a = new;
}

/* ---- the judgement ---- */

struct judged {
    struct map names; /* of predictors; the first is the board's own */
    double loss[N_CANDIDATES + 1];
    size_t regions;
    size_t best;
};

static void judge_region(struct judged *j, const double *simulated, double measured, double cycles)
{
    for (size_t k = 0; k < j->names.n; k++)
        j->loss[k] += fmin(MOST_APART, 1000 * fabs(simulated[k] - measured) / cycles);
    j->regions++;
}

static enum status judge_row(struct judged *j, const struct csv *c, size_t row, const size_t *columns,
                             const struct measurements *m, struct error *e)
{
    const char *program = csv_cell(c, row, 0), *region = csv_cell(c, row, 1);
    const struct measurement *wrong = measurements_find(m, program, region, IRPROF_MISPREDICTED);
    const struct measurement *cycles = measurements_find(m, program, region, measurements_cycle_event(m));
    double simulated[N_CANDIDATES + 1];
    enum status s = OK;
    if (!wrong || !cycles || !(cycles->value > 0))
        return OK;
    for (size_t k = 0; k < j->names.n && !s; k++)
        s = csv_number(c, row, columns[k], &simulated[k], e);
    if (!s)
        judge_region(j, simulated, wrong->value, cycles->value);
    return s;
}

static enum status judge(struct judged *j, const char *table, const struct measurements *m, struct error *e)
{
    struct csv *c = 0;
    size_t columns[N_CANDIDATES + 1];
    enum status s = csv_read(&c, table, e);
    for (size_t k = 0; k < j->names.n && !s; k++) {
        char *name = k ? xasprintf(IRPROF_MISPREDICTED ":%s", j->names.keys[k]) : xstrdup(IRPROF_MISPREDICTED);
        s = csv_need(c, name, &columns[k], e);
        free(name);
    }
    for (size_t i = 0; !s && i < c->n_rows; i++)
        s = judge_row(j, c, i, columns, m, e);
    for (size_t k = 0; k < j->names.n && j->regions; k++) {
        j->loss[k] /= (double)j->regions;
        j->best = j->loss[k] < j->loss[j->best] ? k : j->best;
    }
    csv_free(c);
    return s;
}

/* ---- the samples ---- */

/* Borrowed: only the list is freed. */
static void take_some(struct samples *some, const struct samples *all, size_t one_of, size_t most)
{
    *some = (struct samples){xcalloc(all->n + 1, sizeof *some->at), 0};
    for (size_t i = 0, train = 0; i < all->n && some->n < most; i++)
        if (!all->at[i].test && all->at[i].work <= MOST_WORK && train++ % one_of == 0)
            some->at[some->n++] = all->at[i];
}

static bool has_mispredictions(const struct measurements *m)
{
    for (size_t i = 0; i < m->rows.n; i++)
        if (strcmp(m->rows.at[i].event, IRPROF_MISPREDICTED) == 0)
            return true;
    return false;
}

/* Counts these samples with these options, measures them, and, if mispredictions are among that, judges. */
static enum status try_samples(struct judged *j, bool *measured, const struct samples *some,
                               const struct board_args *simulate, const struct board *b, const struct outputs *o,
                               const struct predictors_how *how, struct error *e)
{
    struct units units = {0};
    struct measurements *m = 0;
    const struct counting counting = {how->place, how->jobs, false, how->losses};
    const struct measuring measuring = {.place = how->place,
                                        .workers = how->jobs > 0 ? (size_t)how->jobs : jobs_processors(),
                                        .losses = how->losses,
                                        .step = STEP};
    char *table = path_join(o->work, "candidates.csv");
    units_plan(&units, some, b, o->work, simulate);
    enum status s = measure_known(&units, b, o->work, &measuring, e);
    if (!s)
        s = count_units(&units, b, o->work, how->tools, &counting, e);
    if (!s)
        s = measure_units(&m, &units, b, o->work, how->findings, &measuring, e);
    *measured = !s && has_mispredictions(m);
    if (!s)
        s = counts_write(&units, "events,predictors", table, e);
    if (!s && j && *measured)
        s = judge(j, table, m, e);
    measurements_free(m);
    units_release(&units);
    free(table);
    return s;
}

/* ---- the file ---- */

static void put_judged(json_t *o, const struct judged *j, const struct samples *some)
{
    json_t *list = json_array(), *programs = json_array();
    for (size_t k = 0; k < j->names.n && j->regions; k++) {
        json_t *one = json_object();
        json_put_text(one, "predictor", j->names.keys[k]);
        json_put_real(one, "loss", j->loss[k]);
        json_array_append_new(list, one);
    }
    for (size_t i = 0; i < some->n && j->regions; i++)
        json_array_append_new(programs, json_string(some->at[i].name));
    json_put(o, "regions", json_integer((json_int_t)j->regions));
    json_put(o, "candidates", list);
    json_put(o, "programs", programs);
}

static enum status keep(const char *chosen, const char *other, const char *why, const struct board_args *simulate,
                        const struct judged *j, const struct samples *some, const struct outputs *o, struct error *e)
{
    json_t *all = json_object();
    json_put_text(all, "format", FORMAT);
    json_put_text(all, "predictor", chosen);
    json_put_text(all, "other", other);
    json_put_text(all, "switches", value_of(simulate, "--switches"));
    json_put_text(all, "prefetcher", value_of(simulate, "--prefetch"));
    json_put_text(all, "why", why);
    put_judged(all, j, some);
    enum status s = json_write(all, o->predictor, e);
    json_decref(all);
    return s;
}

static char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text ? xstrdup(text) : 0;
}

enum status predictors_read(struct predictors *out, const struct outputs *o, struct error *e)
{
    json_t *all = 0;
    *out = (struct predictors){0};
    if (!file_exists(o->predictor))
        return OK;
    enum status s = json_read(&all, o->predictor, e);
    if (s)
        return s;
    *out = (struct predictors){text_of(all, "predictor"),  text_of(all, "other"), text_of(all, "switches"),
                               text_of(all, "prefetcher"), text_of(all, "why"),   0};
    const json_t *programs = json_object_get(all, "programs");
    size_t n = json_array_size(programs), kept = 0;
    out->programs = xcalloc(n + 1, sizeof *out->programs);
    for (size_t i = 0; i < n; i++)
        if (json_is_string(json_array_get(programs, i)))
            out->programs[kept++] = xstrdup(json_string_value(json_array_get(programs, i)));
    json_decref(all);
    return OK;
}

void predictors_release(struct predictors *p)
{
    for (char **at = p->programs; at && *at; at++)
        free(*at);
    free(p->programs);
    free(p->chosen);
    free(p->other);
    free(p->switches);
    free(p->prefetcher);
    free(p->why);
    *p = (struct predictors){0};
}

enum status predictors_annotate(const char *shim, const struct outputs *o, struct error *e)
{
    struct predictors p;
    struct shimxml_doc *d = 0;
    enum status s = predictors_read(&p, o, e);
    if (!s && p.chosen) {
        s = shimxml_read(&d, shim, e);
        if (!s) {
            shimxml_annotate(d, "predictor", p.chosen);
            shimxml_annotate(d, "switches", p.switches);
            shimxml_annotate(d, "prefetcher", p.prefetcher);
            s = shimxml_write(d, shim, e);
        }
        shimxml_free(d);
    }
    predictors_release(&p);
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

/* The predictors' names, the board's own first, as one list for --branches; the caller frees. */
static char *all_of(struct judged *j, const char *own)
{
    struct str text = STR_INIT;
    map_number(&j->names, own);
    for (size_t i = 0; i < N_CANDIDATES; i++)
        map_number(&j->names, candidates[i]);
    for (size_t i = 0; i < j->names.n; i++)
        str_addf(&text, "%s%s", i ? "," : "", j->names.keys[i]);
    return str_detach(&text);
}

static enum status find_best(struct judged *j, const char *own, const struct samples *some,
                             const struct board_args *simulate, const struct board *b, const struct outputs *o,
                             const struct predictors_how *how, struct error *e)
{
    struct samples first = {some->at, 1};
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

/* A choice that cannot be made leaves the predictor that there is: *failed says why. */
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
    j->regions = 0;
    return OK;
}

static char *reason(const struct judged *j, const struct samples *some, bool choose, const char *failed)
{
    if (failed)
        return xasprintf("none could be chosen: %s", failed);
    if (!choose)
        return xstrdup("it was asked for, or nothing is measured while building");
    if (!j->regions)
        return xstrdup("the board does not count mispredicted branches (BR_MIS_PRED)");
    return xasprintf("nearest to the measured mispredictions of %zu training programs: on average %.3g apart per 1000 "
                     "cycles, '%s' %.3g",
                     some->n, j->loss[j->best], j->names.keys[0], j->loss[0]);
}

/* The choice that stands in the file is taken. */
static enum status take_kept(struct board_args *simulate, const struct outputs *o, struct error *e)
{
    struct predictors p;
    enum status s = predictors_read(&p, o, e);
    if (!s && p.chosen) {
        char *both = p.other ? xasprintf("%s,%s", p.chosen, p.other) : xstrdup(p.chosen);
        replace(simulate, both);
        free(both);
    }
    predictors_release(&p);
    return s;
}

static enum status settle(struct board_args *simulate, const struct judged *j, const char *own, bool choose,
                          const char *failed, const struct samples *some, const struct outputs *o, struct error *e)
{
    const char *chosen = j->regions ? j->names.keys[j->best] : own;
    const char *other = strcmp(chosen, own) != 0 ? own : strcmp(chosen, PREDICTOR_DEFAULT) != 0 ? PREDICTOR_DEFAULT : 0;
    char *why = reason(j, some, choose, failed);
    progress_note("predictor of branches: %s: %s", chosen, why);
    enum status s = keep(chosen, choose ? other : 0, why, simulate, j, some, o, e);
    free(why);
    return s ? s : take_kept(simulate, o, e);
}

enum status predictors_choose(struct board_args *simulate, bool choose, const struct board *b, const struct outputs *o,
                              const struct samples *samples, const struct predictors_how *how, struct error *e)
{
    const struct unit place = {.folder = o->work};
    struct judged j = {.regions = 0};
    struct samples some;
    uint64_t inputs = 0;
    if (!value_of(simulate, "--branches"))
        return remove_tree(o->predictor, e);
    take_some(&some, samples, ONE_OF, SIZE_MAX);
    choose = choose && b->how != BOARD_IMPORT && some.n;
    char *own = xstrndup(value_of(simulate, "--branches"), strcspn(value_of(simulate, "--branches"), ","));
    enum status s = OK;
    inputs_hash(&inputs, simulate, &some, how->tools);
    bool kept = !how->again && stamp_fresh(&place, STEP, inputs) && file_exists(o->predictor);
    if (kept && (choose || how->quick)) {
        s = take_kept(simulate, o, e);
    } else {
        stamp_clear(&place, STEP);
        char *failed = 0;
        if (choose)
            s = find_best_or_say(&failed, &j, own, &some, simulate, b, o, how, e);
        if (!s)
            s = settle(simulate, &j, own, choose, failed, &some, o, e);
        if (!s && choose && !failed)
            s = stamp_set(&place, STEP, inputs, e);
        free(failed);
    }
    map_release(&j.names);
    free(some.at);
    free(own);
    return s;
}
