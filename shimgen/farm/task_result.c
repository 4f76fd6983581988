/* task_result.c - reads the result of a task. It comes from another machine, so everything is checked before it is
 * used. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/map.h"
#include "shimgen/farm/result_private.h"
#include "shimgen/farm/task.h"
#include "shimgen/pack/pack.h"

enum { FILES_A_UNIT = 64 };
#define LARGEST_FILE ((uint64_t)256 << 20)
#define LARGEST_PACK ((uint64_t)2 << 30)

struct checking {
    const char *path;
    const struct farm_plan *plan;
    const struct plan_task *task;
    struct map units; /* of the task; value 1: it has rows; 2: it was left out */
};

bool result_wants(const char *file)
{
    static const char *const names[] = {"profile", "built.stamp", "counted.stamp", "counted.hash", "measured.hash"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(file, names[i]) == 0)
            return true;
    /* of each source, its optimised IR and the list of headers that it includes */
    size_t digits = strspn(file, "0123456789");
    return digits && (strcmp(file + digits, ".bc") == 0 || strcmp(file + digits, ".d") == 0);
}

/* ---- index ---- */

static enum status check_index(const struct checking *c, const json_t *index, size_t task, struct task_result *r,
                               struct error *e)
{
    const char *plan, *place;
    double number;
    enum status s = json_need_string(index, "plan", &plan, c->path, e);
    if (!s)
        s = json_need_number(index, "task", &number, c->path, e);
    if (!s)
        s = json_need_string(index, "place", &place, c->path, e);
    if (s)
        return s;
    r->place = printable_text(place);
    if (strcmp(plan, c->plan->id) != 0)
        return error_set(e, ERR_INPUT, AT_FILE(c->path),
                         "the result of another build's plan: another board, or other "
                         "settings or programs; it is not used");
    if (number != (double)task)
        return error_set(e, ERR_INPUT, AT_FILE(c->path), "the result of task %g, not of task %zu; it is not used",
                         number, task);
    return OK;
}

/* Is the file expected? In "units/paper/sum@O2/profile", the unit must be the task's, and the file one that a task may
 * send. */
static bool is_expected(const struct checking *c, const char *name)
{
    static const char *const own[] = {RESULT_ROWS, RESULT_CONDITIONS, RESULT_LOSSES};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(name, own[i]) == 0)
            return true;
    if (strncmp(name, RESULT_UNITS, strlen(RESULT_UNITS)) != 0)
        return false;
    const char *unit = name + strlen(RESULT_UNITS), *slash = strrchr(unit, '/');
    if (!slash || !result_wants(slash + 1))
        return false;
    char *which = xstrndup(unit, (size_t)(slash - unit));
    bool found = map_get(&c->units, which, 0);
    free(which);
    return found;
}

static enum status check_names(const struct checking *c, const json_t *index, struct error *e)
{
    const json_t *files = json_object_get(index, "files");
    for (size_t i = 0; i < json_array_size(files); i++) {
        const char *name = json_string_value(json_object_get(json_array_get(files, i), "name"));
        if (!name || !is_expected(c, name))
            return error_set(e, ERR_INPUT, AT_FILE(c->path), "'%s' is not of this task's programs; it is not used",
                             name ? name : "");
    }
    return OK;
}

/* ---- rows and losses ---- */

static enum status take_rows(struct checking *c, struct task_result *r, struct error *e)
{
    char *csv = path_join(r->folder, RESULT_ROWS), *conditions = path_join(r->folder, RESULT_CONDITIONS);
    enum status s = OK;
    if (file_exists(csv))
        s = file_exists(conditions) ? measurements_read(&r->measured, csv, conditions, e)
                                    : error_set(e, ERR_INPUT, AT_FILE(c->path), "it has rows without their conditions");
    for (size_t i = 0; !s && r->measured && i < r->measured->rows.n; i++) {
        const char *program = r->measured->rows.at[i].program;
        if (!map_get(&c->units, program, 0))
            s = error_set(e, ERR_INPUT, AT_FILE(c->path), "it has rows of '%s', which is not of this task", program);
        else
            map_put(&c->units, program, 1);
    }
    free(conditions);
    free(csv);
    return s;
}

static enum status take_losses(struct checking *c, struct task_result *r, struct error *e)
{
    char *path = path_join(r->folder, RESULT_LOSSES);
    enum status s = losses_read(&r->losses, path, e);
    for (size_t i = 0; !s && i < r->losses.list.n; i++) {
        const char *what = r->losses.list.at[i].what;
        if (!map_get(&c->units, what, 0))
            s = error_set(e, ERR_INPUT, AT_FILE(c->path), "it leaves out '%s', which is not of this task", what);
        else
            map_put(&c->units, what, 2);
    }
    free(path);
    return s;
}

static enum status check_complete(const struct checking *c, struct error *e)
{
    for (size_t i = 0; i < c->units.n; i++)
        if (!c->units.values[i])
            return error_set(e, ERR_INPUT, AT_FILE(c->path), "it has no rows of '%s', and no reason", c->units.keys[i]);
    return OK;
}

/* ---- everything together ---- */

enum status task_result_read(struct task_result *r, const char *path, const struct farm_plan *p, size_t task,
                             const char *folder, struct error *e)
{
    struct checking c = {.path = path, .plan = p, .task = &p->tasks.at[task]};
    const struct pack_limits limits = {FILES_A_UNIT * c.task->n + 3, LARGEST_FILE, LARGEST_PACK};
    json_t *index = 0;
    *r = (struct task_result){.folder = xstrdup(folder), .losses.silent = true};
    for (size_t i = 0; i < c.task->n; i++)
        map_put(&c.units, c.task->units[i], 0);
    enum status s = pack_read(&index, path, RESULT_KIND, folder, &limits, e);
    if (!s)
        s = check_index(&c, index, task, r, e);
    if (!s)
        s = check_names(&c, index, e);
    if (!s)
        s = take_rows(&c, r, e);
    if (!s)
        s = take_losses(&c, r, e);
    if (!s)
        s = check_complete(&c, e);
    json_decref(index);
    map_release(&c.units);
    return s;
}

void task_result_release(struct task_result *r)
{
    free(r->place);
    free(r->folder);
    measurements_free(r->measured);
    losses_release(&r->losses);
    *r = (struct task_result){0};
}
