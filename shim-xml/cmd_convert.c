/* shim-xml convert FILE --to 2.0 */
#include "shim-xml/commands.h"
#include "shim-xml/shimxml.h"

struct options {
    const char *to, *output;
};

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    struct shimxml_doc *d = 0, *converted = 0;
    enum status s = shimxml_read(&d, args->argv[0], e);
    if (!s)
        s = shimxml_convert(&converted, d, e);
    if (!s)
        s = shimxml_write(converted, o->output, e);
    shimxml_free(converted);
    shimxml_free(d);
    return s;
}

static const struct cli_option options[] = {
    {CLI_CHOICE, "to", 0, "2.0", "2.0", "version of SHIM", offsetof(struct options, to)},
    {CLI_TEXT, "output", 'o', "FILE", "-", "where the file goes", offsetof(struct options, output)},
    {0},
};
const struct cli_command cmd_convert = {
    .name = "convert",
    .synopsis = "convert FILE [options]",
    .summary = "Writes a SHIM 1.0 file as SHIM 2.0 (IEEE 2804).",
    .details =
        "Valid by the official schema if the file is valid and has no negative sizes. What a level of cache costs\n"
        "('shim-xml memory') becomes a PerformanceSet with cacheRef. Of several kinds of communication one stays.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
