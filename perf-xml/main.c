/* main.c - the perf-xml program: its table of commands. */
#include "perf-xml/commands.h"

int main(int argc, char **argv)
{
    const struct cli_command commands[] = {cmd_convert, cmd_check, cmd_show, cmd_get, cmd_diff, cmd_page, {0}};
    const struct cli_program program = {
        .name = "perf-xml",
        .summary = "Converts profiles to open XML, checks, shows and compares them.",
        .epilogue =
            "A FILE is a .cubex profile (Score-P, Cube 4), performance XML, what 'irprof report --format json',\n"
            "'shimgen estimate --format json', 'perf stat -x,', 'perf stat -j' or 'likwid-perfctr -O' print, packed "
            "by\n"
            "gzip or not.\n"
            "example:\n"
            "  perf-xml convert profile.cubex -o profile.xml.gz\n"
            "  perf-xml show profile.xml.gz\n"
            "  perf-xml get profile.xml.gz 'process=3 thread=0 time'\n"
            "  perf-xml diff --tolerance 0.05 before.xml.gz profile.xml.gz\n"
            "  perf-xml page profile.xml.gz -o profile.html",
        .commands = commands,
    };
    return cli_main(&program, argc, argv);
}
