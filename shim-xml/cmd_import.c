/* shim-xml import SHIM.xml LATENCY.csv */
#include <stdio.h>
#include <stdlib.h>

#include "shim-xml/commands.h"
#include "shim-xml/shimxml.h"

struct options {
    struct shimxml_units which;
    const char *output;
};

static void warn(const struct shimxml_doc *d, const struct shimxml_units *which)
{
    char *archs = shimxml_import_doubts(d, which);
    if (archs)
        fprintf(stderr,
                "shim-xml: warning: cores of several architectures have the same values now: %s; --core or --arch "
                "names those that the table is for\n",
                archs);
    free(archs);
}

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    struct shimxml_doc *d = 0;
    enum status s = shimxml_read(&d, args->argv[0], e);
    if (!s)
        s = shimxml_import(d, args->argv[1], &o->which, e);
    if (!s)
        s = shimxml_write(d, o->output, e);
    if (!s)
        warn(d, &o->which);
    shimxml_free(d);
    return s;
}

static const struct cli_option options[] = {
    UNIT_OPTIONS(struct options),
    {CLI_TEXT, "output", 'o', "FILE", "-", "write the file here", offsetof(struct options, output)},
    {0},
};
const struct cli_command cmd_import = {
    .name = "import",
    .synopsis = "import SHIM.xml LATENCY.csv [options]",
    .summary = "Writes the values of a latency CSV of the SHIM 2.0 tools into the cores of a SHIM file.",
    .details =
        "Rows after '# performance' are name,typical or name,input bits,output bits,typical[,best,worst]. A name\n"
        "with _d is a Latency, any other a Pitch. A name of '# grouping' stands for all instructions of its group.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 2,
    .max_args = 2,
    .run = run,
};
