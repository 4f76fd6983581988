/* task.c - runs one task of a plan, in a temporary folder. It needs nothing from the build's folder. */
#include "shimgen/farm/task.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/map.h"
#include "base/json.h"
#include "base/progress.h"
#include "boards/run/run.h"
#include "samples/manifest.h"
#include "shimgen/farm/result_private.h"
#include "shimgen/pack/pack.h"
#include "shimgen/units/count_units.h"
#include "shimgen/units/measure_units.h"
#include "shimgen/units/unit.h"

struct task {
    const struct task_options *o;
    struct farm_plan plan;
    const struct plan_task *at;
    struct board *board;
    char *out, *work, *place_name;
    char *runtimes;       /* the build's <work>/runtime, if the plan is in <work>/farm */
    struct runner *place; /* a connection to the board, or NULL */
    struct findings findings;
    struct samples samples;
    struct units units;
    struct losses losses;
    struct measurements *measured;
    uint64_t tools;
};

/* ---- checks: the same board, the same tools ---- */

static enum status load_board(struct task *t, struct error *e)
{
    struct board_overrides changes = BOARD_OVERRIDES_NONE;
    changes.runs = t->plan.runs;
    changes.precision = t->plan.precision;
    changes.levels = t->plan.levels;
    changes.cache = t->plan.cache;
    changes.core = t->plan.core;
    changes.source = t->plan.source;
    changes.ssh = t->o->ssh ? t->o->ssh : t->plan.ssh;
    enum status s = board_load(&t->board, t->plan.board, e);
    return s ? s : board_override(t->board, &changes, e);
}

static enum status check_settings(const struct task *t, struct error *e)
{
    uint64_t here;
    enum status s = farm_settings_hash(&here, t->board, e);
    if (!s && here != t->plan.settings)
        s = error_set(e, ERR_INPUT, AT_FILE(t->board->path),
                      "the board '%s' is not the build's on '%s': its description, its simulator or shimgen itself is "
                      "another; install the same here",
                      t->board->name, t->place_name);
    return s;
}

static enum status copy_file(const char *from, const char *to, struct error *e)
{
    struct str content = STR_INIT;
    enum status s = file_read(&content, from, FILE_LIMIT, e);
    if (!s)
        s = file_write(to, str_text(&content), content.len, e);
    str_release(&content);
    return s;
}

/* Recurses at most `depth` levels. Links are followed, since they are the build's. */
static enum status copy_folder(const char *from, const char *to, int depth, struct error *e)
{
    char **names = 0;
    size_t n = 0;
    enum status s = make_directories(to, e);
    if (!s)
        s = list_directory(&names, &n, from, e);
    for (size_t i = 0; i < n; i++) {
        char *source = path_join(from, names[i]), *target = path_join(to, names[i]);
        if (!s && !file_is_directory(source))
            s = copy_file(source, target, e);
        else if (!s && depth > 1)
            s = copy_folder(source, target, depth - 1, e);
        free(target);
        free(source);
        free(names[i]);
    }
    free(names);
    return s;
}

/* The build has compiled runtimes beside the plan. If that folder is shared, they need not be made again. Their stamps
 * tell whether they fit. */
static void copy_runtimes(const struct task *t)
{
    char *to = path_join(t->work, "runtime");
    struct error ignored = ERROR_INIT;
    if (file_is_directory(t->runtimes))
        (void)!copy_folder(t->runtimes, to, 2, &ignored);
    error_release(&ignored);
    free(to);
}

static enum status check_tools(struct task *t, struct error *e)
{
    copy_runtimes(t);
    enum status s = unit_tools_hash(&t->tools, t->board, t->work, e);
    if (!s && t->tools != t->plan.tools)
        s = error_set(e, ERR_INPUT, NOWHERE,
                      "the tools on '%s' are not the build's: compiler, irprof, runtimes or the folder that shimgen is "
                      "installed in; install the same packages at the same path",
                      t->place_name);
    return s;
}

static enum status consult_doctor(struct task *t, struct error *e)
{
    runner_consult(&t->place, t->board, &t->findings);
    for (size_t i = 0; i < t->findings.n; i++) {
        const struct finding *x = &t->findings.at[i];
        if (x->severity == FINDING_ERROR)
            return error_set(e, ERR_UNSUPPORTED, NOWHERE, "%s cannot be measured on '%s': %s%s%s", t->board->name,
                             t->place_name, x->what, *x->remedy ? "; " : "", x->remedy);
    }
    return OK;
}

/* ---- the task's programs ---- */

static bool is_of_task(const struct unit *u, void *context)
{
    return map_get(context, u->name, 0);
}

static enum status find_units(struct task *t, struct error *e)
{
    struct map names = {0};
    char *own = resource_share("samples");
    enum status s = samples_read(&t->samples, t->plan.samples ? t->plan.samples : own, 0, e);
    for (size_t i = 0; i < t->at->n; i++)
        map_put(&names, t->at->units[i], i);
    if (!s) {
        units_plan(&t->units, &t->samples, t->board, t->work, &t->plan.simulate);
        units_filter(&t->units, is_of_task, &names);
    }
    if (!s && t->units.n != names.n)
        s = error_set(e, ERR_INPUT, NOWHERE, "%zu of the %zu programs of task %ld are not on '%s': give it the samples",
                      names.n - t->units.n, names.n, t->o->task, t->place_name);
    map_release(&names);
    free(own);
    return s;
}

/* If every program failed, that is the result. */
static enum status unless_all_failed(const struct task *t, enum status s, struct error *e)
{
    if (s != ERR_INPUT || t->losses.list.n < t->at->n)
        return s;
    error_release(e);
    return OK;
}

