/* shimgen board: lists, shows, checks and creates boards; kits for parts; packs of models. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "regress/regress.h"
#include "shimgen/board/board_check.h"
#include "shimgen/board/board_findings.h"
#include "shimgen/board/board_new.h"
#include "shimgen/board/board_options.h"
#include "shimgen/board/board_show.h"
#include "shimgen/commands.h"
#include "shimgen/kit/import_log.h"
#include "shimgen/kit/kit_folder.h"
#include "shimgen/publish/model_pack.h"
#include "shimgen/units/outputs.h"

struct options {
    struct board_choice board;
    struct board_template new;
    const char *format;
    const char *out, *part;
    struct kit_order kit;
    struct {
        const char *results, *skeleton, *samples;
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

static enum status create(const struct options *o, const struct cli_args *args, struct error *e)
{
    const char *name = args->argv[1];
    if (o->new.from && (o->new.target || o->new.topology))
        return usage_error(e, "--from takes all from the other board; leave out --target and --topology");
    enum status s = board_new(name, &o->new, e);
    if (!s)
        printf("%s/ is there. Now: correct %s/board.ini and %s/skeleton.shim.xml, then 'shimgen board check %s'\n",
               name, name, name, name);
    return s;
}

static enum status kit(const struct options *o, const struct cli_args *args, struct error *e)
{
    struct board *b = 0;
    struct kit_order order = o->kit;
    order.out = o->out;
    if (order.n < 0)
        return usage_error(e, "-n %ld is not a number of programs", order.n);
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

static enum status publish(const struct options *o, const struct cli_args *args, struct error *e)
{
    struct board *b = 0;
    struct outputs out = {0};
    enum status s = board_load(&b, board_operand(args, 1), e);
    if (s)
        return s;
    outputs_init(&out, b->name, o->pack.results);
    char *path = o->out ? xstrdup(o->out) : xasprintf("%s.shimpack", b->name);
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
    return model_merge(o->pack.skeleton, args->argv + 1, (size_t)args->argc - 1, o->out, e);
}

/* Options that only some actions have, and the message for using them with another action. */
enum { CHANGES = 1, TEMPLATE = 2, OUT = 4, KIT = 8, PART = 16, RESULTS = 32, SKELETON = 64, SAMPLES = 128 };
static const struct {
    unsigned option;
    const char *refusal;
} some[] = {{CHANGES, "options that change a board are for 'board show', 'check' and 'kit'"},
            {TEMPLATE, "--from, --target and --topology are for 'board new'"},
            {OUT, "-o is for 'board kit', 'import-log', 'publish' and 'merge'"},
            {KIT, "--programs, -n, --list and --jobs are for 'board kit'"},
            {PART, "--part is for 'board import-log'"},
            {RESULTS, "--results is for 'board publish'"},
            {SKELETON, "--skeleton is for 'board merge'"},
            {SAMPLES, "--samples is for 'board verify'"}};

static unsigned given(const struct options *o)
{
    const struct board_choice *c = &o->board;
    const struct kit_order *k = &o->kit;
    bool changes = c->runs || c->levels || c->cache || c->core || c->source || c->ssh || c->measurements;
    return (changes ? CHANGES : 0) | (o->new.from || o->new.target || o->new.topology ? TEMPLATE : 0) |
           (o->out ? OUT : 0) | (k->programs || k->n || k->jobs || k->list ? KIT : 0) | (o->part ? PART : 0) |
           (o->pack.results ? RESULTS : 0) | (o->pack.skeleton ? SKELETON : 0) | (o->pack.samples ? SAMPLES : 0);
}

static const struct {
    const char *name;
    int least, most; /* number of operands; most -1: any */
    unsigned options;
    enum status (*run)(const struct options *o, const struct cli_args *args, struct error *e);
    const char *operand; /* what the first operand is */
} actions[] = {{"list", 0, 0, 0, list, 0},
               {"show", 0, 1, CHANGES, show, "board"},
               {"check", 0, 1, CHANGES, check, "board"},
               {"new", 1, 1, TEMPLATE, create, "board"},
               {"kit", 1, 1, CHANGES | OUT | KIT, kit, "board"},
               {"import-log", 1, -1, OUT | PART, take_log, "log"},
               {"publish", 0, 1, OUT | RESULTS, publish, "board"},
               {"verify", 1, 1, SAMPLES, verify, "pack"},
               {"merge", 1, -1, OUT | SKELETON, merge, "pack"}};

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        if (strcmp(actions[i].name, args->argv[0]) != 0)
            continue;
        if (args->argc - 1 < actions[i].least)
            return usage_error(e, "board %s: name a %s", actions[i].name, actions[i].operand);
        if (actions[i].most >= 0 && args->argc - 1 > actions[i].most)
            return usage_error(e, "board %s: one operand too many: '%s'", actions[i].name,
                               args->argv[1 + actions[i].most]);
        for (size_t k = 0; k < sizeof some / sizeof *some; k++)
            if (given(o) & some[k].option & ~actions[i].options)
                return usage_error(e, "board %s: %s", actions[i].name, some[k].refusal);
        return actions[i].run(o, args, e);
    }
    return usage_error(
        e, "'board %s' is not known; there are list, show, check, new, kit, import-log, publish, verify and merge",
        args->argv[0]);
}

static const struct cli_option options[] = {
    {CLI_CHOICE, "format", 'f', "text|json", "text", "output format", offsetof(struct options, format)},
    {CLI_TEXT, "from", 0, "BOARD", 0, "new: start from this board", offsetof(struct options, new.from)},
    {CLI_TEXT, "target", 0, "TRIPLE", 0, "new: target triple (default: this machine)",
     offsetof(struct options, new.target)},
    {CLI_TEXT, "topology", 0, "WHAT", 0, "new: the skeleton's hardware, as in 'shim-xml new --topology'",
     offsetof(struct options, new.topology)},
    {CLI_TEXT, "output", 'o', "FILE", 0,
     "kit: the folder; import-log: the table (default: measurements.csv); publish: the pack (default: BOARD.shimpack); "
     "merge: the SHIM file (default: standard output)",
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
    .synopsis =
        "board list | show [BOARD] | check [BOARD] | new NAME | kit BOARD | import-log LOG... | publish [BOARD] | "
        "verify PACK | merge [CORES=]PACK... [options]",
    .summary = "Lists boards; shows, checks, creates one; measures parts without an operating system by a kit; packs a "
               "board's model for others, checks and merges such packs.",
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
        "       --measurements' takes it. Incomplete results are left out and named; implausible ones are refused\n"
        "publish  packs a build's SHIM file with all that it was made of, in one file; equal files give equal bytes\n"
        "verify   checks such a pack and says what it was made from. Exit 1: something is wrong with it\n"
        "merge    the SHIM file of a part from packs of its cores: each pack's values go to cores of its "
        "architecture,\n"
        "         with CORES= to those of them whose names match\n"
        "BOARD is a board's name or the path of its folder (default: host).",
    .options = options,
    .options_size = sizeof(struct options),
    .operands = "list|show|check|new|kit|import-log|publish|verify|merge BOARD",
    .min_args = 1,
    .max_args = -1,
    .run = run,
};
