/*
 * run_emulator.c - runs programs on this machine under qemu's user-mode emulator: with the simulator's plugin to
 * measure, without it to count. Name, environment, folder and arguments of a program are the same in every run and on
 * every machine. They are on its stack and so decide where its data is, and a simulator must always give the same
 * figures.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/proc.h"
#include "base/target.h"
#include "boards/description/causes.h"
#include "boards/run/run.h"
#include "boards/run/runner_kind.h"

#define PROGRAM "./program"
#define RESULT  "result"

struct emulator {
    struct board_args command; /* the emulator and its options; the program is appended */
    size_t plugin;             /* index of the plugin's options in it; 0: no plugin */
    char *folder;              /* where programs run */
    char *result;              /* folder/result */
};

/* Doubles commas, since a single one would begin the plugin's next option. */
static char *double_commas(const char *text)
{
    struct str out = STR_INIT;
    str_add(&out, "");
    for (; *text; text++) {
        str_addch(&out, *text);
        if (*text == ',')
            str_addch(&out, ',');
    }
    return str_detach(&out);
}

static enum status add_plugin(struct emulator *m, const struct board *b, struct error *e)
{
    char *plugin = resource_lib("shimgen-iss.so"), *model = realpath(b->model, 0);
    enum status s = OK;
    if (!file_exists(plugin))
        s = cause_error(e, ERR_SYSTEM, b->path, "simulator-missing", plugin);
    else if (!model)
        s = error_errno(e, AT_FILE(b->model), "the simulator's data file ([simulator] model in %s) cannot be read",
                        b->path);
    if (!s) {
        char *plugin_text = double_commas(plugin), *model_text = double_commas(model);
        char *option = xasprintf("%s,model=%s", plugin_text, model_text);
        /* a fixed address range: otherwise the emulator's own allocations decide where the program's are */
        board_args_add(&m->command, "-R");
        board_args_add(&m->command, target_find(board_target(b))->pointer == 4 ? "0xffffffff" : "0x1000000000");
        board_args_add(&m->command, "-plugin");
        m->plugin = m->command.n;
        board_args_add(&m->command, option);
        free(option);
        free(model_text);
        free(plugin_text);
    }
    free(model);
    free(plugin);
    return s;
}

static enum status make_command(struct runner *r, struct emulator *m, struct error *e)
{
    const struct board *b = r->b;
    bool simulated = r->measured;
    const char *name = simulated || !*b->count_command ? b->emulator : b->count_command[0];
    char *path = proc_find(name);
    if (!path)
        return cause_error(e, ERR_SYSTEM, b->path, "emulator-missing", name);
    board_args_add(&m->command, path);
    free(path);
    if (!simulated && *b->count_command)
        for (char **w = b->count_command + 1; *w; w++)
            board_args_add(&m->command, *w);
    else if (*b->emulator_cpu) {
        board_args_add(&m->command, "-cpu");
        board_args_add(&m->command, b->emulator_cpu);
    }
    free(r->architecture);
    r->architecture = xstrdup(emulated_architecture(name));
    return simulated ? add_plugin(m, b, e) : OK;
}

/* Makes the files that board_detect is to find, since this machine is not the board. */
static enum status make_root(struct runner *r, struct emulator *m, struct error *e)
{
    static const char status[] = "Cpus_allowed_list:\t0\n";
    struct proc p = {.argv = (const char *const[]){m->command.at[0], "--version", 0}, .capture = true, .cpu = -1};
    struct proc_result version = PROC_RESULT_INIT;
    enum status s = proc_must(&p, &version, e);
    char *folder = 0;
    if (!s)
        s = root_folder(&folder, e);
    if (!s) {
        free(r->root);
        r->root = folder;
        /* "qemu-aarch64 version 7.2.22 (Debian ...)" */
        const char *text = str_text(&version.out);
        size_t n = strcspn(text, "(\n");
        s = root_put(folder, "/proc/sys/kernel/osrelease", text, n && text[n - 1] == ' ' ? n - 1 : n, e);
    }
    if (!s)
        s = root_put(folder, "/proc/sys/kernel/arch", r->architecture, strlen(r->architecture), e);
    if (!s)
        s = root_put(folder, "/proc/self/status", status, sizeof status - 1, e);
    proc_result_release(&version);
    return s;
}

static enum status emulator_open(struct runner *r, struct error *e)
{
    struct emulator *m = r->own = xcalloc(1, sizeof *m);
    enum status s = make_command(r, m, e);
    if (!s && r->measured)
        s = make_root(r, m, e);
    if (!s)
        s = temp_directory(&m->folder, "shimgen-run", e);
    if (!s)
        m->result = path_join(m->folder, RESULT);
    return s;
}

