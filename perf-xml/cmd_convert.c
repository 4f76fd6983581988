/* perf-xml convert FILE... */
#include <string.h>

#include "base/str.h"
#include "perf-xml/commands.h"
#include "perf-xml/perfxml.h"
#include "perf-xml/template/template.h"

struct options {
    const char *output, *to, *items;
    bool indent, gzip;
};

static enum perf_format format_of(const char *name)
{
    static const char *const names[] = {[PERF_XML] = "xml", [PERF_CSV] = "csv", [PERF_JSON] = "json"};
    for (enum perf_format i = PERF_XML; i < PERF_CUBEX; i++)
        if (strcmp(name, names[i]) == 0)
            return i;
    return PERF_CUBEX;
}

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    struct perf_layout layout = {.format = format_of(o->to), .indent = o->indent};
    layout.gzip = o->gzip || (o->output && text_ends(o->output, ".gz"));
    if (o->indent && layout.format != PERF_XML)
        return usage_error(e, "--indent is for XML");
    struct perf_sink *to = 0;
    enum status s = perf_writer_open(&to, o->output, &layout, e);
    if (!s)
        s = perf_read_all(args->argv, (size_t)args->argc, o->items, to, e);
    if (s)
        perf_writer_abort(to);
    else
        s = perf_writer_commit(to, e);
    return s;
}

static const struct cli_option options[] = {
    {CLI_TEXT, "output", 'o', "FILE", 0, "write here, whole or not at all (default: standard output); .gz packs",
     offsetof(struct options, output)},
    {CLI_CHOICE, "to", 0, "xml|csv|json|cubex", "xml", "what is written", offsetof(struct options, to)},
    {CLI_CHOICE, "items", 0, "auto|none|" TEMPLATE_NAMES, "auto",
     "the source that named the events: it decides which items the template makes; none: only events",
     offsetof(struct options, items)},
    {CLI_BOOL, "indent", 0, 0, 0, "XML with a line for each element (default: compact)",
     offsetof(struct options, indent)},
    {CLI_BOOL, "gzip", 0, 0, 0, "pack it, whatever its name", offsetof(struct options, gzip)},
    {0},
};
const struct cli_command cmd_convert = {
    .name = "convert",
    .synopsis = "convert FILE... [-o OUT] [options]",
    .summary = "Writes profiles, joined, as performance XML, JSON, CSV or .cubex.",
    .details = "Values of a call path are its own, without what it calls; the value of an item is that of the whole\n"
               "thread. A call path whose value is 0 has no item. The processes of several files are numbered "
               "consecutively; the "
               "JSON of\n"
               "irprof and shimgen and what perf stat and likwid print are one process each, or one for each program.\n"
               ".cubex has the events alone: Cube adds up what it shows, and rates cannot be added.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = -1,
    .run = run,
};
