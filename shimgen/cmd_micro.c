/* shimgen micro BOARD: the cost of single instructions on the board. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/progress.h"
#include "base/sums.h"
#include "boards/boards.h"
#include "shimgen/board/board_options.h"
#include "shimgen/commands.h"
#include "shimgen/build/import_measurements.h"
#include "shimgen/units/lock.h"
#include "shimgen/units/jobs.h"
#include "shimgen/probes/micro.h"
#include "shimgen/estimate/tune/micro_table.h"
#include "shimgen/units/outputs.h"

struct options {
    struct board_choice board;
    const char *out, *keys;
    long jobs;
    bool again;
};

/* Prints a line per case in the order of the table; estimated core cycles instead of ticks if they exist. */
static void print_table(const struct micro_table *t)
{
    const char *event = t->rows.at[t->rows.n - 1].event;
    printf("%s\n%-34s %-28s %-8s %8s %18s  %s\n", event, "key", "condition", "", "cycles", "90 %", "code of a copy");
    for (size_t i = 0; i < t->rows.n; i++) {
        const struct micro_row *r = &t->rows.at[i];
        if (strcmp(r->event, event) != 0)
            continue;
        printf("%-34s %-28s %-8s %8.2f %8.2f .. %6.2f  %s%s\n", r->key, r->condition, micro_quantity_name(r->quantity),
               r->value, r->low, r->high, *r->code ? r->code : "none", r->even ? "" : " (not alike)");
    }
}

static enum status measure(const struct board *b, const struct outputs *out, const struct options *o, struct error *e)
{
    struct losses losses = {.folder = out->directory};
    const struct micro_options how = {.keys = o->keys,
                                      .losses = &losses,
                                      .workers = o->jobs > 0 ? (size_t)o->jobs : jobs_processors(),
                                      .again = o->again};
    struct micro_table t;
    const char *const names[] = {path_basename(out->micro), NULL};
    cancel_defer();
    if (o->keys)
        sums_note_read(out->micro);
    enum status s = make_directories(out->work, e);
    if (!s)
        s = sums_remove(out->directory, names, e);
    if (!s)
        s = micro_measure(b, out, &how, e);
    if (!s)
        s = sums_renew(out->directory, names, e);
    progress_clear();
    losses_release(&losses);
    if (!s)
        s = micro_table_read(&t, out->micro, e);
    if (s)
        return s;
    print_table(&t);
    printf("%s\n", out->micro);
    micro_table_release(&t);
    return OK;
}

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    struct board *b = 0;
    struct outputs out;
    if (o->jobs < 0)
        return usage_error(e, "--jobs: %ld is not a number of processes", o->jobs);
    enum status s = board_choose(&b, board_operand(args, 0), &o->board, e);
    if (s)
        return s;
    outputs_init(&out, b->name, o->out);
    struct lock lock = {-1};
    s = import_only(b) ? import_refuse(b, e) : lock_take(&lock, out.directory, e);
    if (!s)
        s = measure(b, &out, o, e);
    lock_release(&lock);
    outputs_release(&out);
    board_free(b);
    return s;
}

static const struct cli_option options[] = {
    {CLI_TEXT, "keys", 0, "GLOBS", 0, "only these instructions, such as 'udiv.*,load.i32'",
     offsetof(struct options, keys)},
    {CLI_TEXT, "output", 'o', "FOLDER", 0, "write the files here (default: out/BOARD)", offsetof(struct options, out)},
    {CLI_TEXT, "out", 0, "FOLDER", 0, 0, offsetof(struct options, out)},
    BOARD_OPTIONS(struct options, board),
    {CLI_INTEGER, "jobs", 'j', "N", "0", "compile in N processes (0: one per processor)",
     offsetof(struct options, jobs)},
    {CLI_BOOL, "again", 0, 0, 0, "compile and measure again even if results exist", offsetof(struct options, again)},
    {0},
};
const struct cli_command cmd_micro = {
    .name = "micro",
    .synopsis = "micro [BOARD] [options]",
    .operands = "BOARD",
    .summary = "Measures single instructions on a board (default: host), each in a loop of its own: writes and prints "
               "micro.csv.",
    .details =
        "Measures copies of each instruction and type that C programs use, under several conditions: dependent\n"
        "copies (latency) and independent ones (pitch). The table also says what machine code a copy becomes.\n"
        "'shimgen build' does the same and uses the values for instructions that no sample executes. With --keys\n"
        "only these rows of the table are replaced or added.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 0,
    .max_args = 1,
    .run = run,
};
