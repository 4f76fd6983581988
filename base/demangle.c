/* demangle.c - the border to libiberty, whose demangler GNU's binutils use. Its header declares xstrdup as base/alloc.h
 * does, but another xmemdup, so no file can include both. */
#include "base/demangle.h"

#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

#define MOST 4096 /* characters; demangled names grow, and nobody reads longer ones */

char *demangle(const char *name)
{
    if (strncmp(name, "_Z", 2) != 0)
        return xstrdup(name); /* a name of C */
    char *text = strlen(name) < MOST ? cplus_demangle_v3(name, DMGL_PARAMS | DMGL_ANSI) : 0;
    char *copy = xstrdup(text ? text : name);
    free(text);
    return copy;
}
