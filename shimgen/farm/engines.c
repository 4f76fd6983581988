/* engines.c - chooses an engine; what engines share: file names, commands of other programs. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cli.h"
#include "base/file.h"
#include "base/proc.h"
#include "shimgen/farm/engine_private.h"

static const struct engine_kind *const kinds[] = {&engine_slurm, &engine_command, &engine_parallel};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

enum status engine_open(struct engine **out, const char *on, struct error *e)
{
    const size_t n = strcspn(on, ":");
    const struct engine_kind *kind = 0;
    for (size_t i = 0; i < N_KINDS; i++)
        if (strlen(kinds[i]->name) == n && strncmp(kinds[i]->name, on, n) == 0)
            kind = kinds[i];
    if (!kind)
        return usage_error(
            e, "--on: '%s' is not an engine; there are slurm[:PARTITION], command:FILE and parallel:LOGINS", on);
    const char *argument = on[n] && on[n + 1] ? on + n + 1 : 0;
    if (kind->needs_argument && !argument)
        return usage_error(e, "--on %s:%s: what follows the colon is missing", kind->name, kind->argument);
    struct engine *g = xcalloc(1, sizeof *g);
    g->kind = kind;
    g->argument = xstrdup(argument);
    g->processors = 1;
    enum status s = kind->open(g, e);
    if (s)
        engine_close(g);
    else
        *out = g;
    return s;
}

void engine_close(struct engine *g)
{
    if (!g)
        return;
    if (g->kind->close)
        g->kind->close(g);
    for (size_t i = 0; i < g->places.n; i++)
        free(g->places.at[i]);
    vec_release(&g->places);
    free(g->argument);
    free(g);
}

size_t engine_processors(const struct engine *g)
{
    return g->processors ? g->processors : 1;
}

size_t engine_most_tasks(const struct engine *g)
{
    return g->most_tasks;
}

size_t engine_places(const struct engine *g, const char *const **places)
{
    *places = (const char *const *)g->places.at;
    return g->places.n;
}

enum status engine_run(const struct engine *g, const struct engine_batch *b, struct error *e)
{
    return b->n ? g->kind->run(g, b, e) : OK;
}

char *engine_result(const char *folder, size_t task)
{
    return xasprintf("%s/results/%zu.pack", folder, task);
}

char *engine_log(const char *folder, size_t task)
{
    return xasprintf("%s/logs/%zu.txt", folder, task);
}

size_t batch_results(const struct engine_batch *b)
{
    size_t n = 0;
    for (size_t i = 0; i < b->n; i++) {
        char *path = engine_result(b->folder, b->tasks[i]);
        n += file_exists(path);
        free(path);
    }
    return n;
}

/* ---- commands ---- */

static void quote(struct str *s, const char *word)
{
    str_addch(s, '\'');
    for (const char *p = word; *p; p++)
        if (*p == '\'')
            str_add(s, "'\\''");
        else
            str_addch(s, *p);
    str_addch(s, '\'');
}

void shell_word(struct str *s, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+@/:,%=";
    if (*word && word[strspn(word, plain)] == 0)
        str_add(s, word);
    else
        quote(s, word);
}

char *task_command(const char *folder, const char *number, const char *place)
{
    struct str s = STR_INIT;
    char *own = resource_program("shimgen");
    shell_word(&s, own);
    str_add(&s, " task ");
    if (*folder)
        shell_word(&s, folder);
    str_addf(&s, "plan.json %s -o ", number);
    if (*folder)
        shell_word(&s, folder);
    str_addf(&s, "results/%s.pack --place %s", number, place);
    free(own);
    return str_detach(&s);
}

enum status engine_ask(const char *const *argv, char **out, struct error *e)
{
    struct proc p = {.argv = argv, .capture = true, .cpu = -1};
    struct proc_result r = PROC_RESULT_INIT;
    enum status s = proc_must(&p, &r, e);
    if (!s && out)
        *out = xstrdup(str_text(&r.out));
    proc_result_release(&r);
    return s;
}

void engine_sleep(double seconds)
{
    struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&t, 0);
}
