/* shimgen profile SOURCE... [-- ARGUMENTS]: what a program executes, and how the caches, branch predictor and registers
 * of a board would behave; the board need not exist. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"
#include "shimgen/board/board_options.h"
#include "shimgen/commands.h"
#include "shimgen/estimate/compile.h"
#include "shimgen/profile/profile_program.h"
#include "shimgen/profile/shim_caches.h"
#include "shimgen/estimate/shim_core.h"
#include "shimgen/profile/shim_simulated.h"

struct options {
    const char *shim, *core, *l1d, *l2, *prefetch, *policy, *branches, *switches, *spills, *steps, *instances, *level,
        *cflags, *libs, *output, *board, *ssh;
    bool memory, flags, traffic;
};

/* Adds a level's geometry as an option of irprof; `given` on the command line takes precedence. */
static enum status add_level(struct board_args *list, const struct options *o, const char *option, const char *given,
                             const struct shimxml_cache *c, enum sim_replacement said, struct sim_cache *geometry,
                             struct error *e)
{
    enum sim_replacement policy = o->policy ? shim_cache_replacement(o->policy) : said;
    if (given) {
        ARGS_ADD(list, option, given);
        return OK;
    }
    if (!c) {
        ARGS_ADD(list, option, "none");
        return OK;
    }
    enum status s = shim_cache_geometry(geometry, c, policy, o->shim, option, e);
    if (s)
        return s;
    char *text = shim_cache_text(geometry);
    ARGS_ADD(list, option, text);
    free(text);
    return OK;
}

static enum status add_caches(struct board_args *list, const struct options *o, const struct shim_said *said,
                              struct error *e)
{
    struct shimxml_system *system = 0;
    struct data_caches found = {0, 0};
    struct sim_cache_levels levels = {0};
    size_t core = 0;
    enum status s = OK;
    if (!o->l1d || !o->l2) {
        s = shim_system(&system, o->shim, e);
        if (!s)
            s = shim_core(&core, system, o->shim, o->core, e);
        if (!s)
            s = shim_data_caches(&found, system, core, o->shim, e);
    }
    if (!s)
        s = add_level(list, o, "--l1d", o->l1d, found.l1d, said->l1d, &levels.l1d, e);
    if (!s)
        s = add_level(list, o, "--l2", o->l2, found.l2, said->l2, &levels.l2, e);
    const char *fault = !s && levels.l1d.size ? sim_cache_levels_check(&levels) : 0;
    if (fault)
        s = error_set(e, ERR_INPUT, AT_FILE(o->shim), "caches '%s' and '%s' cannot be simulated: %s", found.l1d->name,
                      found.l2->name, fault);
    shimxml_system_free(system);
    return s;
}

/* The command line takes precedence over the file. */
static void add_either(struct board_args *list, const char *option, const char *given, const char *said)
{
    if (given || said)
        ARGS_ADD(list, option, given ? given : said);
}

static enum status options_of(struct board_args *list, const struct options *o, const struct shim_said *said,
                              struct error *e)
{
    enum status s = OK;
    ARGS_ADD(list, "--sizes");
    if (o->memory || o->shim || o->l1d || o->l2 || o->prefetch)
        ARGS_ADD(list, "--memory");
    if (o->shim) {
        s = add_caches(list, o, said, e);
    } else {
        add_either(list, "--l1d", o->l1d, 0);
        add_either(list, "--l2", o->l2, 0);
    }
    add_either(list, "--spills", o->spills, said->spills);
    add_either(list, "--prefetch", o->prefetch, said->prefetcher);
    add_either(list, "--branches", o->branches, said->predictor);
    add_either(list, "--switches", o->switches, o->branches || said->predictor ? said->switches : 0);
    add_either(list, "--steps", o->steps, 0);
    add_either(list, "--instances", o->instances, 0);
    if (o->traffic)
        ARGS_ADD(list, "--traffic");
    return s;
}

