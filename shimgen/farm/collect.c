/* collect.c - takes over the results of tasks: files of units, rows, losses. */
#include "shimgen/farm/collect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/map.h"
#include "base/progress.h"
#include "shimgen/farm/agree.h"
#include "shimgen/farm/engine.h"
#include "shimgen/units/measure_units.h"

/* ---- reading ---- */

/* Refuses a result. The reason becomes the last line of the task's messages. */
static void refuse(const char *path, const char *folder, size_t task, bool silent, const struct error *why)
{
    char *text = error_text(why), *log = engine_log(folder, task);
    FILE *f = fopen(log, "a");
    if (f) {
        fprintf(f, "%s\n", text);
        fclose(f);
    }
    if (!silent)
        progress_note("%s", text);
    unlink(path);
    free(log);
    free(text);
}

enum status collect_task(struct collection *c, const struct farm_plan *p, size_t task, const char *folder,
                         struct error *e)
{
    char *path = engine_result(folder, task), *unpacked = xasprintf("%s.unpacked", path);
    struct collected x = {.task = task};
    enum status s = file_exists(path) ? OK : error_set(e, ERR_SYSTEM, NOWHERE, "task %zu has no result", task);
    /* the pack is kept until everything is taken over, so unpacked files may vanish with this program */
    cleanup_add(unpacked);
    if (!s)
        s = remove_tree(unpacked, e);
    if (!s)
        s = make_directories(unpacked, e);
    if (!s) {
        s = task_result_read(&x.r, path, p, task, unpacked, e);
        if (s)
            refuse(path, folder, task, c->silent, e);
    }
    if (s) {
        cleanup_remove(unpacked);
        task_result_release(&x.r);
    } else
        vec_push(&c->results, x);
    free(unpacked);
    free(path);
    return s;
}

/* Files of it on the disk are removed with the folder of results. */
static void let_go(struct collected *x)
{
    cleanup_remove(x->r.folder);
    task_result_release(&x->r);
}

static struct collected *find(const struct collection *c, size_t task)
{
    for (size_t i = 0; i < c->results.n; i++)
        if (c->results.at[i].task == task)
            return &c->results.at[i];
    return 0;
}

bool collection_has(const struct collection *c, size_t task)
{
    return find(c, task);
}

bool collection_has_place(const struct collection *c, const char *place)
{
    for (size_t i = 0; i < c->results.n; i++)
        if (c->results.at[i].r.place && strcmp(c->results.at[i].r.place, place) == 0)
            return true;
    return false;
}

const struct measurements *collection_rows(const struct collection *c, size_t task)
{
    const struct collected *x = find(c, task);
    return x ? x->r.measured : 0;
}

void collection_drop(struct collection *c, size_t task)
{
    struct collected *x = find(c, task);
    if (!x)
        return;
    let_go(x);
    *x = c->results.at[--c->results.n];
}

void collection_release(struct collection *c)
{
    for (size_t i = 0; i < c->results.n; i++)
        let_go(&c->results.at[i]);
    vec_release(&c->results);
}

/* ---- taking over ---- */

static enum status move_file(const char *from, const char *to, struct error *e)
{
    return rename(from, to) ? error_errno(e, AT_FILE(to), "cannot be written") : OK;
}

/* Moves the unit's files. An earlier build's files are removed, since they would pass for the unit's. */
static enum status move_unit(const struct unit *u, const char *from, struct error *e)
{
    char **files = 0;
    size_t n = 0;
    enum status s = list_directory(&files, &n, from, e);
    if (!s)
        s = make_directories(u->folder, e);
    step_undone(u->folder, "measured");
    unlink(u->counted);
    unlink(u->measured);
    for (size_t i = 0; i < n; i++) {
        char *source = path_join(from, files[i]), *target = path_join(u->folder, files[i]);
        if (!s)
            s = move_file(source, target, e);
        free(target);
        free(source);
        free(files[i]);
    }
    free(files);
    return s;
}

/* Joins the rows of all results in the first one that has any; NULL: none has. Borrowed. */
static struct measurements *join_rows(struct collection *c)
{
    struct measurements *all = 0;
    for (size_t i = 0; i < c->results.n; i++) {
        struct measurements *m = c->results.at[i].r.measured;
        if (!m)
            continue;
        if (!all) {
            all = m;
            continue;
        }
        for (size_t k = 0; k < m->rows.n; k++)
            vec_push(&all->rows, m->rows.at[k]);
        for (size_t k = 0; k < m->programs.n; k++)
            vec_push(&all->programs, m->programs.at[k]);
        m->rows.n = m->programs.n = 0; /* the other table owns their texts now */
    }
    return all;
}

