/* shimgen board list | show BOARD | check BOARD | new NAME */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "shimgen/board/board_check.h"
#include "shimgen/board/board_new.h"
#include "shimgen/board/board_options.h"
#include "shimgen/board/board_show.h"
#include "shimgen/commands.h"
#include "shimgen/publish/model_pack.h"
#include "shimgen/units/outputs.h"
#include "shimgen/board/board_findings.h"

struct options {
    struct board_choice board;
    struct board_template new;
    const char *format;
    struct {
        const char *output, *results, *skeleton, *samples;
    } pack;
};

static enum status list(const struct options *o, const struct cli_args *args, struct error *e)
{
    (void)args;
    return board_print_list(strcmp(o->format, "json") == 0, e);
}

static enum status show(const struct options *o, const struct cli_args *args, struct error *e)
{
    struct board *b = 0;
    enum status s = board_choose(&b, board_operand(args, 1), &o->board, e);
    if (!s)
        s = board_print(b, strcmp(o->format, "json") == 0, e);
    board_free(b);
    return s;
}

static enum status check(const struct options *o, const struct cli_args *args, struct error *e)
{
    struct board *b = 0;
    struct findings f = {0};
    enum status s = board_choose(&b, board_operand(args, 1), &o->board, e);
    if (s)
        return s;
    board_check(b, &f);
    size_t errors = findings_errors(&f);
    if (strcmp(o->format, "json") == 0) {
        s = findings_print_json(&f, e);
    } else {
        findings_print(&f);
        if (errors)
            printf("%s cannot be built now: %zu error%s\n", b->name, errors, errors == 1 ? "" : "s");
        else
            printf("%s is ready: shimgen build %s\n", b->name, board_operand(args, 1));
    }
    if (!s && errors)
        s = ERR_FOUND;
    findings_release(&f);
    board_free(b);
    return s;
}

static enum status new (const struct options *o, const struct cli_args *args, struct error *e) {
    const char *name = args->argv[1]; if (o->new.from && (o->new.target || o->new.topology)) return usage_error(
        e, "--from takes all from the other board; leave out --target and --topology");
    enum status s = board_new(name, &o->new, e);
    if (!s) printf("%s/ is there. Now: correct %s/board.ini and %s/skeleton.shim.xml, then 'shimgen board check %s'\n",
                   name, name, name, name);
    return s;
}

static enum status publish(const struct options *o, const struct cli_args *args, struct error *e)
{
    struct board *b = 0;
    struct outputs out = {0};
    enum status s = board_load(&b, board_operand(args, 1), e);
    if (s)
        return s;
    outputs_init(&out, b->name, o->pack.results);
    char *path = o->pack.output ? xstrdup(o->pack.output) : xasprintf("%s.shimpack", b->name);
    s = model_publish(b, out.directory, path, e);
    if (!s && strcmp(path, "-") != 0)
        printf("%s: 'shimgen board verify %s' says what it was made from\n", path, path);
    free(path);
    outputs_release(&out);
    board_free(b);
    return s;
}

static enum status verify(const struct options *o, const struct cli_args *args, struct error *e)
{
    return model_verify(args->argv[1], o->pack.samples, strcmp(o->format, "json") == 0, e);
}

static enum status merge(const struct options *o, const struct cli_args *args, struct error *e)
{
    if (!o->pack.skeleton)
        return usage_error(e, "board merge: say with --skeleton which part it is: its SHIM file or description (.ini)");
    return model_merge(o->pack.skeleton, args->argv + 1, (size_t)args->argc - 1, o->pack.output, e);
}

static const struct {
    const char *name;
    int least, most;       /* operands after the name */
    bool choice, template; /* takes options that change a board, options of a new one */
    enum status (*run)(const struct options *, const struct cli_args *, struct error *);
} actions[] = {{"list", 0, 0, false, false, list},       {"show", 0, 1, true, false, show},
               {"check", 0, 1, true, false, check},      {"new", 1, 1, false, true, new},
               {"publish", 0, 1, false, false, publish}, {"verify", 1, 1, false, false, verify},
               {"merge", 1, 1000, false, false, merge}};