/* Makes the options of irprof instrument from those of this command and from the SHIM file. */
static enum status instrument_options(struct board_args *list, const struct options *o, struct error *e)
{
    struct shim_said said = {0};
    if (o->core && !o->shim)
        return usage_error(e, "--core names a core of a SHIM file: --shim FILE is missing");
    enum status s = o->shim ? shim_said_read(&said, o->shim, o->core, e) : OK;
    if (!s)
        s = options_of(list, o, &said, e);
    shim_said_release(&said);
    return s;
}

/* IR for one target and a back end for another would give wrong code, or none. */
static enum status check_flags(const struct options *o, struct error *e)
{
    char **words = words_of(o->cflags ? o->cflags : "", " \t\n");
    enum status s = OK;
    for (char **w = words; *w && !s; w++)
        if (strncmp(*w, "--target", 8) == 0 || strcmp(*w, "-target") == 0)
            s = usage_error(
                e,
                "--cflags has %s: the target is the board's; --board NAME compiles for that of another, links "
                "its runtime and runs the program ('shimgen board list')",
                *w);
    words_free(words);
    return s;
}

static enum status profile(const struct options *o, const struct board_args *instrument, const struct cli_args *args,
                           struct error *e)
{
    struct board *b = 0;
    /* in optimised code values stay in registers, so transfers between parts would not be seen */
    char *level = xasprintf("O%s", o->traffic ? "0" : o->level);
    const struct board_choice choice = {.levels = level, .ssh = o->ssh};
    struct board_args flags = {0}, libraries = {0}, sources = {0};
    enum status s = board_choose(&b, o->board ? o->board : "host", &choice, e);
    for (int i = 0; i < args->before; i++)
        ARGS_ADD(&sources, args->argv[i]);
    args_add_words(&flags, o->cflags);
    args_add_words(&libraries, o->libs);
    const struct profile_job job = {.board = b,
                                    .level = level,
                                    .flags = (const char *const *)flags.at,
                                    .libraries = (const char *const *)libraries.at,
                                    .options = (const char *const *)instrument->at,
                                    .steps = o->steps,
                                    .instances = o->instances,
                                    .sources = (const char *const *)sources.at,
                                    .arguments = (const char *const *)args->argv + args->before,
                                    .keep_ir = o->board != 0,
                                    .output = o->output};
    if (!s)
        s = profile_run(&job, e);
    board_args_release(&flags);
    board_args_release(&libraries);
    board_args_release(&sources);
    board_free(b);
    free(level);
    return s;
}

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    struct board_args instrument = {0};
    if (strcmp(o->output, "-") == 0)
        return usage_error(e, "standard output is the program's: name a file for the profile (-o FILE)");
    if (!args->before && !o->flags)
        return usage_error(e, "no source is named");
    if (o->ssh && !o->board)
        return usage_error(e, "--ssh is for --board NAME: a board that programs are copied to and run on");
    if (o->traffic && !o->steps)
        return usage_error(e, "--traffic needs --steps FUNCTIONS: it records what is handed on within their calls");
    enum status s = check_flags(o, e);
    if (!s)
        s = instrument_options(&instrument, o, e);
    if (!s && o->flags) {
        for (size_t i = 0; i < instrument.n; i++)
            printf("%s%s", i ? " " : "", instrument.at[i]);
        putchar('\n');
    } else if (!s) {
        s = profile(o, &instrument, args, e);
    }
    board_args_release(&instrument);
    return s;
}

