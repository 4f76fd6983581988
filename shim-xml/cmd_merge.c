/* shim-xml merge SHIM.xml MODEL.json|OTHER.xml */
#include <string.h>

#include "shim-xml/commands.h"
#include "shim-xml/shimxml.h"

struct options {
    struct shimxml_units which;
    const char *output, *only, *by, *what, *values;
    double clock;
};

static unsigned parts(const char *what)
{
    return strcmp(what, "instructions") == 0  ? SHIMXML_OF_INSTRUCTIONS
           : strcmp(what, "accesses") == 0    ? SHIMXML_OF_ACCESSES
           : strcmp(what, "connections") == 0 ? SHIMXML_OF_CONNECTIONS
                                              : 0;
}

static enum status merge(struct shimxml_doc *d, const struct options *o, const char *path, struct error *e)
{
    struct shimxml_units which = o->which;
    which.only = !o->only ? 0 : strcmp(o->only, "pitch") == 0 ? "Pitch" : "Latency";
    which.what = parts(o->what);
    if (!o->by)
        return shimxml_merge_values(d, path, o->values, &which, e);
    struct shimxml_doc *from = 0;
    enum status s = shimxml_read(&from, path, e);
    if (!s)
        s = shimxml_merge_shim(d, from, strcmp(o->by, "core") == 0 ? "name" : o->by, &which, e);
    shimxml_free(from);
    return s;
}

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    struct shimxml_doc *d = 0;
    if (o->by && o->values)
        return usage_error(e, "--values goes with a model, --by with a SHIM file");
    if (!o->by && strcmp(o->what, "all") != 0)
        return usage_error(e, "--what goes with --by: a model has values of instructions only");
    if (o->clock < 0)
        return usage_error(e, "--clock: %g Hz cannot be", o->clock);
    enum status s = shimxml_read(&d, args->argv[0], e);
    if (!s)
        s = merge(d, o, args->argv[1], e);
    if (!s && o->clock > 0 && shimxml_is(shimxml_root(d), "Shim"))
        s = usage_error(e, "--clock is for SHIM 1.0; in SHIM 2.0 set the frequency of an OperatingPoint");
    if (!s && o->clock > 0)
        shimxml_set_clock(d, o->clock);
    if (!s)
        s = shimxml_write(d, o->output, e);
    shimxml_free(d);
    return s;
}

static const struct cli_option options[] = {
    UNIT_OPTIONS(struct options),
    {CLI_CHOICE, "only", 0, "pitch|latency", 0, "write only these values; the others stay",
     offsetof(struct options, only)},
    {CLI_CHOICE, "by", 0, "core|arch|id", 0,
     "take the values from a SHIM file, from its unit with the same name, arch or id", offsetof(struct options, by)},
    {CLI_CHOICE, "what", 0, "all|instructions|accesses|connections", "all",
     "with --by: values of instructions, memory accesses, connections", offsetof(struct options, what)},
    {CLI_TEXT, "values", 0, "FILE", 0, "table of values for instructions without evidence in the model",
     offsetof(struct options, values)},
    {CLI_REAL, "clock", 0, "HZ", 0, "clock whose cycles the values are in (default: the file's own)",
     offsetof(struct options, clock)},
    {CLI_TEXT, "output", 'o', "FILE", "-", "write the file here", offsetof(struct options, output)},
    {0},
};
const struct cli_command cmd_merge = {
    .name = "merge",
    .synopsis = "merge SHIM.xml MODEL.json|OTHER.xml [options]",
    .summary = "Writes the instruction values of a fitted model, or all values of another SHIM file, into a SHIM file.",
    .details =
        "From a model, every LLVM instruction gets a Latency (from instructions with an operand that is the result\n"
        "of the one before) and a Pitch (from all others). An instruction without evidence takes its value from\n"
        "the table (--values), otherwise from its class; a comment in the file names these instructions.\n"
        "From a SHIM file (--by), each unit takes the values of the corresponding unit. Accesses correspond by\n"
        "memory, rwType and accessByteSize, connections by their channel and both ends.\n"
        "Everything else in the file stays as it is, including comments.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 2,
    .max_args = 2,
    .run = run,
};
