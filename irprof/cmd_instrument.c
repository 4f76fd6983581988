/* cmd_instrument.c - irprof instrument: puts counters into an LLVM IR file. */
#include <stddef.h>

#include "irprof/commands.h"
#include "irprof/instrument/instrument.h"
#include "irprof/module/options.h"

struct options {
    const char *out;
    const char *counters, *placement;
    bool by_thread, memory, cold_regions, traffic, sizes, footprint;
    const char *l1d, *l2, *prefetch, *branches, *switches, *spills, *steps, *instances, *windows;
};

static const struct cli_option options[] = {
    {CLI_TEXT, "output", 'o', "FILE", 0, "write here: bitcode, or text if the name ends in .ll",
     offsetof(struct options, out)},
    {CLI_CHOICE, "counters", 0, "thread|atomic|plain", "thread",
     "thread: a set for each thread; atomic: one set for all threads; plain: one set, for programs with one thread",
     offsetof(struct options, counters)},
    {CLI_BOOL, "by-thread", 0, 0, 0,
     "keep the counts of each thread: regions thread:1, thread:2 ... in the order in which they begin to count",
     offsetof(struct options, by_thread)},
    {CLI_CHOICE, "placement", 0, "sparse|plain", "sparse",
     "sparse: few counters, from which all other counts are computed; plain: a counter for each segment and edge",
     offsetof(struct options, placement)},
    {CLI_BOOL, "memory", 0, 0, 0, "simulate data caches during the run; by default those of a Raspberry Pi 3",
     offsetof(struct options, memory)},
    {CLI_TEXT, "l1d", 0, "CACHE", 0,
     "first level, SIZE:WAYS:LINE[:POLICY], POLICY is lru, fifo, random or plru; with --memory alone " OPTIONS_L1D,
     offsetof(struct options, l1d)},
    {CLI_TEXT, "l2", 0, "CACHE", 0, "second level, likewise, or none; with --memory alone " OPTIONS_L2,
     offsetof(struct options, l2)},
    {CLI_TEXT, "prefetch", 0, "PREFETCHER", 0,
     "prefetcher of data, STREAMS:TRIGGER:AHEAD[:STRIDE], like a Cortex-A53's 2:2:5:4, or none",
     offsetof(struct options, prefetch)},
    {CLI_TEXT, "branches", 0, "PREDICTOR", 0,
     "simulate a predictor of conditional branches: bimodal:TABLE_BITS, gshare:TABLE_BITS:HISTORY_BITS[:PLACE_BITS], "
     "tournament:GLOBAL_BITS:LOCAL_BITS or tage:BASE_BITS:TAGGED_BITS:TABLES:LONGEST; several with commas. With "
     "--spills the branches are those of the target's code",
     offsetof(struct options, branches)},
    {CLI_TEXT, "switches", 0, "last[:TARGETS]|known", 0,
     "with --branches, jump tables of switches and calls through pointers. last: predicted to go where they went last, "
     "by "
     "a table of TARGETS entries (default: 256, as a Cortex-A53 has); known: never mispredicted",
     offsetof(struct options, switches)},
    {CLI_BOOL, "cold-regions", 0, 0, 0,
     "empty the caches and reset the predictor when an outermost region is first entered",
     offsetof(struct options, cold_regions)},
    {CLI_TEXT, "spills", 0, "TARGET", 0,
     "count the loads and stores that the machine code of TARGET (TRIPLE or TRIPLE:CPU) has and the IR does not",
     offsetof(struct options, spills)},
    {CLI_TEXT, "windows", 0, "N", 0,
     "also count each window of N accesses to memory; all counters are kept in memory, as with --placement plain",
     offsetof(struct options, windows)},
    {CLI_BOOL, "footprint", 0, 0, 0,
     "record how many bytes each function, with all that it calls, touches, writes, needs from outside and leaves for "
     "it",
     offsetof(struct options, footprint)},
    {CLI_BOOL, "sizes", 0, 0, 0,
     "sum up what functions of the C library and divisions have to do, as events SIZE_memcpy (bytes), SIZE_strlen "
     "(letters), SIZE_qsort (elements) ..., QUOTIENT_BITS",
     offsetof(struct options, sizes)},
    {CLI_TEXT, "steps", 0, "FUNCTIONS", 0,
     "count each call of these functions separately; calls with equal counts share a region NAME#1, NAME#2 ...",
     offsetof(struct options, steps)},
    {CLI_TEXT, "instances", 0, "FUNCTIONS", 0,
     "count the calls of these functions separately for each place that calls them, as regions NAME<-CALLER:LINE",
     offsetof(struct options, instances)},
    {CLI_BOOL, "traffic", 0, 0, 0,
     "record which source lines pass bytes to which others in the functions of --steps; compile without optimisation",
     offsetof(struct options, traffic)},
    {0},
};

static enum status take(struct instrument_options *to, const struct options *o, struct error *e)
{
    const struct {
        const char *option, *value;
    } given[] = {
        {"--counters", o->counters}, {"--placement", o->placement},
        {"--l1d", o->l1d},           {"--l2", o->l2},
        {"--prefetch", o->prefetch}, {"--branches", o->branches},
        {"--switches", o->switches}, {"--spills", o->spills},
        {"--steps", o->steps},       {"--instances", o->instances},
        {"--windows", o->windows},
    };
    const struct {
        const char *option;
        bool given;
    } flags[] = {{"--memory", o->memory},   {"--by-thread", o->by_thread}, {"--cold-regions", o->cold_regions},
                 {"--traffic", o->traffic}, {"--sizes", o->sizes},         {"--footprint", o->footprint}};
    int used;
    enum status s = OK;
    for (size_t i = 0; i < sizeof flags / sizeof *flags && !s; i++)
        if (flags[i].given)
            s = instrument_option(to, flags[i].option, 0, &used, e);
    for (size_t i = 0; i < sizeof given / sizeof *given && !s; i++)
        if (given[i].value)
            s = instrument_option(to, given[i].option, given[i].value, &used, e);
    return s;
}

static enum status run(const void *given, const struct cli_args *args, struct error *e)
{
    const struct options *o = given;
    struct instrument_options to = {0};
    if (!o->out)
        return usage_error(e, "say where to write with -o FILE");
    enum status s = take(&to, o, e);
    return s ? s : instrument_file(args->argv[0], o->out, false, &to, e);
}

const struct cli_command cmd_instrument = {
    .name = "instrument",
    .synopsis = "instrument IN -o FILE [options]",
    .summary = "Adds counters to LLVM IR (bitcode or text; '-' is standard input).",
    .details =
        "Compile FILE with -Xclang -disable-llvm-passes, so that it is not optimised again, and link it with the\n"
        "flags that 'irprof libs' prints.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
