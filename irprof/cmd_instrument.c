#include <stddef.h>

#include "irprof/commands.h"
#include "irprof/instrument.h"

struct options {
    const char *out;
    const char *counters;
};

static const struct cli_option options[] = {
    {CLI_TEXT, "output", 'o', "OUT", 0, "write here: bitcode, or text if the name ends in .ll",
     offsetof(struct options, out)},
    {CLI_CHOICE, "counters", 0, "thread|atomic|plain", "thread",
     "thread: each thread its own; atomic: one set for all; plain: one set, for programs with one thread",
     offsetof(struct options, counters)},
    {0},
};

static enum status run(const void *given, const struct cli_args *args, struct error *e)
{
    const struct options *o = given;
    if (!o->out)
        return usage_error(e, "say where to write with -o OUT");
    struct instrument_options given_options = {0};
    int used;
    enum status s = instrument_option(&given_options, "--counters", o->counters, &used, e);
    return s ? s : instrument_file(args->argv[0], o->out, &given_options, e);
}

const struct cli_command cmd_instrument = {
    .name = "instrument",
    .synopsis = "instrument IN -o OUT [options]",
    .summary = "Puts counters into LLVM IR (bitcode or text; '-' is standard input).",
    .details = "Compile OUT with -Xclang -disable-llvm-passes, so that it stays as it was optimised, and link it with\n"
               "what 'irprof libs' prints.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
