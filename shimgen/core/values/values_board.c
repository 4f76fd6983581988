/* values_board.c - for `compiled` with a SHIM file alone: a core's model file made of the file's values. */
#include "shimgen/core/values/values_board.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/file.h"
#include "shimgen/core/values/values_core.h"

enum status values_board(char **path, const char *shim, const char *core, struct error *e)
{
    char *target = NULL, *cpu = NULL, *folder = NULL;
    struct str text = STR_INIT;
    *path = NULL;
    enum status s = values_core_target(&target, &cpu, shim, core, e);
    if (!s && !target)
        s = error_set(e, ERR_INPUT, AT_FILE(shim),
                      "it does not say what to compile for: name a board with timing data by --board, or make the core "
                      "by 'shimgen core %s --target TRIPLE --cpu NAME -o core.ini' and give --core core.ini",
                      shim);
    if (!s)
        s = values_core_text(&text, &(struct values_core){.shim = shim, .core = core, .target = target, .cpu = cpu}, e);
    if (!s)
        s = temp_directory(&folder, "shimgen-core", e);
    if (!s) {
        *path = path_join(folder, "core.ini");
        s = core_text_write(&text, *path, e);
    }
    str_release(&text);
    free(folder);
    free(cpu);
    free(target);
    return s;
}
