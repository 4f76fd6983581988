/* engine_command.c - runs tasks by a lab's own commands: reserve a board, switch it on, run, release. docs/farms.md. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/ini.h"
#include "base/proc.h"
#include "base/progress.h"
#include "shimgen/farm/engine_private.h"
#include "shimgen/units/jobs.h"

enum { RESERVE, POWER, RUN, RELEASE, N_COMMANDS };
static const char *const command_names[N_COMMANDS] = {"reserve", "power", "run", "release"};
enum { MOST_SLOTS = 4096, RELEASE_S = 120 };

struct lab {
    char *path;                 /* of the file */
    char *commands[N_COMMANDS]; /* templates for sh; NULL: not used */
    unsigned long lines[N_COMMANDS];
    double timeout_s; /* of each command */
};

/* ---- the file ---- */

static enum status unknown(const struct ini *i, const struct ini_entry *x, struct error *e)
{
    return error_set(e, ERR_INPUT, AT(i->path, x->line),
                     "unknown key '%s' in [%s]; there are places, slots and timeout in [farm], reserve, power, run and "
                     "release in [command]",
                     x->key, x->section);
}

static enum status take_farm(struct engine *g, struct lab *l, const struct ini *i, const struct ini_entry *x,
                             struct error *e)
{
    long n;
    if (strcmp(x->key, "places") == 0) {
        char **names = words_of(x->value, " ,\t");
        for (char **p = names; *p; p++)
            vec_push(&g->places, xstrdup(*p));
        words_free(names);
        return g->places.n ? OK : error_set(e, ERR_INPUT, AT(i->path, x->line), "places: no place is named");
    }
    if (strcmp(x->key, "slots") == 0) {
        if (!parse_long(x->value, &n) || n < 1 || n > MOST_SLOTS)
            return error_set(e, ERR_INPUT, AT(i->path, x->line), "slots: '%s' is not a number from 1 to %d", x->value,
                             MOST_SLOTS);
        g->processors = (size_t)n;
        return OK;
    }
    if (strcmp(x->key, "timeout") == 0)
        return parse_double(x->value, &l->timeout_s) && l->timeout_s >= 1 && l->timeout_s <= 1e7
                   ? OK
                   : error_set(e, ERR_INPUT, AT(i->path, x->line), "timeout: '%s' is not a number of seconds",
                               x->value);
    return unknown(i, x, e);
}

/* {place} and {task} are replaced. Any other word in braces is a mistake, unless it is the shell's (${x}, {a,b}). */
static enum status check_template(const struct ini *i, const struct ini_entry *x, struct error *e)
{
    for (const char *p = strchr(x->value, '{'); p; p = strchr(p + 1, '{')) {
        size_t n = strspn(p + 1, "abcdefghijklmnopqrstuvwxyz_");
        bool named = n && p[1 + n] == '}' && (p == x->value || p[-1] != '$');
        if (named && strncmp(p, "{place}", 7) != 0 && strncmp(p, "{task}", 6) != 0)
            return error_set(e, ERR_INPUT, AT(i->path, x->line),
                             "%s: '%.*s' is not known; there are {place} and {task}", x->key, (int)n + 2, p);
    }
    return OK;
}

static enum status take_command(struct lab *l, const struct ini *i, const struct ini_entry *x, struct error *e)
{
    for (size_t k = 0; k < N_COMMANDS; k++)
        if (strcmp(x->key, command_names[k]) == 0) {
            l->commands[k] = *x->value ? xstrdup(x->value) : 0;
            l->lines[k] = x->line;
            return check_template(i, x, e);
        }
    return unknown(i, x, e);
}

