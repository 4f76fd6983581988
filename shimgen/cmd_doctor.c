/* shimgen doctor BOARD: what can go wrong when the board is measured, and how to fix it. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "boards/run/run.h"
#include "shimgen/board/board_options.h"
#include "shimgen/commands.h"
#include "shimgen/board/board_findings.h"

struct options {
    const char *format, *ssh;
};

static void print_text(const struct board *b, const struct findings *f)
{
    findings_print(f);
    size_t errors = findings_errors(f);
    if (errors)
        printf("%s cannot be measured now: %zu error%s\n", b->name, errors, errors == 1 ? "" : "s");
    else if (b->how == BOARD_IMPORT)
        printf("%s is measured elsewhere; its programs can be built and counted here\n", b->name);
    else if (b->how == BOARD_COMMAND)
        printf("%s is measured by its command; its programs can be built and counted here\n", b->name);
    else
        printf("%s can be measured\n", b->name);
}

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    struct board *b = 0;
    struct findings f = {0};
    struct runner *place = 0;
    struct board_overrides there = BOARD_OVERRIDES_NONE;
    there.ssh = o->ssh;
    enum status s = board_load(&b, board_operand(args, 0), e);
    if (!s)
        s = board_override(b, &there, e);
    if (s) {
        board_free(b);
        return s;
    }
    cancel_defer();
    runner_consult(&place, b, &f);
    runner_close(place);
    if (strcmp(o->format, "json") == 0)
        s = findings_print_json(&f, e);
    else
        print_text(b, &f);
    if (!s && findings_errors(&f))
        s = ERR_FOUND;
    findings_release(&f);
    board_free(b);
    return s;
}

static const struct cli_option options[] = {
    {CLI_TEXT, "ssh", 0, "USER@HOST", 0, "the board is there", offsetof(struct options, ssh)},
    {CLI_CHOICE, "format", 'f', "text|json", "text", "output format", offsetof(struct options, format)},
    {0},
};
const struct cli_command cmd_doctor = {
    .name = "doctor",
    .synopsis = "doctor [BOARD] [--ssh USER@HOST] [--format text|json]",
    .summary = "Tells what can go wrong when a board (default: host) is measured, and the remedy. Exit 1: it cannot be "
               "measured now.",
    .options = options,
    .options_size = sizeof(struct options),
    .operands = "BOARD",
    .min_args = 0,
    .max_args = 1,
    .run = run,
};
