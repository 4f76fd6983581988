/* board.c - descriptions of boards: finds and loads them, and applies changes for one run. */
#include "boards/boards.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/llvm_programs.h"
#include "base/str.h"
#include "base/target.h"
#include "boards/description/core_board.h"
#include "boards/description/keys.h"
#include "boards/description/left_out.h"

static struct board *board_new(const char *path, const char *name, const char *folder)
{
    struct board *b = xcalloc(1, sizeof *b);
    b->path = xstrdup(path);
    b->folder = xstrdup(folder);
    b->name = xstrdup(name);
    b->title = xstrdup(name);
    b->compiler = xstrdup(CLANG_PROGRAM);
    b->remote_folder = xstrdup("/tmp");
    char **texts[] = {&b->target,      &b->cpu,          &b->ssh,          &b->emulator, &b->emulator_cpu,
                      &b->model,       &b->count_target, &b->measurements, &b->skeleton, &b->packages,
                      &b->part.device, &b->part.port,    &b->part.script};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = xstrdup("");
    char ***lists[] = {&b->link_flags,     &b->ssh_options,  &b->count_command, &b->count_flags,
                       &b->count_simulate, &b->part.command, &b->part.reset,    &b->left_out};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        *lists[i] = words_of("", " ");
    b->part.start = xstrdup("none");
    b->part.linker = words_of("ld.lld-19", " ");
    b->part.retries = 2;
    b->part.baud = 115200;
    b->part.stack = 4096;
    b->runs = 100;
    b->extra_runs = 200;
    b->least_runs = 20;
    b->timeout_s = 60;
    b->core = -1;
    b->raise_priority = true;
    return b;
}

void board_free(struct board *b)
{
    if (!b)
        return;
    levels_clear(b);
    origins_clear(b);
    for (size_t i = 0; i < b->n_events; i++) {
        free(b->events[i].name);
        free(b->events[i].spec);
    }
    free(b->events);
    words_free(b->link_flags);
    words_free(b->ssh_options);
    words_free(b->count_command);
    words_free(b->count_flags);
    words_free(b->count_simulate);
    words_free(b->part.command);
    words_free(b->part.reset);
    words_free(b->part.linker);
    words_free(b->left_out);
    char *texts[] = {b->path,         b->folder,      b->name,         b->title,         b->target,
                     b->cpu,          b->compiler,    b->ssh,          b->remote_folder, b->emulator,
                     b->emulator_cpu, b->model,       b->count_target, b->measurements,  b->skeleton,
                     b->packages,     b->part.device, b->part.port,    b->part.script,   b->part.start};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
    free(b);
}

static enum status no_such_board(const char *name, struct error *e)
{
    char **names = 0;
    size_t n = 0;
    struct str all = STR_INIT;
    struct error ignored = ERROR_INIT;
    if (board_list(&names, &n, &ignored) == OK)
        for (size_t i = 0; i < n; i++) {
            str_addf(&all, "%s%s", i ? ", " : "", names[i]);
            free(names[i]);
        }
    free(names);
    error_release(&ignored);
    error_set(e, ERR_INPUT, NOWHERE, "no board '%s'; there are: %s; or give the path of a board's folder", name,
              str_text(&all));
    str_release(&all);
    return ERR_INPUT;
}

/* ---- loading ---- */

/* The folder's name for ".../NAME/board.ini"; for any other file its own name without ".ini". */
static char *name_of(const char *ini_path)
{
    char *absolute = realpath(ini_path, 0);
    char *copy = xstrdup(absolute ? absolute : ini_path);
    const char *base = path_basename(copy);
    char *slash = strrchr(copy, '/');
    if (strcmp(base, "board.ini") == 0 && slash) {
        *slash = 0;
        base = path_basename(copy);
    } else if (strrchr(copy, '.') > slash) {
        *strrchr(copy, '.') = 0;
    }
    char *name = xstrdup(*base ? base : "board");
    free(copy);
    free(absolute);
    return name;
}

static char *folder_of(const char *path)
{
    const char *base = path_basename(path);
    return base == path ? xstrdup(".") : xstrndup(path, base - path > 1 ? (size_t)(base - path) - 1 : 1);
}

/* The path of the board.ini that is meant. NULL: no board has this name. */
static char *find_ini(const char *name_or_path)
{
    const char *n = name_or_path;
    if (strchr(n, '/') || strcmp(n, ".") == 0 || strcmp(n, "..") == 0)
        return file_is_directory(n) ? path_join(n, "board.ini") : xstrdup(n);
    char *relative = xasprintf("boards/%s/board.ini", n);
    char *path = resource_share(relative);
    if (!file_exists(path)) {
        free(path);
        path = xasprintf("./%s/board.ini", n);
    }
    free(relative);
    if (file_exists(path))
        return path;
    free(path);
    return 0;
}

/* Sets *to to the path of a file beside board.ini, if that exists. */
static void find_beside(const struct board *b, char **to, const char *name)
{
    char *path = path_join(b->folder, name);
    if (file_exists(path))
        text_set(to, path);
    free(path);
}

static enum status read_board(struct board *b, struct error *e)
{
    struct ini *ini = 0;
    enum status s = ini_read(&ini, b->path, e);
    if (s)
        return s;
    if (core_board_is(ini)) {
        struct ini *core = ini;
        ini = 0;
        s = core_board_describe(&ini, core, e);
        ini_free(core);
    }
    if (!s)
        s = keys_read(b, ini, e);
    ini_free(ini);
    if (!*b->skeleton)
        find_beside(b, &b->skeleton, "skeleton.shim.xml");
    find_beside(b, &b->packages, "packages.txt");
    if (!s)
        s = left_out_read(b, e);
    return s;
}

enum status board_load(struct board **out, const char *name_or_path, struct error *e)
{
    char *path = find_ini(name_or_path);
    if (!path)
        return no_such_board(name_or_path, e);
    char *name = name_of(path), *folder = folder_of(path);
    struct board *b = board_new(path, name, folder);
    free(folder);
    free(name);
    free(path);
    enum status s = read_board(b, e);
    if (s) {
        board_free(b);
        return s;
    }
    *out = b;
    return OK;
}

enum status board_list(char ***names, size_t *n, struct error *e)
{
    char **all = 0;
    size_t count = 0, kept = 0;
    char *folder = resource_share("boards");
    enum status s = list_directory(&all, &count, folder, e);
    for (size_t i = 0; i < count && !s; i++) {
        char *relative = xasprintf("%s/%s/board.ini", folder, all[i]);
        if (file_exists(relative))
            all[kept++] = all[i];
        else
            free(all[i]);
        free(relative);
    }
    free(folder);
    if (s)
        return s;
    *names = all;
    *n = kept;
    return OK;
}

/* ---- derived values ---- */

bool board_is_core(const struct board *b)
{
    return *b->model && strcmp(path_basename(b->model), path_basename(b->path)) == 0;
}

bool board_is_bare(const struct board *b)
{
    return b->part.ram > 0 && target_find(b->target)->code_unit > 0;
}

const char *board_target(const struct board *b)
{
    return *b->count_target ? b->count_target : b->target;
}

char *board_measurements_path(const struct board *b)
{
    if (*b->measurements == '/' || file_exists(b->measurements))
        return xstrdup(b->measurements);
    char *beside = path_join(b->folder, b->measurements);
    if (file_exists(beside))
        return beside;
    free(beside);
    return xstrdup(b->measurements);
}
