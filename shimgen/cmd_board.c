/* shimgen board list | show BOARD | check BOARD | new NAME | kit BOARD | import-log LOG... */
#include <stdio.h>
#include <string.h>

#include "shimgen/board/board_check.h"
#include "shimgen/board/board_new.h"
#include "shimgen/board/board_options.h"
#include "shimgen/board/board_show.h"
#include "shimgen/commands.h"
#include "shimgen/board/board_findings.h"
#include "shimgen/kit/import_log.h"
#include "shimgen/kit/kit_folder.h"
#include "regress/regress.h"

struct options {
    struct board_choice board;
    struct board_template new;
    const char *format;
    const char *out, *part;
    struct kit_order kit;
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

static enum status kit(const struct options *o, const struct cli_args *args, struct error *e)
{
    struct board *b = 0;
    struct kit_order order = o->kit;
    order.out = o->out;
    if (order.n < 0)
        return usage_error(e, "-n %ld is no number of programs", order.n);
    enum status s = board_choose(&b, args->argv[1], &o->board, e);
    if (!s)
        s = kit_make(b, &order, e);
    board_free(b);
    return s;
}

static enum status take_log(const struct options *o, const struct cli_args *args, struct error *e)
{
    const struct import_order order = {(const char *const *)args->argv + 1, (size_t)args->argc - 1,
                                       o->out ? o->out : "measurements.csv", o->part};
    return import_log(&order, e);
}

static const struct {
    const char *name;
    int least, most;       /* operands after the name; most -1: any number */
    bool choice, template; /* takes options that change a board, options of a new one */
    enum status (*run)(const struct options *, const struct cli_args *, struct error *);
} actions[] = {{"list", 0, 0, false, false, list},  {"show", 0, 1, true, false, show},
               {"check", 0, 1, true, false, check}, {"new", 1, 1, false, true, new},
               {"kit", 1, 1, true, false, kit},     {"import-log", 1, -1, false, false, take_log}};

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
            return usage_error(e, "board %s: name a %s", actions[i].name, actions[i].most < 0 ? "log" : "board");
        if (actions[i].most >= 0 && args->argc - 1 > actions[i].most)
            return usage_error(e, "board %s: one operand too many: '%s'", actions[i].name,
                               args->argv[1 + actions[i].most]);
        if (is_choosing(&o->board) && !actions[i].choice)
            return usage_error(e, "board %s takes no options that change a board", actions[i].name);
        if ((o->new.from || o->new.target || o->new.topology) && !actions[i].template)
            return usage_error(e, "--from, --target and --topology are for 'board new'");
        bool folder = actions[i].run == kit, table = actions[i].run == take_log;
        if (o->out && !folder && !table)
            return usage_error(e, "-o is for 'board kit' and 'board import-log'");
        if (o->part && !table)
            return usage_error(e, "--part is for 'board import-log'");
        if ((o->kit.programs || o->kit.n || o->kit.jobs || o->kit.list) && !folder)
            return usage_error(e, "--programs, -n, --list and --jobs are for 'board kit'");
        return actions[i].run(o, args, e);
    }
    return usage_error(e, "'board %s' is not known; there are list, show, check, new, kit and import-log",
                       args->argv[0]);
}

static const struct cli_option options[] = {
    {CLI_CHOICE, "format", 'f', "text|json", "text", "output format", offsetof(struct options, format)},
    {CLI_TEXT, "from", 0, "BOARD", 0, "new: start from this board", offsetof(struct options, new.from)},
    {CLI_TEXT, "target", 0, "TRIPLE", 0, "new: target triple (default: this machine)",
     offsetof(struct options, new.target)},
    {CLI_TEXT, "topology", 0, "WHAT", 0, "new: the skeleton's hardware, as in 'shim-xml new --topology'",
     offsetof(struct options, new.topology)},
    {CLI_TEXT, "output", 'o', "FOLDER", 0, "kit: the folder; import-log: a file, the table (default: measurements.csv)",
     offsetof(struct options, out)},
    {CLI_TEXT, "programs", 0, "GLOBS", 0, "kit: only these samples, such as 'paper/*,suite/f*'",
     offsetof(struct options, kit.programs)},
    {CLI_INTEGER, "number", 'n', "N", "0", "kit: choose N programs by design of experiments (0: all that fit)",
     offsetof(struct options, kit.n)},
    {CLI_TEXT, "classes", 'c', "NAME|FILE", REGRESS_DEFAULT_CLASSES,
     "kit: classification whose values the chosen programs are to determine", offsetof(struct options, kit.classes)},
    {CLI_BOOL, "list", 'l', 0, 0, "kit: print each program, its bytes of flash and RAM, and whether it fits",
     offsetof(struct options, kit.list)},
    {CLI_INTEGER, "jobs", 'j', "N", "0", "kit: compile in N processes (0: one per processor)",
     offsetof(struct options, kit.jobs)},
    {CLI_TEXT, "part", 0, "ID", 0, "import-log: of several boards in a log, the one with this ID",
     offsetof(struct options, part)},
    BOARD_OPTIONS(struct options, board),
    {0},
};
const struct cli_command cmd_board = {
    .name = "board",
    .synopsis = "board list | show [BOARD] | check [BOARD] | new NAME | kit BOARD | import-log LOG... [options]",
    .summary =
        "Lists boards; shows a board with all its keys; checks a board without measuring; creates a new one; measures "
        "parts without an operating system by a kit.",
    .details =
        "list   all boards: how their programs run, their target, and the packages that they need here\n"
        "show   a board's description: every key, its value, and where the value comes from\n"
        "check  board.ini, skeleton, compiler, C library, emulator, connection, counters: what is wrong, and the\n"
        "       remedy. Exit 1: a build is not possible now\n"
        "new    writes a folder NAME here with board.ini and skeleton.shim.xml, to be completed\n"
        "kit    for a part without an operating system: writes a folder (-o) with programs that fit it, to be "
        "compiled\n"
        "       by the vendor's toolchain; without -o: how many programs fit parts of several sizes\n"
        "import-log  makes measurements.csv of the text that the kit's images printed: 'shimgen build BOARD\n"
        "       --measurements' takes it. What did not come whole is left out and named; what cannot be believed is "
        "refused\n"
        "BOARD is a board's name or the path of its folder (default: host).",
    .options = options,
    .options_size = sizeof(struct options),
    .operands = "list|show|check|new|kit|import-log BOARD",
    .min_args = 1,
    .max_args = -1,
    .run = run,
};