/* Sets the notes of the conditions. Everything else in them is as the task's machine wrote it. */
static void note_findings(struct measurements *m, const struct board *b, const struct findings *findings)
{
    const struct conditions *c = &m->conditions;
    struct board_machine same = {.architecture = xstrdup(c->architecture),
                                 .cpu = xstrdup(c->cpu),
                                 .kernel = xstrdup(c->kernel),
                                 .hypervisor = xstrdup(c->hypervisor),
                                 .clock_hz = c->clock_hz};
    char *date = xstrdup(c->date), *source = xstrdup(c->clock_source);
    same.clock_source = source;
    for (size_t i = 0; findings && i < findings->n; i++) {
        const struct findings one = {&findings->at[i], 1};
        if (strcmp(findings->at[i].id, "boards-differ") == 0)
            measurements_describe(m, b, &same, &one, date);
    }
    free(source);
    free(date);
    free(same.architecture);
    free(same.cpu);
    free(same.kernel);
    free(same.hypervisor);
}

static enum status move_units(const struct collection *c, const struct units *u, struct error *e)
{
    enum status s = OK;
    for (size_t i = 0; i < c->results.n; i++) {
        for (size_t k = 0; !s && k < u->n; k++) {
            char *from = xasprintf("%s/units/%s", c->results.at[i].r.folder, u->at[k].name);
            if (file_is_directory(from))
                s = move_unit(&u->at[k], from, e);
            free(from);
        }
    }
    return s;
}

static bool has_not_failed(const struct unit *u, void *context)
{
    return !map_get(context, u->name, 0);
}

/* Programs that failed there would fail here, too. */
static void take_losses(const struct collection *c, struct units *u, struct losses *losses)
{
    struct map failed = {0};
    for (size_t i = 0; i < c->results.n; i++) {
        const struct losses *l = &c->results.at[i].r.losses;
        for (size_t k = 0; k < l->list.n; k++) {
            losses_add(losses, l->list.at[k].step, l->list.at[k].what, l->list.at[k].cause);
            map_number(&failed, l->list.at[k].what);
        }
    }
    units_filter(u, has_not_failed, &failed);
    map_release(&failed);
}

enum status collect_adopt(struct collection *c, struct units *u, const struct board *b, const char *work,
                          const struct findings *findings, struct losses *losses, struct error *e)
{
    enum status s = move_units(c, u, e);
    struct measurements *all = s ? 0 : join_rows(c);
    if (all) {
        agree_widen(all, c->spread);
        note_findings(all, b, findings);
        s = measure_adopt(u, all, b, work, e);
    }
    if (!s)
        take_losses(c, u, losses);
    for (size_t i = 0; !s && i < c->results.n; i++)
        s = remove_tree(c->results.at[i].r.folder, e);
    return s;
}

/* ---- what a task has left ---- */

char *collect_reason(const char *folder, size_t task)
{
    struct str text = STR_INIT;
    struct error ignored = ERROR_INIT;
    char *log = engine_log(folder, task), *last = 0;
    if (file_exists(log) && file_read(&text, log, FILE_LIMIT, &ignored) == OK) {
        char **lines = words_of(str_text(&text), "\r\n");
        for (char **l = lines; *l; l++)
            if (l[1] == 0)
                last = printable_text(*l);
        words_free(lines);
    }
    if (!last)
        last = xasprintf("it did not come back, and %s has nothing that says why", log);
    free(log);
    str_release(&text);
    error_release(&ignored);
    return last;
}

char *collect_place(const char *folder, size_t task)
{
    struct str text = STR_INIT;
    struct error ignored = ERROR_INIT;
    char *result = engine_result(folder, task), *path = xasprintf("%s.place", result);
    bool there = file_exists(path) && file_read(&text, path, 4096, &ignored) == OK;
    char *place = there ? xstrndup(str_text(&text), strcspn(str_text(&text), "\n")) : 0;
    str_release(&text);
    free(path);
    free(result);
    error_release(&ignored);
    return place;
}
