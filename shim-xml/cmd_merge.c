/* shim-xml merge SKELETON MODEL.json */
#include "shim-xml/commands.h"
#include "shim-xml/shimxml.h"

struct options {
    const char *output, *core, *arch, *values;
    double clock;
};

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    struct shimxml_doc *d = 0;
    if (o->clock < 0)
        return usage_error(e, "--clock: %g Hz cannot be", o->clock);
    enum status s = shimxml_read(&d, args->argv[0], e);
    if (!s)
        s = shimxml_merge_values(d, args->argv[1], o->values, &(struct shimxml_units){o->core, o->arch}, e);
    if (!s && o->clock > 0)
        shimxml_set_clock(d, o->clock);
    if (!s)
        s = shimxml_write(d, o->output, e);
    shimxml_free(d);
    return s;
}

static const struct cli_option options[] = {
    {CLI_TEXT, "core", 0, "GLOB", 0, "only processing units whose name matches (default: all)",
     offsetof(struct options, core)},
    {CLI_TEXT, "arch", 0, "GLOB", 0, "only processing units whose arch matches (default: all)",
     offsetof(struct options, arch)},
    {CLI_TEXT, "values", 0, "FILE", 0, "table of values for instructions without evidence in the model",
     offsetof(struct options, values)},
    {CLI_REAL, "clock", 0, "HZ", 0, "clock whose cycles the values are (default: the file's own)",
     offsetof(struct options, clock)},
    {CLI_TEXT, "output", 'o', "FILE", "-", "where the file goes", offsetof(struct options, output)},
    {0},
};
const struct cli_command cmd_merge = {
    .name = "merge",
    .synopsis = "merge SHIM.xml MODEL.json [options]",
    .summary = "Gives the cores of a SHIM file the instruction values of a fitted model.",
    .details =
        "Every LLVM instruction gets a Latency (instructions whose operand is the result of the one before) and a\n"
        "Pitch (all others). An instruction without evidence takes the value that the table says (--values), else "
        "that\n"
        "of its class; a comment in the file names those. What merge does not touch stays as it is, comments too.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 2,
    .max_args = 2,
    .run = run,
};