static const struct cli_option options[] = {
    {CLI_TEXT, "shim", 's', "FILE", 0, "simulate the data caches of a core of this SHIM file",
     offsetof(struct options, shim)},
    {CLI_TEXT, "core", 0, "NAME", 0, "MasterComponent, by name or id (default: as 'shimgen estimate' chooses)",
     offsetof(struct options, core)},
    {CLI_CHOICE, "policy", 0, "lru|fifo|random|plru", 0,
     "replacement policy of its caches (default: the SHIM file's annotation, otherwise lru)",
     offsetof(struct options, policy)},
    {CLI_BOOL, "memory", 0, 0, 0, "simulate data caches (--shim, --l1d, --l2 and --prefetch imply it)",
     offsetof(struct options, memory)},
    {CLI_TEXT, "l1d", 0, "GEOMETRY", 0, "first level, such as 32K:4:64 or 32K:4:64:plru (size, ways, line)",
     offsetof(struct options, l1d)},
    {CLI_TEXT, "l2", 0, "GEOMETRY", 0, "second level, likewise, or 'none'", offsetof(struct options, l2)},
    {CLI_TEXT, "prefetch", 0, "KIND", 0,
     "simulate a prefetcher: STREAMS:TRIGGER:AHEAD[:STRIDE], a Cortex-A53's is 2:2:5:4 (default: the SHIM file's)",
     offsetof(struct options, prefetch)},
    {CLI_TEXT, "branches", 0, "KIND", 0,
     "simulate a branch predictor, as in 'irprof instrument' (default: the SHIM file's annotation)",
     offsetof(struct options, branches)},
    {CLI_TEXT, "switches", 0, "last[:TARGETS]|known", 0,
     "with --branches, jump tables and calls through pointers: predicted to go where they went last, by a table of "
     "TARGETS entries, or never mispredicted (default: the SHIM file's)",
     offsetof(struct options, switches)},
    {CLI_TEXT, "spills", 0, "TARGET", 0,
     "count register spills of this target: TRIPLE or TRIPLE:CPU (default: the SHIM file's)",
     offsetof(struct options, spills)},
    {CLI_TEXT, "steps", 0, "FUNCTIONS", 0,
     "count each call of these functions separately, such as 'controller_step', for the best and worst step in "
     "'shimgen blocks'",
     offsetof(struct options, steps)},
    {CLI_TEXT, "instances", 0, "FUNCTIONS", 0,
     "count these functions separately for each place that calls them, such as a referenced model's step, for the "
     "inclusive cycles of each instance in 'shimgen blocks'",
     offsetof(struct options, instances)},
    {CLI_BOOL, "traffic", 0, 0, 0,
     "record the bytes that blocks hand on to each other in the functions of --steps, for 'shimgen map'; compiles "
     "without "
     "optimisation",
     offsetof(struct options, traffic)},
    {CLI_TEXT, "board", 0, "NAME", 0,
     "compile for this board, run the program in its emulator or over ssh, and keep the IR for 'shimgen estimate "
     "--method compiled' (default: this machine)",
     offsetof(struct options, board)},
    {CLI_TEXT, "ssh", 0, "USER@HOST", 0,
     "with --board: run the program on this machine, without input; its output comes when it has ended",
     offsetof(struct options, ssh)},
    {CLI_CHOICE, "optimise", 'O', "0|1|2|3|s|z", "2", "optimisation level", offsetof(struct options, level)},
    {CLI_TEXT, "cflags", 0, "FLAGS", 0, "more flags for the compiler, such as '-Iinclude -DN=100'",
     offsetof(struct options, cflags)},
    {CLI_TEXT, "libs", 0, "FLAGS", 0, "libraries to link the program with, besides -lm and -lpthread",
     offsetof(struct options, libs)},
    {CLI_TEXT, "output", 'o', "FILE", "irprof.out", "the profile", offsetof(struct options, output)},
    {CLI_BOOL, "flags", 0, 0, 0, "only print the options for 'irprof instrument' and IRPROF_FLAGS",
     offsetof(struct options, flags)},
    {0},
};
const struct cli_command cmd_profile = {
    .name = "profile",
    .synopsis = "profile SOURCE... [-o PROFILE] [options] [-- ARGUMENTS]",
    .summary = "Compiles, instruments and runs a program: counts instructions, cache misses, mispredictions, spills.",
    .details =
        "SOURCE is C, or LLVM IR (.bc, .ll), which is not optimised again. The program runs in this folder with\n"
        "the ARGUMENTS, standard input and output. If it does not exit with 0, the profile is kept and the exit\n"
        "status is 1.\n"
        "For larger programs: IRPROF_FLAGS=\"$(shimgen profile --shim FILE --flags)\" make CC=\"irprof cc\".\n"
        "Then: irprof report PROFILE, irprof table --with events PROFILE, shimgen estimate --shim FILE PROFILE.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 0,
    .max_args = -1,
    .run = run,
};
