/* main.c - the irprof program: its table of commands. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/llvm_programs.h"
#include "irprof/commands.h"

/* Build systems want a compiler in one word: called as irprof-cc or irprof-c++, the command is in the program's
 * name. */
static char **with_command(int *argc, char **argv)
{
    static char command[2][4] = {"cc", "c++"}, program[] = "irprof";
    const char *name = argv[0] ? path_basename(argv[0]) : "";
    int which = strcmp(name, "irprof-cc") == 0 ? 0 : strcmp(name, "irprof-c++") == 0 ? 1 : -1;
    if (which < 0)
        return argv;
    char **longer = xcalloc((size_t)*argc + 2, sizeof *longer);
    longer[0] = program;
    longer[1] = command[which];
    memcpy(longer + 2, argv + 1, (size_t)*argc * sizeof *longer);
    ++*argc;
    return longer;
}

/* irprof stamp --prove BASE STAMPED ... means irprof prove --stamp BASE STAMPED ... */
static void turn_to_prove(int argc, char **words)
{
    static char command[] = "prove", option[] = "--stamp";
    if (argc < 2 || strcmp(words[1], cmd_stamp.name) != 0)
        return;
    for (int i = 2; i < argc && strcmp(words[i], "--") != 0; i++)
        if (strcmp(words[i], "--prove") == 0) {
            words[1] = command;
            words[i] = option;
        }
}

int main(int argc, char **argv)
{
    const struct cli_command commands[] = {cmd_cc,     cmd_cxx,  cmd_instrument, cmd_report,  cmd_table,  cmd_merge,
                                           cmd_cflags, cmd_libs, cmd_stamp,      cmd_history, cmd_kernel, cmd_prove,
                                           {0}};
    const struct cli_program program = {
        .name = "irprof",
        .summary = "Counts executed LLVM IR instructions.",
        .epilogue = "environment:\n"
                    "  IRPROF_OUT       where an instrumented program writes its profile (irprof.out); %p is its "
                    "process number\n"
                    "  IRPROF_CC        the clang that 'irprof cc' runs (" CLANG_PROGRAM ")\n"
                    "  IRPROF_FLAGS     options of 'irprof instrument' for 'irprof cc', separated by spaces\n"
                    "  IRPROF_COUNTERS  the same as --counters in IRPROF_FLAGS\n"
                    "  IRPROF_STAMP_OUT where a program with stamps writes them (irprof.stamps); %p as above\n"
                    "  IRPROF_STAMPS    stamps that a thread has room for (65536)\n"
                    "  IRPROF_STAMP_FLIP, IRPROF_SLEDS  1: replaced stores write results; 0: sleds stay as compiled\n"
                    "\n"
                    "example:\n"
                    "  irprof cc -O2 -g fir.c -o fir && ./fir && irprof report --by line irprof.out\n",
        .commands = commands,
    };
    char **words = with_command(&argc, argv);
    turn_to_prove(argc, words);
    int code = cli_main(&program, argc, words);
    if (words != argv)
        free(words);
    return code;
}
