/* cmd_report.c - irprof report: prints the counts of a profile. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "irprof/commands.h"
#include "irprof/report/profile_report.h"

struct options {
    const char *by, *region, *format, *out;
    bool no_demangle;
};

static const char by_words[] = "opcode|function|line|block|region|branch|loop";
static const char format_words[] = "text|csv|json|callgrind";

static const struct cli_option options[] = {
    {CLI_CHOICE, "by", 0, by_words, "opcode", "group the counts by this", offsetof(struct options, by)},
    {CLI_TEXT, "region", 0, "NAME", 0, "only this region: a name that the program marks, or \"(program)\"",
     offsetof(struct options, region)},
    {CLI_CHOICE, "format", 'f', format_words, "text", "for people, for programs, for KCachegrind",
     offsetof(struct options, format)},
    {CLI_BOOL, "no-demangle", 0, 0, 0, "C++ functions by their linkage names alone (csv and json have both)",
     offsetof(struct options, no_demangle)},
    {CLI_TEXT, "output", 'o', "FILE", 0, "write here (default: standard output)", offsetof(struct options, out)},
    {0},
};

/* The index of `word` in "a|b|c". The option parser has checked that it is there. */
static unsigned place_in(const char *words, const char *word)
{
    unsigned place = 0;
    size_t n = strlen(word);
    for (const char *w = words; w; place++) {
        if (strncmp(w, word, n) == 0 && (w[n] == '|' || !w[n]))
            return place;
        w = strchr(w, '|');
        w = w ? w + 1 : 0;
    }
    BUG("'%s' is not in '%s'", word, words);
}

static enum status run(const void *given, const struct cli_args *args, struct error *e)
{
    const struct options *o = given;
    struct operand *operands;
    size_t n = (size_t)args->argc;
    enum status s = operands_read(&operands, args, e);
    if (s)
        return s;
    struct report_program *programs = xcalloc(n, sizeof *programs);
    for (size_t i = 0; i < n; i++)
        programs[i] = (struct report_program){operands[i].name, operands[i].profile};
    struct report report = {.programs = programs,
                            .n_programs = n,
                            .by = (enum report_by)place_in(by_words, o->by),
                            .format = (enum report_format)place_in(format_words, o->format),
                            .region = o->region,
                            .mangled = o->no_demangle};
    struct outfile out = {0};
    struct error flawed = ERROR_INIT;
    s = outfile_open(&out, o->out, e);
    if (!s && report.format == REPORT_TEXT)
        outfile_is_text(&out);
    if (!s && (s = profile_report_write(&report, out.f, &flawed, e)))
        outfile_abort(&out);
    else if (!s)
        s = outfile_commit(&out, e);
    if (!s && flawed.status)
        s = error_set(e, flawed.status, NOWHERE, "left out, all else is there: %s", flawed.message);
    error_release(&flawed);
    free(programs);
    operands_free(operands, n);
    return s;
}

const struct cli_command cmd_report = {
    .name = "report",
    .synopsis = "report [options] [NAME=]PROFILE...",
    .summary = "Prints counts by opcode, function, line, block, region, branch or loop.",
    .details = "Without --region: every region that the program marks, then the whole run as \"(program)\". A program\n"
               "without regions has the one region \"main\". --format callgrind prints one region of one profile, by "
               "function\n"
               "and line; it ignores --by. Without --region it prints the whole run.\n"
               "Regions whose begins and ends do not match are left out: the command names them and exits with 1.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = -1,
    .run = run,
};
