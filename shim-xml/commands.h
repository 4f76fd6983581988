/* commands.h - the program's commands, one file each (cmd_<name>.c). */
#ifndef SHIMXML_COMMANDS_H
#define SHIMXML_COMMANDS_H

#include <stddef.h>

#include "base/cli.h"

extern const struct cli_command cmd_check, cmd_new, cmd_merge, cmd_memory, cmd_show, cmd_convert, cmd_diff, cmd_export,
    cmd_import, cmd_get, cmd_set;

/* Which processing units: options of a command whose options are a `type` with a struct shimxml_units `which`. */
// clang-format off
#define UNIT_OPTIONS(type)                                                                                             \
    {CLI_TEXT, "core", 0, "GLOB", 0, "only processing units whose name matches (default: all)",                        \
     offsetof(type, which.name)},                                                                                      \
    {CLI_TEXT, "arch", 0, "GLOB", 0, "only processing units whose arch matches (default: all)",                        \
     offsetof(type, which.arch)},                                                                                      \
    {CLI_TEXT, "id", 0, "GLOB", 0, "only processing units whose id matches (default: all)", offsetof(type, which.id)}
// clang-format on

#endif
