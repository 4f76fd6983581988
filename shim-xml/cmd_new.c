/* shim-xml new --detect, --from FILE, --topology WHAT */
#include "shim-xml/commands.h"
#include "shim-xml/shimxml.h"

struct options {
    bool detect;
    const char *output, *name, *topology, *from;
    double clock;
};

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    (void)args;
    if (o->detect + (o->topology != 0) + (o->from != 0) != 1)
        return usage_error(e, "give one of --detect (this machine), --from (a description) and --topology");
    if (o->from && (o->name || o->clock > 0))
        return usage_error(e, "name and clock are in the description");
    if (o->clock < 0)
        return usage_error(e, "--clock: %g is not a frequency", o->clock);
    struct shimxml_doc *d = 0;
    enum status s = o->from ? shimxml_describe(&d, o->from, e)
                            : shimxml_new(&d, &(struct shimxml_machine){o->name, o->clock, o->topology}, e);
    if (!s)
        s = shimxml_write(d, o->output, e);
    shimxml_free(d);
    return s;
}

static const struct cli_option options[] = {
    {CLI_BOOL, "detect", 0, 0, 0, "describe this machine", offsetof(struct options, detect)},
    {CLI_TEXT, "from", 0, "FILE", 0,
     "describe the machine of an INI file: clusters, cores, caches, memories, addresses",
     offsetof(struct options, from)},
    {CLI_TEXT, "topology", 0, "WHAT", 0,
     "describe an XML file of hwloc, or a synthetic machine such as 'pack:1 core:4 pu:1'",
     offsetof(struct options, topology)},
    {CLI_TEXT, "name", 0, "NAME", 0, "name of the system (default: host)", offsetof(struct options, name)},
    {CLI_REAL, "clock", 0, "HZ", 0, "clock of the cores (default: the kernel's figure, otherwise 0: unknown)",
     offsetof(struct options, clock)},
    {CLI_TEXT, "output", 'o', "FILE", "-", "write the file here", offsetof(struct options, output)},
    {0},
};
const struct cli_command cmd_new = {
    .name = "new",
    .synopsis = "new --detect|--from FILE|--topology WHAT [options]",
    .summary = "Makes the skeleton of a machine: cores, caches, memories and clocks, without instruction values.",
    .details = "A description (--from; docs/formats/machine.md), for instance\n"
               "  [machine]\n"
               "  clock = 1.4e9\n"
               "  [cluster A53]\n"
               "  cores = 4\n"
               "  arch = aarch64\n"
               "  l1d = 32K:4:64\n"
               "  l2 = 512K:16:64 shared\n"
               "  [memory DRAM]\n"
               "  size = 1G",
    .options = options,
    .options_size = sizeof(struct options),
    .run = run,
};
