/* main.c - the shimgen program: its table of commands. */
#include "base/cli.h"
#include "shimgen/commands.h"

int main(int argc, char **argv)
{
    static struct cli_command commands[24];
    size_t n = 0;
    commands[n++] = cmd_build;
    commands[n++] = cmd_measure;
    commands[n++] = cmd_micro;
    commands[n++] = cmd_profile;
    commands[n++] = cmd_cc;
    commands[n++] = cmd_cxx;
    commands[n++] = cmd_estimate;
    commands[n++] = cmd_tune;
    commands[n++] = cmd_crossval;
    commands[n++] = cmd_blocks;
    commands[n++] = cmd_report;
    commands[n++] = cmd_coverage;
    commands[n++] = cmd_events;
    commands[n++] = cmd_generate;
    commands[n++] = cmd_doctor;
    commands[n++] = cmd_board;
    const struct cli_program program = {
        .name = "shimgen",
        .summary =
            "Builds SHIM performance models by counting, measuring and regression, and estimates programs from them.",
        .epilogue = "environment:\n"
                    "  SHIMGEN_PREFIX  where the product's own files are (default: beside the running program)\n"
                    "  TMPDIR          for temporary files\n\n"
                    "example: a model of this machine, then the cycles of a program of one's own:\n"
                    "  shimgen build host\n"
                    "  shimgen cc --board host -O2 -g prog.c -o prog && ./prog\n"
                    "  shimgen estimate --shim out/host/host.schedule.shim.xml irprof.out\n"
                    "the misses it would have in the caches of a board that is not there:\n"
                    "  shimgen profile --shim board.shim.xml prog.c -o prog.prof && irprof report prog.prof",
        .commands = commands,
    };
    return cli_main(&program, argc, argv);
}
