/* commands.h - the program's commands, one file each (cmd_<name>.c). */
#ifndef SHIMXML_COMMANDS_H
#define SHIMXML_COMMANDS_H

#include "base/cli.h"

extern const struct cli_command cmd_check, cmd_new, cmd_merge, cmd_memory, cmd_show, cmd_convert, cmd_diff, cmd_export,
    cmd_import, cmd_get, cmd_set;

#endif
