/* kept_ir.c - keeps the IR of counted programs, and finds it for their profiles. */
#include "shimgen/estimate/kept_ir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"

enum { MOST_MODULES = 1000 };

char *kept_ir_folder(const char *path)
{
    return xasprintf("%s.ir", path);
}

static char *module_path(const char *folder, size_t i, const char *suffix)
{
    return xasprintf("%s/%03zu%s", folder, i, suffix);
}

static enum status copy(const char *from, const char *to, struct error *e)
{
    struct str bytes = STR_INIT;
    enum status s = file_read(&bytes, from, FILE_LIMIT, e);
    if (!s)
        s = file_write(to, str_text(&bytes), bytes.len, e);
    str_release(&bytes);
    return s;
}

static enum status copy_all(const char *folder, const char *const *files, struct error *e)
{
    enum status s = make_directories(folder, e);
    for (size_t i = 0; files[i] && !s; i++) {
        if (i == MOST_MODULES)
            return error_set(e, ERR_UNSUPPORTED, AT_FILE(folder), "more than %d modules are not kept", MOST_MODULES);
        const char *dot = strrchr(files[i], '.');
        char *to = module_path(folder, i, dot && strcmp(dot, ".ll") == 0 ? ".ll" : ".bc");
        s = copy(files[i], to, e);
        free(to);
    }
    return s;
}

enum status kept_ir_write(const char *path, const char *const *files, struct error *e)
{
    char *folder = kept_ir_folder(path), *fresh = xasprintf("%s.new", folder);
    enum status s = file_exists(fresh) ? remove_tree(fresh, e) : OK;
    if (!s)
        s = copy_all(fresh, files, e);
    if (!s && file_exists(folder))
        s = remove_tree(folder, e);
    if (!s && rename(fresh, folder))
        s = error_errno(e, AT_FILE(folder), "cannot be made");
    free(fresh);
    free(folder);
    return s;
}

static bool add_from(struct board_args *modules, const char *folder)
{
    static const char *const suffixes[] = {".bc", ".ll"};
    size_t n = modules->n;
    for (size_t i = 0; i < MOST_MODULES; i++) {
        size_t before = modules->n;
        for (size_t k = 0; k < 2; k++) {
            char *path = module_path(folder, i, suffixes[k]);
            if (modules->n == before && file_exists(path))
                board_args_add(modules, path);
            free(path);
        }
        if (modules->n == before)
            break;
    }
    return modules->n > n;
}

void kept_ir_find(struct board_args *modules, const struct irprof_profile *p)
{
    const char *base = path_basename(p->path);
    char *program = xasprintf("%.*s%s", (int)(base - p->path), p->path, p->program);
    char *beside = kept_ir_folder(p->path), *with = kept_ir_folder(program);
    if (!add_from(modules, beside))
        add_from(modules, with);
    free(beside);
    free(with);
    free(program);
}
