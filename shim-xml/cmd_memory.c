/* shim-xml memory SHIM.xml MEMORY.csv */
#include "shim-xml/commands.h"
#include "shim-xml/shimxml.h"

struct options {
    const char *output;
};

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    struct shimxml_doc *d = 0;
    enum status s = shimxml_read(&d, args->argv[0], e);
    if (!s)
        s = shimxml_memory(d, args->argv[1], e);
    if (!s)
        s = shimxml_write(d, o->output, e);
    shimxml_free(d);
    return s;
}

static const struct cli_option options[] = {
    {CLI_TEXT, "output", 'o', "FILE", "-", "write the file here", offsetof(struct options, output)},
    {0},
};
const struct cli_command cmd_memory = {
    .name = "memory",
    .synopsis = "memory SHIM.xml MEMORY.csv [options]",
    .summary = "Writes the costs of memory accesses and of messages between cores into a SHIM file.",
    .details =
        "The table is the memory.csv of 'shimgen build'. Every Accessor of a processing unit gets a Performance\n"
        "for each of the unit's AccessTypes: first for the memory itself, then for each cache level. Pairs of\n"
        "cores get a Connection. Cores are identified by their pid; cores of the same kind get the same values.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 2,
    .max_args = 2,
    .run = run,
};