static enum status work_through(struct task *t, struct error *e)
{
    const struct counting counting = {.place = t->place, .jobs = 1, .losses = &t->losses};
    const struct measuring measuring = {.place = t->place, .workers = 1, .losses = &t->losses, .step = "measure"};
    enum status s = count_units(&t->units, t->board, t->work, t->tools, &counting, e);
    if (!s)
        s = measure_units(&t->measured, &t->units, t->board, t->work, &t->findings, &measuring, e);
    return unless_all_failed(t, s, e);
}

/* ---- the task's result ---- */

/* Adds the files of a unit that a build needs to continue with it. The measurement's stamp is left out, since the build
 * sets it. */
static enum status add_unit(struct pack_members *m, const struct unit *u, struct error *e)
{
    char **files = 0;
    size_t n = 0;
    enum status s = list_directory(&files, &n, u->folder, e);
    for (size_t i = 0; i < n; i++) {
        char *path = path_join(u->folder, files[i]), *name = xasprintf(RESULT_UNITS "%s/%s", u->name, files[i]);
        if (result_wants(files[i]))
            pack_add(m, name, path);
        free(name);
        free(path);
        free(files[i]);
    }
    free(files);
    return s;
}

static enum status add_table(struct task *t, struct pack_members *m, struct error *e)
{
    char *csv = path_join(t->work, RESULT_ROWS), *conditions = path_join(t->work, RESULT_CONDITIONS);
    enum status s = t->measured ? measurements_write(t->measured, csv, conditions, e) : OK;
    if (t->measured) {
        pack_add(m, RESULT_ROWS, csv);
        pack_add(m, RESULT_CONDITIONS, conditions);
    }
    free(conditions);
    free(csv);
    return s;
}

static enum status add_losses(struct task *t, struct pack_members *m, struct error *e)
{
    char *path = path_join(t->work, RESULT_LOSSES);
    enum status s = losses_write(&t->losses, path, e);
    if (t->losses.list.n)
        pack_add(m, RESULT_LOSSES, path);
    free(path);
    return s;
}

static enum status write_result(struct task *t, struct error *e)
{
    struct pack_members m = {0};
    enum status s = add_table(t, &m, e);
    if (!s)
        s = add_losses(t, &m, e);
    for (size_t i = 0; !s && i < t->units.n; i++)
        s = add_unit(&m, &t->units.at[i], e);
    if (!s) {
        json_t *index = json_pack("{s:s}", "kind", RESULT_KIND);
        json_put_text(index, "plan", t->plan.id);
        json_put(index, "task", json_integer(t->o->task));
        json_put_text(index, "board", t->board->name);
        json_put_text(index, "place", t->place_name);
        s = pack_write(t->out, index, &m, e);
        json_decref(index);
    }
    pack_members_release(&m);
    return s;
}

/* ---- everything together ---- */

static char *absolute(const char *path)
{
    char *here = *path == '/' ? 0 : getcwd(0, 0), *all = here ? path_join(here, path) : xstrdup(path);
    free(here);
    return all;
}

static char *beside(const char *plan)
{
    char *folder = absolute(plan);
    *strrchr(folder, '/') = 0;
    char *runtimes = path_join(folder, "../runtime");
    free(folder);
    return runtimes;
}

/* Writes where the task ran, for whoever looks for a missing result. */
static enum status write_place(const struct task *t, struct error *e)
{
    char *path = xasprintf("%s.place", t->out);
    enum status s = file_write(path, t->place_name, strlen(t->place_name), e);
    free(path);
    return s;
}

static enum status begin(struct task *t, struct error *e)
{
    char host[256] = "";
    enum status s = farm_plan_read(&t->plan, t->o->plan, e);
    if (s)
        return s;
    if (t->o->task < 0 || (size_t)t->o->task >= t->plan.tasks.n)
        return error_set(e, ERR_INPUT, AT_FILE(t->o->plan), "there is no task %ld; it has tasks 0 to %zu", t->o->task,
                         t->plan.tasks.n - 1);
    t->at = &t->plan.tasks.at[t->o->task];
    gethostname(host, sizeof host - 1);
    t->place_name = xstrdup(t->o->place ? t->o->place : host);
    t->out = absolute(t->o->out);
    t->runtimes = beside(t->o->plan);
    s = write_place(t, e);
    if (s)
        return s;
    /* if there is no such folder, the plan's names must be those of the product's own files */
    if (file_is_directory(t->plan.directory) && chdir(t->plan.directory))
        return error_errno(e, AT_FILE(t->plan.directory), "cannot be entered");
    s = temp_directory(&t->work, "shimgen-task", e);
    return s ? s : load_board(t, e);
}

static void task_release(struct task *t)
{
    runner_close(t->place);
    measurements_free(t->measured);
    units_release(&t->units);
    samples_release(&t->samples);
    losses_release(&t->losses);
    findings_release(&t->findings);
    board_free(t->board);
    farm_plan_release(&t->plan);
    if (t->work) {
        struct error ignored = ERROR_INIT;
        (void)!remove_tree(t->work, &ignored);
        cleanup_remove(t->work);
        error_release(&ignored);
    }
    free(t->work);
    free(t->out);
    free(t->runtimes);
    free(t->place_name);
}

enum status task_run(const struct task_options *o, struct error *e)
{
    struct task t = {.o = o};
    cancel_defer();
    enum status s = begin(&t, e);
    if (!s)
        s = check_settings(&t, e);
    if (!s)
        s = check_tools(&t, e);
    if (!s)
        s = consult_doctor(&t, e);
    if (!s)
        s = find_units(&t, e);
    if (!s)
        s = work_through(&t, e);
    if (!s)
        s = write_result(&t, e);
    progress_clear();
    task_release(&t);
    return s;
}
