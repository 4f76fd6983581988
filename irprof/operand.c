/* operand.c - parses the [NAME=]PROFILE operands of irprof table. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "irprof/commands.h"

static enum status read_one(struct operand *o, const char *text, struct error *e)
{
    const char *equals = strchr(text, '=');
    /* a file may have a '=' in its own name */
    if (!equals || equals == text || file_exists(text)) {
        enum status s = irprof_read(&o->profile, text, e);
        if (!s)
            o->name = xstrdup(o->profile->program);
        return s;
    }
    o->name = xstrndup(text, (size_t)(equals - text));
    return irprof_read(&o->profile, equals + 1, e);
}

enum status operands_read(struct operand **out, const struct cli_args *args, struct error *e)
{
    struct operand *o = xcalloc((size_t)args->argc, sizeof *o);
    for (int i = 0; i < args->argc; i++) {
        enum status s = read_one(&o[i], args->argv[i], e);
        if (s) {
            operands_free(o, (size_t)args->argc);
            return s;
        }
    }
    *out = o;
    return OK;
}

void operands_free(struct operand *o, size_t n)
{
    for (size_t i = 0; o && i < n; i++) {
        free(o[i].name);
        irprof_free(o[i].profile);
    }
    free(o);
}
