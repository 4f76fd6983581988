/* cmd_compare.c - regress compare: tells which of two sets of estimates is better. */
#include "regress/commands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct options {
    const char *first, *second;
    long seed;
};
static const struct cli_option options[] = {
    {CLI_TEXT, "first", 0, "CLASSES/SOLVER", 0, "the line of the first table, if it has several",
     offsetof(struct options, first)},
    {CLI_TEXT, "second", 0, "CLASSES/SOLVER", 0, "the line of the second table", offsetof(struct options, second)},
    {CLI_INTEGER, "seed", 0, "N", "1", "seed of the random draws", offsetof(struct options, seed)},
    {0},
};

static const char *verdict(const struct regress_difference *d)
{
    if (isnan(d->low))
        return "one program alone shows nothing";
    return d->low > 0 ? "the first is better" : d->high < 0 ? "the second is better" : "not shown to differ";
}

static enum status run(const void *given, const struct cli_args *args, struct error *e)
{
    const struct options *o = given;
    struct regress_difference d;
    if (o->seed < 0)
        return usage_error(e, "--seed: %ld is below 0", o->seed);
    const char *second = args->argv[args->argc - 1];
    enum status s = regress_compare(&d, args->argv[0], o->first, second, o->second, (uint64_t)o->seed, e);
    if (s)
        return s;
    printf("%zu rows of %zu programs", d.rows, d.groups);
    if (d.only_one)
        printf("; rows in one table only, left out: %zu", d.only_one);
    printf("\nfirst   mean abs %7.2f %%  %s%s%s\n", 100 * d.first, args->argv[0], *d.first_name ? " " : "",
           d.first_name);
    printf("second  mean abs %7.2f %%  %s%s%s\n", 100 * d.second, second, *d.second_name ? " " : "", d.second_name);
    printf("second - first  %+.2f", 100 * d.difference);
    if (!isnan(d.low))
        printf(", 95 %% interval %+.2f to %+.2f", 100 * d.low, 100 * d.high);
    printf(": %s\n", verdict(&d));
    regress_difference_release(&d);
    return OK;
}

const struct cli_command cmd_compare = {
    .name = "compare",
    .synopsis = "compare FIRST.csv [SECOND.csv] [--first CLASSES/SOLVER] [--second CLASSES/SOLVER]",
    .summary = "Tells whether one set of estimates is better than another or the difference may be chance.",
    .details =
        "The tables are those of 'predict -o' and 'crossval --predictions'. The absolute errors of the same rows\n"
        "are compared, program by program. The interval comes from drawing programs with replacement.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = 2,
    .run = run,
};