static enum status check_lab(struct engine *g, const struct lab *l, struct error *e)
{
    if (!l->commands[RUN])
        return error_set(e, ERR_INPUT, AT_FILE(l->path),
                         "[command] run is missing: how {task} is run, for example 'run = {task} --ssh root@{place}'");
    if (!strstr(l->commands[RUN], "{task}"))
        return error_set(e, ERR_INPUT, AT(l->path, l->lines[RUN]),
                         "run: {task} is not in it, so nothing would be measured; it is shimgen's own command line");
    if (!g->places.n && !l->commands[RESERVE])
        return error_set(e, ERR_INPUT, AT_FILE(l->path),
                         "no board is named: either [farm] places = NAMES, or [command] reserve, which prints one");
    if (l->commands[RESERVE] && !l->commands[RELEASE])
        return error_set(e, ERR_INPUT, AT(l->path, l->lines[RESERVE]),
                         "reserve without release: boards would stay reserved; add [command] release");
    if (g->places.n)
        g->processors = g->places.n;
    return OK;
}

static enum status command_open(struct engine *g, struct error *e)
{
    struct lab *l = g->own = xcalloc(1, sizeof *l);
    struct ini *i = 0;
    l->path = xstrdup(g->argument);
    l->timeout_s = 86400;
    enum status s = ini_read(&i, g->argument, e);
    for (size_t k = 0; !s && k < i->n; k++) {
        const struct ini_entry *x = &i->entries[k];
        s = strcmp(x->section, "farm") == 0      ? take_farm(g, l, i, x, e)
            : strcmp(x->section, "command") == 0 ? take_command(l, i, x, e)
                                                 : unknown(i, x, e);
    }
    ini_free(i);
    return s ? s : check_lab(g, l, e);
}

static void command_close(struct engine *g)
{
    struct lab *l = g->own;
    for (size_t i = 0; i < N_COMMANDS; i++)
        free(l->commands[i]);
    free(l->path);
    free(l);
}

/* ---- commands ---- */

static char *fill_in(const char *template, const char *place, const char *task)
{
    struct str s = STR_INIT;
    while (*template) {
        if (strncmp(template, "{place}", 7) == 0) {
            shell_word(&s, place);
            template += 7;
        } else if (strncmp(template, "{task}", 6) == 0) {
            str_add(&s, task);
            template += 6;
        } else {
            str_addch(&s, *template ++);
        }
    }
    return str_detach(&s);
}

/* The last line that is not empty, without spaces around it. The caller frees. */
static char *last_line(const char *text)
{
    char **lines = words_of(text, "\r\n"), *last = 0;
    for (char **l = lines; *l; l++) {
        char **words = words_of(*l, " \t");
        if (*words) {
            free(last);
            last = words_text(words);
        }
        words_free(words);
    }
    words_free(lines);
    return last ? last : xstrdup("");
}

/* ERR_SYSTEM: it failed or took too long. Its messages go to `log`, if that is not NULL. */
static enum status command_do(const struct lab *l, size_t which, const char *place, const char *task, struct str *out,
                              const char *log, struct error *e)
{
    if (!l->commands[which])
        return OK;
    char *text = fill_in(l->commands[which], place, task);
    const char *const argv[] = {"sh", "-c", text, 0};
    const bool ending = which == RELEASE;
    struct proc p = {.argv = argv,
                     .capture = true,
                     .timeout_s = ending && l->timeout_s > RELEASE_S ? RELEASE_S : l->timeout_s,
                     .winding_up = ending,
                     .cpu = -1};
    struct proc_result r = PROC_RESULT_INIT;
    enum status s = proc_run(&p, &r, e);
    if (!s && (r.exit_code || r.signal)) {
        char *how = proc_how_ended(&p, &r), *last = last_line(str_text(r.err.len ? &r.err : &r.out)),
             *said = printable_text(last);
        s = error_set(e, ERR_SYSTEM, AT(l->path, l->lines[which]), "%s for '%s' %s%s%.300s", command_names[which],
                      place, how, *said ? ": " : "", said);
        free(said);
        free(last);
        free(how);
    }
    if (out)
        str_add(out, str_text(&r.out));
    if (log) {
        struct error ignored = ERROR_INIT;
        str_add(&r.out, str_text(&r.err));
        (void)!file_write(log, str_text(&r.out), r.out.len, &ignored);
        error_release(&ignored);
    }
    proc_result_release(&r);
    free(text);
    return s;
}

