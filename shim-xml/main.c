/* main.c - the shim-xml program: its table of commands. */
#include "shim-xml/commands.h"

int main(int argc, char **argv)
{
    const struct cli_command commands[] = {cmd_check, cmd_new,  cmd_merge,  cmd_memory, cmd_get,     cmd_set,
                                           cmd_show,  cmd_diff, cmd_export, cmd_import, cmd_convert, {0}};
    const struct cli_program program = {
        .name = "shim-xml",
        .summary = "Checks, makes, fills, changes, shows, compares and converts SHIM files.",
        .epilogue = "example: a description of this machine with the values of a model:\n"
                    "  shim-xml new --detect -o skeleton.xml\n"
                    "  shim-xml merge skeleton.xml model.json -o machine.shim.xml\n"
                    "  shim-xml check machine.shim.xml\n"
                    "  shim-xml show --format svg machine.shim.xml -o machine.svg",
        .commands = commands,
    };
    return cli_main(&program, argc, argv);
}
