/* farm_plan.c - makes, writes and reads plans of farms. */
#include "shimgen/farm/farm_plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/map.h"
#include "shimgen/units/measure_units.h"

#define FORMAT "shimgen-farm-plan"
enum { VERSION = 1, TASKS_A_PROCESSOR = 4 };

/* ---- tasks ---- */

size_t farm_plan_tasks(size_t units, size_t processors, size_t most)
{
    size_t n = TASKS_A_PROCESSOR * (processors ? processors : 1);
    if (most && n > most)
        n = most;
    return n < units ? n : units;
}

size_t farm_plan_add_task(struct farm_plan *p, const char *const *units, size_t n)
{
    struct plan_task t = {xcalloc(n + 1, sizeof *t.units), n};
    for (size_t i = 0; i < n; i++)
        t.units[i] = xstrdup(units[i]);
    vec_push(&p->tasks, t);
    return p->tasks.n - 1;
}

/* [tasks] number of the n units that each task gets. */
static size_t *shares(size_t n, size_t tasks, size_t processors)
{
    enum { FEW = 3 }; /* units per task; with fewer, the last tasks would get none */
    size_t *share = xcalloc(tasks + 1, sizeof *share), batches = (tasks + processors - 1) / processors;
    size_t all = 0, sum = 0, given = 0;
    for (size_t t = 0; t < tasks; t++) {
        share[t] = n < FEW * tasks ? 1 : batches - t / processors;
        all += share[t];
    }
    for (size_t t = 0; t < tasks; t++) {
        sum += share[t];
        share[t] = n * sum / all - given;
        given += share[t];
    }
    return share;
}

/* The task that is farthest below its share after i of n units. */
static size_t furthest_below(const struct plan_task *task, const size_t *share, size_t tasks, size_t i, size_t n)
{
    size_t below = 0;
    for (size_t t = 1; t < tasks; t++)
        if ((i + 1) * share[t] + n * task[below].n > (i + 1) * share[below] + n * task[t].n)
            below = t;
    return below;
}

void farm_plan_assign(struct farm_plan *p, const char *const *units, size_t n, size_t tasks, size_t processors)
{
    tasks = tasks < n ? tasks : n;
    size_t *share = shares(n, tasks, processors ? processors : 1), first = p->tasks.n;
    for (size_t t = 0; t < tasks; t++)
        vec_push(&p->tasks, ((struct plan_task){xcalloc(share[t] + 1, sizeof(char *)), 0}));
    for (size_t i = 0; i < n; i++) {
        struct plan_task *all = p->tasks.at + first, *to = &all[furthest_below(all, share, tasks, i, n)];
        to->units[to->n++] = xstrdup(units[i]);
    }
    free(share);
}

void farm_plan_release(struct farm_plan *p)
{
    char *const texts[] = {p->id, p->directory, p->board, p->samples, p->levels, p->cache, p->core, p->source, p->ssh};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
    for (size_t i = 0; i < p->tasks.n; i++)
        words_free(p->tasks.at[i].units);
    vec_release(&p->tasks);
    board_args_release(&p->simulate);
    *p = (struct farm_plan){0};
}

/* ---- what results depend on ---- */

enum status farm_settings_hash(uint64_t *hash, const struct board *b, struct error *e)
{
    struct board anywhere = *b;
    char none[] = "", *own = resource_program("shimgen");
    uint64_t program = 0;
    anywhere.ssh = none;
    enum status s = measure_place_hash(hash, &anywhere, e);
    if (!s)
        s = file_hash(&program, own, e);
    *hash = hash_text(hash_bytes(*hash, &program, sizeof program), b->name);
    free(own);
    return s;
}

/* ---- writing ---- */

static enum status set_id(struct farm_plan *p, const char *path, struct error *e)
{
    uint64_t hash;
    enum status s = file_hash(&hash, path, e);
    free(p->id);
    p->id = s ? 0 : xasprintf("%016" PRIx64, hash);
    return s;
}

static void put_hash(json_t *o, const char *key, uint64_t hash)
{
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    json_put_text(o, key, text);
}

static json_t *texts_json(char *const *texts, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, json_text(texts[i]));
    return list;
}

enum status farm_plan_write(struct farm_plan *p, const char *path, struct error *e)
{
    json_t *o = json_pack("{s:s, s:i}", "format", FORMAT, "version", VERSION), *tasks = json_array();
    json_put_text(o, "directory", p->directory);
    json_put_text(o, "board", p->board);
    json_put_text(o, "samples", p->samples);
    json_put(o, "runs", json_integer(p->runs));
    json_put_real(o, "precision", p->precision);
    json_put_text(o, "levels", p->levels);
    json_put_text(o, "cache", p->cache);
    json_put_text(o, "core", p->core);
    json_put_text(o, "source", p->source);
    json_put_text(o, "ssh", p->ssh);
    json_put(o, "simulate", texts_json(p->simulate.at, p->simulate.n));
    put_hash(o, "tools", p->tools);
    put_hash(o, "settings", p->settings);
    for (size_t i = 0; i < p->tasks.n; i++)
        json_array_append_new(tasks, texts_json(p->tasks.at[i].units, p->tasks.at[i].n));
    json_put(o, "tasks", tasks);
    enum status s = json_write(o, path, e);
    json_decref(o);
    return s ? s : set_id(p, path, e);
}

