/* shimgen events BOARD: simulated misses and mispredictions beside the measured ones. */
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/sums.h"
#include "shimgen/board/board_options.h"
#include "shimgen/commands.h"
#include "shimgen/predictor/event_ratios.h"

struct options {
    const char *out;
};

static void print_ratio(const struct events_ratio *r)
{
    if (r->n)
        printf("  %5zu %7.2f  %6.2f - %-6.2f", r->n, r->median, r->low, r->high);
    else
        printf("  %5d %7s  %-15s", 0, "-", "");
}

static void print(const struct events_table *t, const char *board)
{
    if (t->why)
        printf("predictor: %s\n", t->why);
    if (!t->rows.n) {
        printf("%s: no event is both simulated and measured, so there is nothing to compare\n", board);
        return;
    }
    printf("simulated / measured, regions with %d and more: number, median, 90 %% of them\n", EVENTS_LEAST);
    printf("%-18s %-26s  %-31s %-31s %s\n", "event", "predictor", "all programs", "not in its choice", "test programs");
    for (size_t i = 0; i < t->rows.n; i++) {
        const struct events_row *r = &t->rows.at[i];
        char *name = xasprintf("%s%s", r->predictor ? r->predictor : "", r->chosen ? " (simulated)" : "");
        printf("%-18s %-26s", r->event, name);
        for (int of = 0; of < EVENTS_OF_N; of++)
            print_ratio(&r->ratios[of]);
        putchar('\n');
        free(name);
    }
}

static enum status run(const void *given, const struct cli_args *args, struct error *e)
{
    const struct options *opt = given;
    struct outputs o;
    struct events_table t;
    outputs_init(&o, board_operand(args, 0), opt->out);
    sums_note_read(o.measurements);
    sums_note_read(o.predictor);
    enum status s = file_is_directory(o.directory) ? events_compare(&t, &o, e)
                                                   : error_set(e, ERR_INPUT, AT_FILE(o.directory),
                                                               "there is no such folder; 'shimgen build %s' "
                                                               "makes it",
                                                               board_operand(args, 0));
    if (!s) {
        print(&t, board_operand(args, 0));
        events_release(&t);
    }
    outputs_release(&o);
    return s;
}

static const struct cli_option options[] = {
    {CLI_TEXT, "output", 'o', "FOLDER", 0, "folder of the build (default: out/BOARD)", offsetof(struct options, out)},
    {0},
};
const struct cli_command cmd_events = {
    .name = "events",
    .synopsis = "events [BOARD] [-o FOLDER]",
    .summary =
        "Compares simulated cache misses and mispredictions with measured ones; tells which predictor is simulated.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 0,
    .max_args = 1,
    .run = run,
};
