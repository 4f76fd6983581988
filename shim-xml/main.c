/* main.c - the shim-xml program: its table of commands. */
#include "shim-xml/commands.h"

int main(int argc, char **argv)
{
    static struct cli_command commands[12];
    size_t n = 0;
    commands[n++] = cmd_check;
    commands[n++] = cmd_new;
    commands[n++] = cmd_merge;
    commands[n++] = cmd_memory;
    commands[n++] = cmd_get;
    commands[n++] = cmd_set;
    commands[n++] = cmd_show;
    commands[n++] = cmd_diff;
    commands[n++] = cmd_export;
    commands[n++] = cmd_import;
    commands[n++] = cmd_convert;
    const struct cli_program program = {
        .name = "shim-xml",
        .summary = "Checks, makes, fills, changes, shows, compares and converts SHIM files.",
        .epilogue = "example: a description of this machine, with the values of a model:\n"
                    "  shim-xml new --detect -o skeleton.xml\n"
                    "  shim-xml merge skeleton.xml model.json -o machine.shim.xml\n"
                    "  shim-xml check machine.shim.xml\n"
                    "  shim-xml show --format svg machine.shim.xml -o machine.svg",
        .commands = commands,
    };
    return cli_main(&program, argc, argv);
}