/* Reserves `place` (NULL: any) and switches it on. *got: the place; the caller frees. */
static enum status take_place(const struct lab *l, const char *place, char **got, struct error *e)
{
    struct str out = STR_INIT;
    enum status s = command_do(l, RESERVE, place ? place : "", "", &out, 0, e);
    *got = place ? xstrdup(place) : last_line(str_text(&out));
    str_release(&out);
    if (!s && !**got)
        s = error_set(e, ERR_SYSTEM, AT(l->path, l->lines[RESERVE]), "reserve printed no name of a board");
    if (s)
        return s;
    s = command_do(l, POWER, *got, "", 0, 0, e);
    if (s)
        (void)!command_do(l, RELEASE, *got, "", 0, 0, 0);
    return s;
}

static enum status run_task(const struct lab *l, const struct engine_batch *b, size_t task, const char *place,
                            struct error *e)
{
    struct str word = STR_INIT;
    char *folder = xasprintf("%s/", b->folder), number[32], *log = engine_log(b->folder, task);
    snprintf(number, sizeof number, "%zu", task);
    shell_word(&word, place);
    char *command = task_command(folder, number, str_text(&word));
    enum status s = command_do(l, RUN, place, command, 0, log, e);
    free(command);
    free(log);
    free(folder);
    str_release(&word);
    return s;
}

/* ---- side by side ---- */

struct running {
    const struct engine *g;
    const struct engine_batch *b;
    const char *const *places;
    size_t n_places;
};

/* Runs a place's share of the tasks one after the other. The first failure ends it, since the board may be gone. */
static enum status at_place(size_t i, void *context, struct error *e)
{
    const struct running *r = context;
    const struct lab *l = r->g->own;
    char *place = 0;
    enum status s = take_place(l, r->places[i], &place, e);
    bool taken = !s;
    for (size_t t = i; !s && t < r->b->n; t += r->n_places)
        s = run_task(l, r->b, r->b->tasks[t], place, e);
    if (taken && command_do(l, RELEASE, place, "", 0, 0, s ? 0 : e) && !s)
        s = ERR_SYSTEM;
    free(place);
    return s;
}

/* Runs a task at any board that the lab gives. */
static enum status anywhere(size_t i, void *context, struct error *e)
{
    const struct running *r = context;
    const struct lab *l = r->g->own;
    char *place = 0;
    enum status s = take_place(l, 0, &place, e);
    bool taken = !s;
    if (!s)
        s = run_task(l, r->b, r->b->tasks[i], place, e);
    if (taken && command_do(l, RELEASE, place, "", 0, 0, s ? 0 : e) && !s)
        s = ERR_SYSTEM;
    free(place);
    return s;
}

static enum status note_failure(size_t i, enum status s, void *context, struct error *e)
{
    (void)i;
    (void)context;
    if (s == ERR_CANCELLED)
        return s;
    char *text = error_text(e);
    progress_note("%s", text);
    free(text);
    error_release(e);
    return OK;
}

static void show(size_t i, size_t done, size_t total, void *context)
{
    const struct running *r = context;
    (void)i;
    (void)done;
    (void)total;
    progress_show("tasks in the lab", batch_results(r->b), r->b->n, "");
}

static enum status command_run(const struct engine *g, const struct engine_batch *b, struct error *e)
{
    struct running r = {g, b, b->n_places ? b->places : (const char *const *)g->places.at,
                        b->n_places ? b->n_places : g->places.n};
    enum status s =
        r.n_places ? jobs_try(r.n_places < b->n ? r.n_places : b->n, r.n_places, at_place, show, note_failure, &r, e)
                   : jobs_try(b->n, engine_processors(g), anywhere, show, note_failure, &r, e);
    progress_clear();
    return s;
}

const struct engine_kind engine_command = {"command", "FILE", true, command_open, command_close, command_run};
