/* shimgen cc, shimgen c++: irprof's compiler, with the simulation that a SHIM file describes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/proc.h"
#include "base/progress.h"
#include "base/str.h"
#include "boards/boards.h"
#include "shimgen/commands.h"
#include "shimgen/estimate/compile.h"
#include "shimgen/estimate/kept_ir.h"
#include "shimgen/profile/shim_simulated.h"
#include "shimgen/units/outputs.h"

struct own {
    const char *shim, *board, *core;
    bool strict;
    int used; /* number of words */
};

/* Options of shimgen's own come first; the rest is the compiler's. */
static enum status read_own(struct own *o, const struct cli_args *args, struct error *e)
{
    *o = (struct own){0};
    for (int i = 0; i < args->argc; o->used = i) {
        const char *word = args->argv[i];
        const char **value = strcmp(word, "--shim") == 0    ? &o->shim
                             : strcmp(word, "--board") == 0 ? &o->board
                             : strcmp(word, "--core") == 0  ? &o->core
                                                            : 0;
        bool strict = strcmp(word, "--strict") == 0;
        if (!value && !strict)
            break;
        o->strict |= strict;
        i += strict ? 1 : 2;
        if (value && i > args->argc)
            return usage_error(e, "%s lacks its value", word);
        if (value)
            *value = args->argv[i - 1];
    }
    if (!o->shim == !o->board)
        return usage_error(e, o->shim ? "--shim and --board exclude each other"
                                      : "whose caches and predictor? --shim FILE or --board NAME must come first");
    return OK;
}

/* The SHIM file of a board that was built. The caller frees. */
static enum status file_of(char **path, const struct own *o, struct error *e)
{
    if (o->shim) {
        *path = xstrdup(o->shim);
        return OK;
    }
    struct outputs out;
    outputs_init(&out, o->board, 0);
    const char *found = file_exists(out.shim) ? out.shim : 0;
    *path = found ? xstrdup(found) : 0;
    enum status s = found
                        ? OK
                        : error_set(e, ERR_INPUT, NOWHERE,
                                    "there is no %s here: 'shimgen build %s' makes it; --shim FILE names it elsewhere",
                                    out.shim, o->board);
    outputs_release(&out);
    return s;
}

static bool links(const struct cli_args *args, int first)
{
    for (int i = first; i < args->argc; i++) {
        const char *w = args->argv[i];
        if (strcmp(w, "-c") == 0 || strcmp(w, "-S") == 0 || strcmp(w, "-E") == 0 || strcmp(w, "-M") == 0 ||
            strcmp(w, "-MM") == 0)
            return false;
    }
    return first < args->argc;
}

/* The contents of IRPROF_FLAGS come last, and so take precedence. */
static void set_flags(const struct board_args *list)
{
    struct str text = STR_INIT;
    const char *given = getenv("IRPROF_FLAGS");
    for (size_t i = 0; i < list->n; i++)
        str_addf(&text, "%s%s", i ? " " : "", list->at[i]);
    if (given && *given)
        str_addf(&text, " %s", given);
    setenv("IRPROF_FLAGS", str_text(&text), 1);
    str_release(&text);
}

static enum status become(const char *command, const struct cli_args *args, int first, struct error *e)
{
    char *irprof = resource_program("irprof");
    const char **argv = xcalloc((size_t)args->argc + 3, sizeof *argv);
    size_t n = 0;
    argv[n++] = irprof;
    argv[n++] = command;
    for (int i = first; i < args->argc; i++)
        argv[n++] = args->argv[i];
    execv(irprof, (char *const *)argv);
    enum status s = error_errno(e, AT_FILE(irprof), "cannot be run");
    free(argv);
    free(irprof);
    return s;
}

/* ---- for a described board ---- */

/* Flags of its target and of all levels. The level itself is the user's. */
static void add_target_flags(const struct board *b, struct board_args *list)
{
    struct board_args flags = {0};
    board_compile_flags(b, b->levels[b->n_levels - 1].name, &flags);
    for (size_t i = 0; i < flags.n; i++)
        if (strncmp(flags.at[i], "-O", 2) != 0)
            ARGS_ADD(list, flags.at[i]);
    board_args_release(&flags);
}

/* Passes the runtime's objects, one per line, in IRPROF_RUNTIME. */
static enum status set_runtime(const struct board *b, const char *work, struct error *e)
{
    struct board_args objects = {0};
    struct str text = STR_INIT;
    enum status s = compile_counted_link(b, work, &objects, e);
    for (size_t i = 0; i < objects.n; i++)
        str_addf(&text, "%s\n", objects.at[i]);
    if (!s)
        setenv("IRPROF_RUNTIME", str_text(&text), 1);
    str_release(&text);
    board_args_release(&objects);
    return s;
}

/* The output of a link: the operand of -o, else a.out. */
static const char *linked_name(const struct cli_args *args, int first)
{
    const char *name = "a.out";
    for (int i = first; i < args->argc; i++) {
        if (strcmp(args->argv[i], "-o") == 0 && i + 1 < args->argc)
            name = args->argv[i + 1];
        else if (strncmp(args->argv[i], "-o", 2) == 0 && args->argv[i][2])
            name = args->argv[i] + 2;
    }
    return name;
}

/* Keeps the IR of what was linked: for sources it is in `work`, for objects beside them. */
static enum status keep_linked(const struct cli_args *args, int first, const char *work, struct error *e)
{
    struct board_args files = {0};
    for (int i = 0; i < args->argc; i++) {
        char *compiled = xasprintf("%s/%d.bc", work, i), *beside = xasprintf("%s.bc", args->argv[i]);
        if (file_exists(compiled))
            ARGS_ADD(&files, compiled);
        if (i >= first && file_exists(beside))
            ARGS_ADD(&files, beside);
        free(compiled);
        free(beside);
    }
    enum status s = files.n ? kept_ir_write(linked_name(args, first), (const char *const *)files.at, e) : OK;
    board_args_release(&files);
    return s;
}

