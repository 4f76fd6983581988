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
    {CLI_CHOICE, "counters", 0, "auto|atomic|plain", "auto",
     "atomic: exact in threads; plain: cheaper; auto: atomic on 64-bit targets", offsetof(struct options, counters)},
    {0},
};

static enum status run(const void *given, const struct cli_args *args, struct error *e)
{
    const struct options *o = given;
    if (!o->out)
        return usage_error(e, "say where to write with -o OUT");
    enum instrument_counters kind;
    if (!instrument_kind(&kind, o->counters))
        BUG("the option parser lets '%s' through", o->counters);
    return instrument_file(args->argv[0], o->out, kind, e);
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
