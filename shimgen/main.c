/* main.c - the shimgen program: its table of commands. */
#include "base/cli.h"
#include "shimgen/commands.h"

int main(int argc, char **argv)
{
    const struct cli_command commands[] = {
        cmd_demo,   cmd_build,    cmd_measure, cmd_micro, cmd_profile, cmd_cc,      cmd_cxx,    cmd_estimate,
        cmd_tune,   cmd_crossval, cmd_blocks,  cmd_map,   cmd_offload, cmd_compare, cmd_report, cmd_coverage,
        cmd_events, cmd_generate, cmd_doctor,  cmd_board, cmd_core,    cmd_task,    {0}};
    const struct cli_program program = {
        .name = "shimgen",
        .summary =
            "Builds SHIM performance models by counting, measuring and regression, and estimates programs from them.",
        .epilogue = "environment:\n"
                    "  SHIMGEN_PREFIX  where shimgen's own files are (default: beside the running program)\n"
                    "  TMPDIR          for temporary files\n\n"
                    "example: a model of this machine, then the cycles of your own program:\n"
                    "  shimgen build host\n"
                    "  shimgen cc --board host -O2 -g prog.c -o prog && ./prog\n"
                    "  shimgen estimate --shim out/host/host.shim.xml irprof.out\n"
                    "the cache misses of a program on a board that you do not have:\n"
                    "  shimgen profile --shim board.shim.xml prog.c -o prog.prof && irprof report prog.prof",
        .commands = commands,
    };
    return cli_main(&program, argc, argv);
}