static enum status run_driver(const struct board *b, const char *command, const struct cli_args *args, int first,
                              struct error *e)
{
    struct board_args words = {0};
    char *irprof = resource_program("irprof");
    ARGS_ADD(&words, irprof, command);
    add_target_flags(b, &words);
    for (int i = first; i < args->argc; i++)
        ARGS_ADD(&words, args->argv[i]);
    struct proc p = {.argv = (const char *const *)words.at, .input = true, .cpu = -1};
    struct proc_result r = PROC_RESULT_INIT;
    setenv("IRPROF_CC", b->compiler, 0);
    enum status s = proc_run(&p, &r, e);
    if (!s && (r.signal || r.exit_code))
        s = error_set(e, ERR_FOUND, NOWHERE, "irprof %s failed", command);
    proc_result_release(&r);
    board_args_release(&words);
    free(irprof);
    return s;
}

/* Compiles for the board's target, links its runtime, keeps the IR. */
static enum status drive_board(const struct board *b, const char *command, const struct cli_args *args, int first,
                               struct error *e)
{
    char *work = 0;
    bool link = links(args, first);
    enum status s = temp_directory(&work, "shimgen-cc", e);
    if (s)
        return s;
    setenv("IRPROF_KEEP_IR", work, 1);
    if (link && board_is_foreign(b))
        s = set_runtime(b, work, e);
    if (!s)
        s = run_driver(b, command, args, first, e);
    if (!s && link)
        s = keep_linked(args, first, work, e);
    enum status removed = remove_tree(work, s ? 0 : e);
    cleanup_remove(work);
    free(work);
    return s ? s : removed;
}

/* The board's description; NULL: only its build exists. */
static struct board *described(const char *name)
{
    struct board *b = 0;
    struct error ignored = ERROR_INIT;
    if (name && board_load(&b, name, &ignored))
        b = 0;
    error_release(&ignored);
    return b;
}

/* Adds what is simulated, from a SHIM file. */
static enum status simulate(const struct own *o, const struct cli_args *args, struct error *e)
{
    struct board_args list = {0};
    char *shim = 0, *why = 0;
    enum status s = file_of(&shim, o, e);
    if (!s)
        s = shim_simulated(&list, shim, o->core, o->strict, &why, e);
    if (!s && why && links(args, o->used))
        progress_note("shimgen: no caches are simulated: %s", why);
    if (!s)
        set_flags(&list);
    free(why);
    free(shim);
    board_args_release(&list);
    return s;
}

/* Is the board built? A described board can be compiled for before that; then nothing is simulated. */
static bool is_built(const struct own *o)
{
    struct outputs out;
    outputs_init(&out, o->board, 0);
    bool built = file_exists(out.schedule_shim) || file_exists(out.shim);
    outputs_release(&out);
    return built;
}

static enum status drive(const char *command, const struct cli_args *args, struct error *e)
{
    struct own o;
    enum status s = read_own(&o, args, e);
    if (s)
        return s;
    struct board *b = described(o.board);
    if (b && board_is_foreign(b) && !is_built(&o) && !o.strict) {
        if (links(args, o.used))
            progress_note("shimgen: no caches are simulated: 'shimgen build %s' makes the SHIM file that has them",
                          o.board);
    } else {
        s = simulate(&o, args, e);
    }
    if (!s)
        s = b && board_is_foreign(b) ? drive_board(b, command, args, o.used, e) : become(command, args, o.used, e);
    board_free(b);
    return s;
}

static enum status run(const void *options, const struct cli_args *args, struct error *e)
{
    (void)options;
    return drive("cc", args, e);
}

static enum status run_cxx(const void *options, const struct cli_args *args, struct error *e)
{
    (void)options;
    return drive("c++", args, e);
}

const struct cli_command cmd_cc = {
    .name = "cc",
    .synopsis = "cc --shim FILE|--board NAME [--core NAME] [--strict] CLANG-OPTIONS FILE...",
    .summary = "Compiles and links like 'irprof cc', and simulates the caches and the predictor of a SHIM file.",
    .details =
        "make CC='shimgen cc --shim FILE' CXX='shimgen c++ --shim FILE': also works with cmake and configure. A\n"
        "build that changes folders needs the file's absolute path. --board NAME uses the file that 'shimgen build\n"
        "NAME' wrote into out/NAME. If the board has another target, the program is compiled for it and linked with\n"
        "the board's runtime. Run it with the board's emulator, as in 'qemu-aarch64 ./prog', or on the board. Its IR\n"
        "is kept in PROGRAM.ir for 'shimgen estimate --method compiled --board NAME'. --core works as in 'shimgen\n"
        "estimate'. Caches that the file does not describe are not simulated: the link prints a note, or with\n"
        "--strict an error. Options in IRPROF_FLAGS take precedence. The program starts with empty caches, as on\n"
        "the machine.\n"
        "Then: ./prog, shimgen estimate --shim FILE irprof.out",
    .raw = true,
    .max_args = -1,
    .run = run,
};

const struct cli_command cmd_cxx = {
    .name = "c++",
    .synopsis = "c++ --shim FILE|--board NAME [--core NAME] [--strict] CLANG++-OPTIONS FILE...",
    .summary = "The same for C++, like 'irprof c++': make CC='shimgen cc --shim FILE' CXX='shimgen c++ --shim FILE'.",
    .details = "Like 'shimgen cc', and links the C++ library.",
    .raw = true,
    .max_args = -1,
    .run = run_cxx,
};