/* ---- reading ---- */

/* Reads a text; NULL if it is null or missing. */
static enum status read_text(const json_t *o, const char *key, char **to, const char *path, struct error *e)
{
    const char *text = 0;
    const json_t *value = json_object_get(o, key);
    enum status s = !value || json_is_null(value) ? OK : json_need_string(o, key, &text, path, e);
    *to = xstrdup(text);
    return s;
}

static enum status read_hash(const json_t *o, const char *key, uint64_t *to, const char *path, struct error *e)
{
    const char *text;
    char *end = 0;
    enum status s = json_need_string(o, key, &text, path, e);
    if (s)
        return s;
    *to = strtoull(text, &end, 16);
    return strlen(text) == 16 && !*end
               ? OK
               : error_set(e, ERR_INPUT, AT_FILE(path), "member '%s' is not a checksum of 16 hexadecimal digits", key);
}

static enum status read_list(const json_t *list, struct board_args *to, const char *path, struct error *e)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *text = json_string_value(json_array_get(list, i));
        if (!text)
            return error_set(e, ERR_INPUT, AT_FILE(path), "a list has something in it that is not a text");
        board_args_add(to, text);
    }
    return OK;
}

static enum status read_tasks(struct farm_plan *p, const json_t *o, const char *path, struct error *e)
{
    json_t *tasks = 0;
    enum status s = json_need_array(o, "tasks", &tasks, path, e);
    for (size_t i = 0; !s && i < json_array_size(tasks); i++) {
        struct board_args units = {0};
        s = read_list(json_array_get(tasks, i), &units, path, e);
        farm_plan_add_task(p, (const char *const *)units.at, units.n);
        board_args_release(&units);
    }
    return s;
}

static enum status read_texts(struct farm_plan *p, const json_t *o, const char *path, struct error *e)
{
    struct {
        const char *key;
        char **to;
    } texts[] = {{"directory", &p->directory}, {"board", &p->board}, {"samples", &p->samples}, {"levels", &p->levels},
                 {"cache", &p->cache},         {"core", &p->core},   {"source", &p->source},   {"ssh", &p->ssh}};
    enum status s = OK;
    for (size_t i = 0; !s && i < sizeof texts / sizeof *texts; i++)
        s = read_text(o, texts[i].key, texts[i].to, path, e);
    if (!s && (!p->directory || !p->board))
        s = error_set(e, ERR_INPUT, AT_FILE(path), "it names no directory or no board");
    return s;
}

static enum status read_members(struct farm_plan *p, const json_t *o, const char *path, struct error *e)
{
    double runs = 0;
    json_t *simulate = 0;
    enum status s = read_texts(p, o, path, e);
    if (!s)
        s = json_need_number(o, "runs", &runs, path, e);
    if (!s && (runs < 0 || runs > 1e9))
        s = error_set(e, ERR_INPUT, AT_FILE(path), "runs %g: a number of launches is wanted", runs);
    p->runs = s ? 0 : (long)runs;
    if (!s)
        s = json_need_number(o, "precision", &p->precision, path, e);
    if (!s)
        s = json_need_array(o, "simulate", &simulate, path, e);
    if (!s)
        s = read_list(simulate, &p->simulate, path, e);
    if (!s)
        s = read_hash(o, "tools", &p->tools, path, e);
    if (!s)
        s = read_hash(o, "settings", &p->settings, path, e);
    return s ? s : read_tasks(p, o, path, e);
}

enum status farm_plan_read(struct farm_plan *p, const char *path, struct error *e)
{
    json_t *o = 0;
    const char *format;
    double version;
    *p = (struct farm_plan){0};
    enum status s = json_read(&o, path, e);
    if (!s)
        s = json_need_string(o, "format", &format, path, e);
    if (!s && strcmp(format, FORMAT) != 0)
        s = error_set(e, ERR_INPUT, AT_FILE(path), "its format is '%s', not '" FORMAT "'", format);
    if (!s)
        s = json_need_number(o, "version", &version, path, e);
    if (!s && version != VERSION)
        s = error_set(e, ERR_INPUT, AT_FILE(path), "version %g; this program reads version %d", version, VERSION);
    if (!s)
        s = read_members(p, o, path, e);
    if (!s)
        s = set_id(p, path, e);
    json_decref(o);
    return s;
}