static void emulator_close(struct runner *r)
{
    struct emulator *m = r->own;
    struct error ignored = ERROR_INIT;
    if (m->folder) {
        (void)!remove_tree(m->folder, &ignored);
        cleanup_remove(m->folder);
    }
    error_release(&ignored);
    board_args_release(&m->command);
    free(m->folder);
    free(m->result);
    free(m);
}

static enum status emulator_put(struct runner *r, struct error *e)
{
    struct emulator *m = r->own;
    char *link = path_join(m->folder, PROGRAM);
    enum status s = OK;
    if (unlink(link) && errno != ENOENT)
        s = error_errno(e, AT_FILE(link), "cannot be replaced");
    else if (symlink(r->executable, link))
        s = error_errno(e, AT_FILE(link), "cannot be made");
    free(link);
    return s;
}

/* The line in which the emulator or the plugin says why nothing was run; NULL: none. */
static const char *complaint(const struct emulator *m, const struct str *messages)
{
    char *own = xasprintf("%s: ", path_basename(m->command.at[0]));
    const char *found = 0;
    for (const char *p = str_text(messages); p && *p && !found; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : 0)
        if (strncmp(p, "shimgen-iss: ", 13) == 0 || strncmp(p, own, strlen(own)) == 0)
            found = p;
    free(own);
    return found;
}

static enum status take_result(const struct emulator *m, const struct run_request *q, struct run_end *end,
                               struct error *e)
{
    if (!q->result || !file_exists(m->result))
        return OK;
    struct str text = STR_INIT;
    enum status s = OK;
    if (rename(m->result, q->result)) { /* on another file system */
        s = file_read(&text, m->result, FILE_LIMIT, e);
        if (!s)
            s = file_write(q->result, str_text(&text), text.len, e);
        if (!s)
            s = remove_tree(m->result, e);
    }
    str_release(&text);
    end->written = !s;
    return s;
}

/* The plugin's options, with the files that it is to write. */
static char *plugin_options(const struct runner *r, const char *options)
{
    if (!r->cycles)
        return xstrdup(options);
    char *own = double_commas(r->own_code), *to = double_commas(r->cycles);
    char *all = xasprintf("%s,cycles=%s,own=%s", options, to, own);
    free(to);
    free(own);
    return all;
}

static void make_argv(const struct runner *r, const struct run_request *q, struct board_args *argv)
{
    const struct emulator *m = r->own;
    for (size_t i = 0; i < m->command.n; i++) {
        char *word = m->plugin && i == m->plugin ? plugin_options(r, m->command.at[i]) : xstrdup(m->command.at[i]);
        board_args_add(argv, word);
        free(word);
    }
    board_args_add(argv, PROGRAM);
    for (const char *const *a = q->arguments; a && *a; a++)
        board_args_add(argv, *a);
}

static void make_environment(const struct run_request *q, struct board_args *environment)
{
    board_args_add(environment, "PATH=/usr/local/bin:/usr/bin:/bin");
    for (const char *const *v = q->environment; v && *v; v++)
        board_args_add(environment, *v);
    if (q->result_variable) {
        char *out = xasprintf("%s=%s", q->result_variable, RESULT);
        board_args_add(environment, out);
        free(out);
    }
}

static enum status emulator_run(struct runner *r, const struct run_request *q, struct run_end *end, struct error *e)
{
    struct emulator *m = r->own;
    struct board_args argv = {0, 0}, environment = {0, 0};
    make_argv(r, q, &argv);
    make_environment(q, &environment);
    struct proc p = {.argv = (const char *const *)argv.at,
                     .environment = (const char *const *)environment.at,
                     .only_environment = true,
                     .directory = m->folder,
                     .capture = true,
                     .timeout_s = q->timeout_s,
                     .cpu_limit_s = q->cpu_limit_s,
                     .cpu = q->core};
    struct proc_result result = PROC_RESULT_INIT;
    enum status s = remove_tree(m->result, e);
    if (!s)
        s = proc_run(&p, &result, e);
    end->exit_code = result.exit_code;
    end->signal = result.signal;
    end->timed_out = result.timed_out;
    end->wall_s = result.wall_s;
    end->cpu_s = result.cpu_s;
    str_add(&end->messages, str_text(&result.err));
    if (!s)
        s = take_result(m, q, end, e);
    const char *why = s || end->written || !result.exit_code ? 0 : complaint(m, &end->messages);
    if (why)
        s = error_set(e, ERR_SYSTEM, NOWHERE, "board '%s' cannot be run here: %.*s", r->b->name,
                      (int)strcspn(why, "\n"), why);
    proc_result_release(&result);
    board_args_release(&argv);
    board_args_release(&environment);
    return s;
}

const struct runner_kind runner_emulator = {emulator_open, emulator_close, emulator_put, emulator_run};
