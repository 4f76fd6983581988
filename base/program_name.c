/* program_name.c - names of measured programs: the one parser of "set/program@level". */
#include "base/program_name.h"

#include <string.h>

#include "base/alloc.h"

struct program_name program_name(const char *text, size_t n)
{
    const char *slash = memrchr(text, '/', n);
    struct program_name p = {.text = text, .base = slash ? slash + 1 : text};
    const char *at = memchr(p.base, '@', (size_t)(text + n - p.base));
    p.level = at ? at + 1 : NULL;
    p.n_program = at ? (size_t)(at - text) : n;
    p.n_base = (size_t)(text + p.n_program - p.base);
    const char *first = memchr(text, '/', p.n_program);
    p.n_set = first ? (size_t)(first - text) : 0;
    return p;
}

static struct program_name whole(const char *name)
{
    return program_name(name, strlen(name));
}

char *program_without_level(const char *name)
{
    return xstrndup(name, whole(name).n_program);
}

bool program_is(const char *name, const char *program)
{
    size_t n = whole(name).n_program;
    return strncmp(name, program, n) == 0 && !program[n];
}

const char *program_level(const char *name)
{
    return whole(name).level;
}

char *program_at_level(const char *program, const char *level)
{
    return xasprintf("%s@%s", program, level);
}
