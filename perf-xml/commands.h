/* commands.h - the program's commands, one file each (cmd_<name>.c). */
#ifndef PERFXML_COMMANDS_H
#define PERFXML_COMMANDS_H

#include "base/cli.h"

extern const struct cli_command cmd_convert, cmd_check, cmd_show, cmd_get, cmd_diff, cmd_page;

#endif
