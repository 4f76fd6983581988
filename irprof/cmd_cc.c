/* cmd_cc.c - irprof cc, c++: a compiler that also instruments. */
#include <stdlib.h>
#include <string.h>

#include "base/llvm_programs.h"
#include "irprof/cc/cc.h"
#include "irprof/commands.h"

/* Is there anything to compile or link? If not ("-v", "--help" ...), clang answers. */
static bool has_input(const struct cc_line *line)
{
    if (line->n_sources || (line->n_others && !line->compile_only))
        return true;
    for (size_t i = 0; i < line->words.n && !line->compile_only; i++)
        if (line->words.at[i].kind == CC_LINK && line->words.at[i].text[0] != '-')
            return true;
    return false;
}

static enum status drive(char **argv, int argc, struct error *e)
{
    struct cc_line line;
    enum status s = cc_parse(&line, argv, argc, e);
    if (s)
        return s;
    if (line.pass_through || !has_input(&line))
        s = cc_become(argv, argc, e);
    else
        s = cc_run(&line, e);
    cc_line_release(&line);
    return s;
}

static enum status run(const void *options, const struct cli_args *args, struct error *e)
{
    (void)options;
    return drive(args->argv, args->argc, e);
}

static enum status run_cxx(const void *options, const struct cli_args *args, struct error *e)
{
    (void)options;
    static char mode[] = "--driver-mode=g++";
    char **argv = xcalloc((size_t)args->argc + 2, sizeof *argv);
    argv[0] = mode;
    memcpy(argv + 1, args->argv, (size_t)args->argc * sizeof *argv);
    enum status s = drive(argv, args->argc + 1, e);
    free(argv);
    return s;
}

const struct cli_command cmd_cc = {
    .name = "cc",
    .synopsis = "cc CLANG-OPTIONS FILE...",
    .summary = "Compiles and links like clang, and adds counters: make CC='irprof cc'.",
    .details =
        "C, C++, Objective-C and LLVM IR get counters. Assembler, objects and libraries are used as they are; the\n"
        "profile lists those without counters as not counted. -v prints the commands. Environment: IRPROF_CC is\n"
        "the clang to run (" CLANG_PROGRAM
        "); IRPROF_FLAGS are options of 'irprof instrument', separated by spaces. The\n"
        "program irprof-cc is the same command as one word. IRPROF_RUNTIME (objects, one a line) replaces the runtime\n"
        "that is linked, for another target; IRPROF_KEEP_IR=FOLDER keeps the IR that is counted, with -c as "
        "OBJECT.bc.\n"
        "--stamp POINTS puts timestamps in, not counters ('irprof stamp --help' says what POINTS are), in the way of\n"
        "--stamp-mode=add|replace|sled, with --stamp-results=OBJECTS.",
    .raw = true,
    .max_args = -1,
    .run = run,
};

const struct cli_command cmd_cxx = {
    .name = "c++",
    .synopsis = "c++ CLANG++-OPTIONS FILE...",
    .summary = "The same for C++, like clang++: make CC='irprof cc' CXX='irprof c++'.",
    .details = "Like 'irprof cc', and links the C++ library. The program irprof-c++ is the same command as one word.",
    .raw = true,
    .max_args = -1,
    .run = run_cxx,
};
