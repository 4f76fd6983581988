/* cmd_merge.c - irprof merge: adds up profiles of several runs. */
#include <stddef.h>

#include "base/file.h"
#include "irprof/commands.h"
#include "irprof/profile/container.h"

struct options {
    const char *out;
};

static const struct cli_option options[] = {
    {CLI_TEXT, "output", 'o', "FILE", 0, "write the merged profile here", offsetof(struct options, out)},
    {0},
};

static enum status run(const void *given, const struct cli_args *args, struct error *e)
{
    const struct options *o = given;
    if (!o->out)
        return usage_error(e, "say where to write with -o FILE");
    struct container sum;
    enum status s = container_read(&sum, args->argv[0], e);
    if (s)
        return s;
    for (int i = 1; i < args->argc && !s; i++) {
        struct container one;
        s = container_read(&one, args->argv[i], e);
        if (s)
            break;
        s = container_add(&sum, &one, e);
        container_release(&one);
    }
    if (!s) {
        struct str bytes = STR_INIT;
        container_format(&bytes, &sum);
        s = file_write(o->out, bytes.s, bytes.len, e);
        str_release(&bytes);
    }
    container_release(&sum);
    return s;
}

const struct cli_command cmd_merge = {
    .name = "merge",
    .synopsis = "merge PROFILE... -o FILE",
    .summary = "Adds up the profiles of several runs of one program.",
    .details = "Refuses profiles of another program, or of another build of the same program.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = -1,
    .run = run,
};
