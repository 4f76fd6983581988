/* cmd_cflags.c - irprof cflags: prints the flags to compile a counted program with. */
#include <stdio.h>
#include <stdlib.h>

#include "irprof/commands.h"
#include "irprof/cc/link.h"

static enum status run(const void *options, const struct cli_args *args, struct error *e)
{
    (void)options, (void)args, (void)e;
    const char *words[LINK_WORDS];
    char *owned;
    size_t n = compile_flags(words, &owned);
    printf("-g");
    for (size_t i = 0; i < n; i++)
        printf(" %s", words[i]);
    putchar('\n');
    free(owned);
    return OK;
}

const struct cli_command cmd_cflags = {
    .name = "cflags",
    .synopsis = "cflags",
    .summary = "Prints the flags to compile programs with: the folder of shim_region.h, and -g for source lines.",
    .run = run,
};
