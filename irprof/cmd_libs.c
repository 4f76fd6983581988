/* cmd_libs.c - irprof libs: prints the flags to link a counted program with. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "irprof/commands.h"
#include "irprof/cc/link.h"

struct options {
    bool stamp;
};

static const struct cli_option options[] = {
    {CLI_BOOL, "stamp", 0, 0, 0, "for programs with stamps ('irprof stamp'), not counters",
     offsetof(struct options, stamp)},
    {0},
};

static enum status run(const void *given, const struct cli_args *args, struct error *e)
{
    (void)args, (void)e;
    const struct options *o = given;
    const char *words[LINK_WORDS];
    char *owned;
    size_t n = o->stamp ? stamp_link_flags(words, &owned) : link_flags(words, &owned);
    for (size_t i = 0; i < n; i++)
        printf("%s%s", i ? " " : "", words[i]);
    putchar('\n');
    free(owned);
    return OK;
}

const struct cli_command cmd_libs = {
    .name = "libs",
    .synopsis = "libs [--stamp]",
    .summary = "Prints the flags to link instrumented programs with (programs, not shared libraries).",
    .options = options,
    .options_size = sizeof(struct options),
    .run = run,
};
