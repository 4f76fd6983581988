/* shimgen measure BOARD [NAME=]PROGRAM...: your own programs on the board. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/progress.h"
#include "boards/boards.h"
#include "boards/run/run.h"
#include "shimgen/board/board_options.h"
#include "shimgen/commands.h"
#include "shimgen/build/import_measurements.h"
#include "shimgen/profile/line_cycles.h"
#include "shimgen/units/outputs.h"

struct options {
    struct board_choice board;
    const char *output, *lines;
    bool flags;
};

/* Prints flags with which a Makefile compiles and links a program that `measure` can run. */
static enum status print_flags(const struct board *b, struct error *e)
{
    struct board_args a = {0};
    struct outputs out;
    outputs_init(&out, b->name, 0);
    enum status s = board_link_flags(b, out.work, &a, e);
    outputs_release(&out);
    if (!s) {
        char *include = resource_include("");
        printf("-I%s", include);
        for (size_t i = 0; i < a.n; i++)
            printf(" %s", a.at[i]);
        putchar('\n');
        free(include);
    }
    board_args_release(&a);
    return s;
}

/* lines: file for the cycles of single instructions, or NULL. */
static enum status measure_at(struct runner *place, const struct board *b, const char *path, const char *name,
                              struct measurements *m, FILE *lines, struct error *e)
{
    struct line_cycles *cycles = 0;
    enum status s = lines ? line_cycles_open(&cycles, place, path, e) : OK;
    if (!s)
        s = board_measure_at(place, b, path, name, 0, m, e);
    if (!s && lines)
        s = line_cycles_add(cycles, name, lines, e);
    line_cycles_close(cycles);
    return s;
}

static enum status measure_program(struct runner *place, const struct board *b, const char *operand,
                                   struct measurements *m, FILE *lines, struct error *e)
{
    const char *equals = strchr(operand, '=');
    const char *path = equals ? equals + 1 : operand;
    char *name = equals ? xstrndup(operand, (size_t)(equals - operand)) : xstrdup(path_basename(path));
    char *absolute = realpath(path, 0);
    enum status s = absolute ? measure_at(place, b, absolute, name, m, lines, e)
                             : error_errno(e, AT_FILE(path), "cannot be measured");
    free(absolute);
    free(name);
    return s;
}

static enum status measure_all(const struct board *b, const struct options *o, const struct cli_args *args,
                               struct error *e)
{
    struct measurements *m = measurements_new();
    struct runner *place = 0;
    struct outfile lines = {0};
    enum status s = runner_open(&place, b, RUN_MEASURED, e);
    if (!s && o->lines)
        s = outfile_open(&lines, o->lines, e);
    if (!s && o->lines)
        line_cycles_header(lines.f);
    for (int i = 1; !s && i < args->argc; i++) {
        progress_show("measuring", (size_t)i - 1, (size_t)args->argc - 1, args->argv[i]);
        s = measure_program(place, b, args->argv[i], m, lines.f, e);
    }
    progress_clear();
    runner_close(place);
    if (!s && o->lines)
        s = outfile_commit(&lines, e);
    if (!s)
        s = measurements_write(m, o->output, 0, e);
    outfile_abort(&lines);
    measurements_free(m);
    return s;
}

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    struct board *b = 0;
    enum status s = board_choose(&b, args->argv[0], &o->board, e);
    if (s)
        return s;
    if (import_only(b) || o->flags || args->argc == 1) {
        s = import_only(b) ? import_refuse(b, e)
            : o->flags     ? print_flags(b, e)
                           : usage_error(e, "no program to measure is named");
        board_free(b);
        return s;
    }
    cancel_defer();
    s = measure_all(b, o, args, e);
    board_free(b);
    return s;
}

static const struct cli_option options[] = {
    BOARD_OPTIONS(struct options, board),
    {CLI_TEXT, "output", 'o', "FILE", "-", "write the table here", offsetof(struct options, output)},
    {CLI_TEXT, "lines", 0, "FILE", 0,
     "on a simulated board: also write the cycles of each machine instruction, with its function and source line (for "
     "'shimgen blocks --measured')",
     offsetof(struct options, lines)},
    {CLI_BOOL, "flags", 0, 0, 0, "only print the flags to compile and link a program with",
     offsetof(struct options, flags)},
    {0},
};
const struct cli_command cmd_measure = {
    .name = "measure",
    .synopsis = "measure BOARD [NAME=]PROGRAM... [options]",
    .summary = "Measures your own programs on a board: writes a measurements.csv of their regions.",
    .details =
        "Mark the parts to measure with shim_region.h. Without marks the whole of main is measured. Compile and link\n"
        "with the flags that 'shimgen measure BOARD --flags' prints. The program must exit with 0.",
    .options = options,
    .options_size = sizeof(struct options),
    .operands = "BOARD FILE",
    .min_args = 1,
    .max_args = -1,
    .run = run,
};
