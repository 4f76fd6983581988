#include "irprof/cc.h"
#include "irprof/commands.h"

/* Something to compile or to link. Without it ("-v", "--help" ...) clang answers. */
static bool has_input(const struct cc_line *line)
{
    if (line->n_sources)
        return true;
    for (size_t i = 0; i < line->words.n && !line->compile_only; i++)
        if (line->words.at[i].kind == CC_LINK && line->words.at[i].text[0] != '-')
            return true;
    return false;
}

static enum status run(const void *options, const struct cli_args *args, struct error *e)
{
    (void)options;
    struct cc_line line;
    enum status s = cc_parse(&line, args->argv, args->argc, e);
    if (s)
        return s;
    if (line.pass_through || !has_input(&line))
        s = cc_become(args->argv, args->argc, e);
    else
        s = cc_run(&line, e);
    cc_line_release(&line);
    return s;
}

const struct cli_command cmd_cc = {
    .name = "cc",
    .synopsis = "cc CLANG-OPTIONS FILE...",
    .summary = "Compiles and links like clang, with counters: make CC='irprof cc'.",
    .details = "C, C++, Objective-C and LLVM IR are counted; assembler, objects and libraries are taken as they are.\n"
               "-v prints what runs. Environment: IRPROF_CC is the clang to run (clang-19), IRPROF_COUNTERS the\n"
               "kind of counters (auto; see 'irprof instrument --help').",
    .raw = true,
    .max_args = -1,
    .run = run,
};
