/* section.c - names and source places in a report, as people read them. */
#include "irprof/report/section.h"

#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "base/str.h"

const struct irprof_region *section_region(const struct section *s)
{
    return &s->profile->regions[s->region];
}

const char *section_file(const struct section *s, uint32_t file)
{
    return file == IRPROF_NONE ? "" : s->profile->files[file];
}

const char *section_function(const struct section *s, uint32_t function)
{
    return function == IRPROF_NONE ? "" : s->profile->functions[function].name;
}

char *section_words(const struct section *s, uint32_t function)
{
    const char *name = section_function(s, function);
    return s->mangled ? xstrdup(name) : demangle(name);
}

char *section_readable(const struct section *s, uint32_t function)
{
    char *words = section_words(s, function);
    if (strcmp(words, section_function(s, function)) != 0)
        return words;
    free(words);
    return 0;
}

char *section_place(const struct section *s, uint32_t file, uint32_t line)
{
    if (file == IRPROF_NONE)
        return xstrdup("(no line)");
    return line ? xasprintf("%s:%u", section_file(s, file), line) : xasprintf("%s (no line)", section_file(s, file));
}
