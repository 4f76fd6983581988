/* shimgen cc, shimgen c++: irprof's compiler, told what to simulate by a SHIM file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "shimgen/commands.h"
#include "shimgen/estimate/compile.h"
#include "shimgen/build/outputs.h"
#include "shimgen/profile/shim_simulated.h"

struct own {
    const char *shim, *board, *core;
    bool strict;
    int used; /* words */
};

/* Our own options come first; what follows is the compiler's. */
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

/* The file of a board that was built; the caller frees. */
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

/* What IRPROF_FLAGS says already comes after, and so wins. */
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

static enum status drive(const char *command, const struct cli_args *args, struct error *e)
{
    struct own o;
    struct board_args list = {0};
    char *shim = 0, *why = 0;
    enum status s = read_own(&o, args, e);
    if (!s)
        s = file_of(&shim, &o, e);
    if (!s)
        s = shim_simulated(&list, shim, o.core, o.strict, &why, e);
    if (!s && why && links(args, o.used))
        fprintf(stderr, "shimgen: no caches are simulated: %s\n", why);
    if (!s)
        set_flags(&list);
    free(why);
    free(shim);
    board_args_release(&list);
    return s ? s : become(command, args, o.used, e);
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
        "NAME' wrote into out/NAME. --core works as in 'shimgen estimate'. Caches that the file does not describe\n"
        "are not simulated; the link prints a note, with --strict an error. Options in IRPROF_FLAGS take\n"
        "precedence. The program starts with empty caches, as on the machine.\n"
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