static bool is_choosing(const struct board_choice *c)
{
    return c->runs || c->levels || c->cache || c->core || c->source || c->ssh || c->measurements;
}

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        if (strcmp(actions[i].name, args->argv[0]) != 0)
            continue;
        if (args->argc - 1 < actions[i].least)
            return usage_error(e, "board %s: name a board", actions[i].name);
        if (args->argc - 1 > actions[i].most)
            return usage_error(e, "board %s: one operand too many: '%s'", actions[i].name,
                               args->argv[1 + actions[i].most]);
        if (is_choosing(&o->board) && !actions[i].choice)
            return usage_error(e, "board %s takes no options that change a board", actions[i].name);
        if ((o->new.from || o->new.target || o->new.topology) && !actions[i].template)
            return usage_error(e, "--from, --target and --topology are for 'board new'");
        return actions[i].run(o, args, e);
    }
    return usage_error(e, "'board %s' is not known; there are list, show, check, new, publish, verify and merge",
                       args->argv[0]);
}

static const struct cli_option options[] = {
    {CLI_CHOICE, "format", 'f', "text|json", "text", "output format", offsetof(struct options, format)},
    {CLI_TEXT, "from", 0, "BOARD", 0, "new: start from this board", offsetof(struct options, new.from)},
    {CLI_TEXT, "target", 0, "TRIPLE", 0, "new: target triple (default: this machine)",
     offsetof(struct options, new.target)},
    {CLI_TEXT, "topology", 0, "WHAT", 0, "new: the skeleton's hardware, as in 'shim-xml new --topology'",
     offsetof(struct options, new.topology)},
    {CLI_TEXT, "output", 'o', "FILE", 0, "publish, merge: write this (default: BOARD.shimpack, standard output)",
     offsetof(struct options, pack.output)},
    {CLI_TEXT, "results", 0, "FOLDER", 0, "publish: the build's folder (default: out/BOARD)",
     offsetof(struct options, pack.results)},
    {CLI_TEXT, "skeleton", 0, "FILE", 0, "merge: the part: a SHIM file without values, or a description (.ini)",
     offsetof(struct options, pack.skeleton)},
    {CLI_TEXT, "samples", 0, "FOLDER", 0, "verify: compare its programs with these (default: shimgen's own)",
     offsetof(struct options, pack.samples)},
    BOARD_OPTIONS(struct options, board),
    {0},
};
const struct cli_command cmd_board = {
    .name = "board",
    .synopsis = "board list | show [BOARD] | check [BOARD] | new NAME | publish [BOARD] | verify PACK | merge "
                "[CORES=]PACK... [options]",
    .summary =
        "Lists boards; shows, checks, creates one; packs a board's model for others, checks and merges such packs.",
    .details =
        "list   all boards: how their programs run, their target, and the packages that they need here\n"
        "show   a board's description: every key, its value, and where the value comes from\n"
        "check  board.ini, skeleton, compiler, C library, emulator, connection, counters: what is wrong, and the\n"
        "       remedy. Exit 1: a build is not possible now\n"
        "new    writes a folder NAME here with board.ini and skeleton.shim.xml, to be completed\n"
        "publish  packs a build's SHIM file with all that it was made of, in one file; the same files, the same bytes\n"
        "verify   checks such a pack and says what it was made from. Exit 1: something is wrong with it\n"
        "merge    the SHIM file of a part from packs of its cores: each pack's values go to cores of its "
        "architecture,\n"
        "         with CORES= to those of them whose names match\n"
        "BOARD is a board's name or the path of its folder (default: host).",
    .options = options,
    .options_size = sizeof(struct options),
    .operands = "list|show|check|new|publish|verify|merge BOARD",
    .min_args = 1,
    .max_args = -1,
    .run = run,
};
