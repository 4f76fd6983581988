/* headers.c - adds to a plan the headers that debug information names and no code is of. */
#include "irprof/debug/headers.h"

#include <string.h>

#include "irprof/debug/debug_nodes.h"

static bool is_header(const char *path)
{
    static const char *const endings[] = {".h", ".hh", ".hpp", ".hxx", ".h++", ".H"};
    static const char *const system[] = {"/usr/include/", "/usr/lib/", "/usr/lib64/"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; i < sizeof system / sizeof *system; i++)
        if (strncmp(path, system[i], strlen(system[i])) == 0)
            return false;
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcmp(dot, endings[i]) == 0)
            return true;
    return false;
}

void plan_headers(struct plan *plan, LLVMModuleRef module)
{
    struct map files = {0};
    debug_names(module, &files, 0);
    for (size_t i = 0; i < files.n; i++) {
        if (!is_header(files.keys[i]) || map_get(&plan->files, files.keys[i], 0))
            continue;
        map_number(&plan->files, files.keys[i]);
        vec_push(&plan->checksums, (char *)0);
    }
    map_release(&files);
}
