/* cmd_history.c - irprof history: what a stamped program did when, as a table, a trace, a drawing or a page. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "irprof/commands.h"
#include "irprof/history/history.h"

struct options {
    const char *out, *rows, *module;
};

static const struct cli_option options[] = {
    {CLI_TEXT, "output", 'o', "FILE", 0,
     "write here; the ending says what: .csv, .json (Chrome's trace format), .html, .svg or .otf2",
     offsetof(struct options, out)},
    {CLI_CHOICE, "rows", 'r', "threads|processors", "threads",
     "rows of the drawing (.svg; a page shows both); threads may be work-items", offsetof(struct options, rows)},
    {CLI_TEXT, "module", 0, "FILE", 0, "of stamps of kernels: the stamped IR that was launched",
     offsetof(struct options, module)},
    {0},
};

static enum status write_out(const struct history *h, const struct options *o, struct error *e)
{
    if (text_ends(o->out, ".csv"))
        return history_write_csv(h, o->out, e);
    if (text_ends(o->out, ".json"))
        return history_write_trace(h, o->out, e);
    if (text_ends(o->out, ".html"))
        return history_write_page(h, o->out, e);
    if (text_ends(o->out, ".svg"))
        return history_write_svg(h, strcmp(o->rows, "processors") == 0, o->out, e);
    return history_write_otf2(h, o->out, e);
}

static bool is_known(const char *path)
{
    static const char *const endings[] = {".csv", ".json", ".html", ".svg", ".otf2"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (text_ends(path, endings[i]))
            return true;
    return false;
}

static void print_notes(const struct history *h)
{
    struct str notes = STR_INIT;
    history_notes(h, &notes);
    char **lines = words_of(str_text(&notes), "\n");
    for (char **line = lines; *line; line++)
        fprintf(stderr, "irprof: %s: note: %s\n", h->path, *line);
    words_free(lines);
    str_release(&notes);
}

static enum status run(const void *given, const struct cli_args *args, struct error *e)
{
    const struct options *o = given;
    struct history *h = 0;
    if (!o->out || !is_known(o->out))
        return usage_error(e, "say where to write with -o FILE; it ends in .csv, .json, .html, .svg or .otf2");
    enum status s = history_read(&h, args->argv[0], o->module, e);
    if (s)
        return s;
    print_notes(h);
    s = write_out(h, o, e);
    history_free(h);
    return s;
}

const struct cli_command cmd_history = {
    .name = "history",
    .synopsis = "history STAMPS -o FILE",
    .summary = "Shows which thread of a stamped program did what, and when: as a table, trace, drawing or page.",
    .details =
        "STAMPS is the file that a program stamped by 'irprof stamp' writes: irprof.stamps. For kernels it is what\n"
        "shim_stamp_kernel of shim_stamp.h or 'irprof kernel --stamps' has written: then each work-item is a thread,\n"
        "and --module says what the stamps mean.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
