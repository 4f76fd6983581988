/* quick.c - the programs that a quick build uses. */
#include "shimgen/units/quick.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"

char *quick_programs(struct error *e)
{
    struct str text = STR_INIT, globs = STR_INIT;
    char *path = resource_share("samples/quick.txt");
    enum status s = file_read(&text, path, FILE_LIMIT, e);
    for (char *line = s ? 0 : strtok(text.s, "\n"); line; line = strtok(0, "\n"))
        if (*line != '#')
            str_addf(&globs, "%s%s", globs.len ? "," : "", line);
    if (!s && !globs.len)
        error_set(e, ERR_INPUT, AT_FILE(path), "no program is named here");
    free(path);
    str_release(&text);
    if (globs.len)
        return str_detach(&globs);
    str_release(&globs);
    return 0;
}
