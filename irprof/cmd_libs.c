/* cmd_libs.c - irprof libs: prints the flags to link a counted program with. */
#include <stdio.h>
#include <stdlib.h>

#include "irprof/commands.h"
#include "irprof/cc/link.h"

static enum status run(const void *options, const struct cli_args *args, struct error *e)
{
    (void)options, (void)args, (void)e;
    const char *words[LINK_WORDS];
    char *owned;
    size_t n = link_flags(words, &owned);
    for (size_t i = 0; i < n; i++)
        printf("%s%s", i ? " " : "", words[i]);
    putchar('\n');
    free(owned);
    return OK;
}

const struct cli_command cmd_libs = {
    .name = "libs",
    .synopsis = "libs",
    .summary = "Prints the flags to link instrumented programs with (programs, not shared libraries).",
    .run = run,
};
