/* cmd_join.c - regress join: joins counts with measurements. */
#include "regress/commands.h"

#include <string.h>

#include "base/progress.h"

struct join_options {
    const char *output, *events;
};
static const struct cli_option options[] = {
    {CLI_CHOICE, "events", 0, "measured|counted", "measured", "which table's values to use for an event that both have",
     offsetof(struct join_options, events)},
    {CLI_TEXT, "output", 'o', "FILE", "-", "the dataset", offsetof(struct join_options, output)},
    {0},
};

static enum status run(const void *given, const struct cli_args *args, struct error *e)
{
    const struct join_options *o = given;
    struct regress_join j = {0};
    bool counted = strcmp(o->events, "counted") == 0;
    enum status s =
        regress_join(&j, args->argv[0], args->argv[1], counted ? REGRESS_EVENTS_COUNTED : REGRESS_EVENTS_MEASURED, e);
    if (!s)
        s = regress_data_write(j.data, o->output, e);
    for (size_t i = 0; !s && i < j.n_both; i++)
        progress_note("regress: %s is measured and simulated: the %s values are taken", j.both[i],
                      counted ? "simulated" : "measured");
    for (size_t i = 0; !s && i < j.n_together; i++)
        progress_note("regress: %s", j.together[i]);
    for (size_t i = 0; !s && i < j.n_unmatched; i++)
        progress_note("regress: '%s' %s: left out", j.unmatched[i].label, regress_unmatched_text(&j.unmatched[i]));
    regress_join_release(&j);
    return s;
}

const struct cli_command cmd_join = {
    .name = "join",
    .synopsis = "join COUNTS.csv MEASUREMENTS.csv [-o DATASET.csv]",
    .summary = "Joins counts and measurements of the same programs and regions into one table.",
    .details =
        "COUNTS.csv is wide: program,region,<key>,...  MEASUREMENTS.csv is long: program,region,event,value,...\n"
        "The column 'cycles' of the result is CPU_CYCLES if measured, otherwise TSC_CYCLES, CNTVCT_CYCLES or\n"
        "RDTIME_CYCLES. COUNTS.csv may contain simulated events ('irprof table --with'). An event in both tables\n"
        "becomes one column. Accesses and refills of a cache level come from one table: if one of the two is only\n"
        "simulated, both are taken as simulated. Programs and regions that are in one table only are left out and\n"
        "named on standard error.",
    .options = options,
    .options_size = sizeof(struct join_options),
    .min_args = 2,
    .max_args = 2,
    .run = run,
};
