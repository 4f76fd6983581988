/* The border to libiberty, which GNU's binutils demangle with. Its header declares xstrdup as base/alloc.h does, but
 * not xmemdup: the two do not go together in one file. */
#include "base/demangle.h"

#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

#define MOST 4096 /* letters: names grow when they are demangled, and no person reads a longer one */

char *demangle(const char *name)
{
    if (strncmp(name, "_Z", 2) != 0)
        return xstrdup(name); /* of C */
    char *text = strlen(name) < MOST ? cplus_demangle_v3(name, DMGL_PARAMS | DMGL_ANSI) : 0;
    char *copy = xstrdup(text ? text : name);
    free(text);
    return copy;
}
