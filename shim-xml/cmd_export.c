/* shim-xml export FILE */
#include <string.h>

#include "shim-xml/commands.h"
#include "shim-xml/shimxml.h"

struct options {
    const char *format, *core, *output;
    bool groups;
};

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    struct shimxml_doc *d = 0;
    bool latencies = strcmp(o->format, "latency-csv") == 0;
    if (o->groups && !latencies)
        return usage_error(e, "--groups goes with --format latency-csv");
    enum status s = shimxml_read(&d, args->argv[0], e);
    if (!s)
        s = shimxml_export(d, o->groups ? "latency-groups" : o->format, &(struct shimxml_units){.name = o->core},
                           o->output, e);
    shimxml_free(d);
    return s;
}

static const struct cli_option options[] = {
    {CLI_CHOICE, "format", 'f', "csv|json|latency-csv", "csv", "output format", offsetof(struct options, format)},
    {CLI_CHOICE, "to", 0, "csv|json|latency-csv", 0, 0, offsetof(struct options, format)},
    {CLI_TEXT, "core", 0, "GLOB", 0, "latency-csv: the first of these cores (default: the first with values)",
     offsetof(struct options, core)},
    {CLI_BOOL, "groups", 0, 0, 0, "latency-csv: write instructions of equal cost as one variable of '# grouping'",
     offsetof(struct options, groups)},
    {CLI_TEXT, "output", 'o', "FILE", "-", "write the file here", offsetof(struct options, output)},
    {0},
};
const struct cli_command cmd_export = {
    .name = "export",
    .synopsis = "export FILE [options]",
    .summary = "Converts a SHIM file to a table of all values, to JSON, or to the latency CSV of the SHIM 2.0 tools.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
