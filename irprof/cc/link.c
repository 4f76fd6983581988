/* link.c - flags for compiling and linking counted programs. */
#include "irprof/cc/link.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"

/* The runtime's archive is linked whole, since a strong definition in an archive does not replace a weak one that is
 * already there. Its symbols are exported, so that shared libraries which the program loads use it and do not bring
 * their own. */
size_t link_flags(const char *words[LINK_WORDS], char **owned)
{
    *owned = resource_lib("libirprof_rt.a");
    const char *const all[] = {
        "-Wl,--whole-archive",
        *owned,
        "-Wl,--no-whole-archive",
        "-Wl,--export-dynamic-symbol=irprof_rt_*",
        "-Wl,--export-dynamic-symbol=shim_region_begin",
        "-Wl,--export-dynamic-symbol=shim_region_end",
        "-lpthread",
    };
    size_t n = sizeof all / sizeof *all;
    memcpy(words, all, sizeof all);
    return n;
}

/* Sleds need XRay's runtime, which clang links with -fxray-instrument. Programs with other stamps do not need it. */
size_t stamp_link_flags(const char *words[LINK_WORDS], char **owned)
{
    *owned = resource_lib("libirprof_stamp.a");
    const char *const all[] = {
        "-Wl,--whole-archive",
        *owned,
        "-Wl,--no-whole-archive",
        "-Wl,--export-dynamic-symbol=irprof_stamp_*",
        "-Wl,--export-dynamic-symbol=shim_stamp*",
        "-lpthread",
    };
    size_t n = sizeof all / sizeof *all;
    memcpy(words, all, sizeof all);
    return n;
}

size_t compile_flags(const char *words[LINK_WORDS], char **owned)
{
    char *header = resource_include("shim_region.h");
    char *slash = strrchr(header, '/');
    if (slash)
        *slash = 0;
    *owned = header;
    words[0] = "-idirafter"; /* -idirafter: a directory of the system keeps its place among the others */
    words[1] = header;
    return 2;
}
