#include "irprof/commands.h"

int main(int argc, char **argv)
{
    struct cli_command commands[8] = {cmd_cc, cmd_instrument, cmd_report, cmd_table, cmd_merge, cmd_cflags, cmd_libs};
    const struct cli_program program = {
        .name = "irprof",
        .summary = "counts executed LLVM IR instructions",
        .epilogue = "environment:\n"
                    "  IRPROF_OUT       where an instrumented program writes its profile (irprof.out); %p is its "
                    "process number\n"
                    "  IRPROF_CC        the clang that 'irprof cc' runs (clang-19)\n"
                    "  IRPROF_COUNTERS  auto, atomic or plain: the counters that 'irprof cc' puts in (auto)\n"
                    "\n"
                    "example:\n"
                    "  irprof cc -O2 -g fir.c -o fir && ./fir && irprof report --by line irprof.out\n",
        .commands = commands,
    };
    return cli_main(&program, argc, argv);
}
