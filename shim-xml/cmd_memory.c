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
    {CLI_TEXT, "output", 'o', "FILE", "-", "where the file goes", offsetof(struct options, output)},
    {0},
};
const struct cli_command cmd_memory = {
    .name = "memory",
    .synopsis = "memory SHIM.xml MEMORY.csv [options]",
    .summary = "Gives a SHIM file what accesses to memory and messages between cores cost.",
    .details =
        "The table is that of 'shimgen build' (memory.csv). Every Accessor of a processing unit gets a Performance "
        "for\n"
        "each of the unit's AccessTypes: first with the memory itself answering, then with each level of cache. Pairs\n"
        "of cores get a Connection. Cores are known by their pid; those of the same kind have the same values.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 2,
    .max_args = 2,
    .run = run,
};
