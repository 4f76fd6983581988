/* shimgen task PLAN N: one task of a build on a farm, where it runs. */
#include "base/cli.h"
#include "base/str.h"
#include "shimgen/commands.h"
#include "shimgen/farm/task.h"

struct options {
    const char *out, *place, *ssh;
};

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    long number;
    if (!parse_long(args->argv[1], &number))
        return usage_error(e, "'%s' is not the number of a task", args->argv[1]);
    if (!o->out)
        return usage_error(e, "-o: name the file for the result");
    const struct task_options task = {args->argv[0], number, o->out, o->place, o->ssh};
    return task_run(&task, e);
}

static const struct cli_option options[] = {
    {CLI_TEXT, "output", 'o', "FILE", 0, "write the result here", offsetof(struct options, out)},
    {CLI_TEXT, "place", 0, "NAME", 0, "name of this place in messages (default: the machine's)",
     offsetof(struct options, place)},
    {CLI_TEXT, "ssh", 0, "USER@HOST", 0, "the board is there", offsetof(struct options, ssh)},
    {0},
};
const struct cli_command cmd_task = {
    .name = "task",
    .operands = "FILE N",
    .synopsis = "task PLAN N -o FILE [options]",
    .summary =
        "Runs task N of a plan that 'shimgen build --on' wrote. A farm's engine calls it on the farm's machines.",
    .details =
        "The result is one file with the counts, the measurements and checksums of all. Refused: a machine with\n"
        "another shimgen, compiler, runtime or simulator, and a board whose description is another.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 2,
    .max_args = 2,
    .run = run,
};
