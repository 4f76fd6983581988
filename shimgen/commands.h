/* commands.h - the program's commands, one file each (cmd_<name>.c). */
#ifndef SHIMGEN_COMMANDS_H
#define SHIMGEN_COMMANDS_H

#include "base/cli.h"

extern const struct cli_command cmd_build, cmd_measure, cmd_profile, cmd_estimate, cmd_blocks, cmd_report, cmd_doctor,
    cmd_board, cmd_coverage, cmd_generate, cmd_micro, cmd_tune, cmd_crossval, cmd_cc, cmd_cxx, cmd_events, cmd_map,
    cmd_core, cmd_compare, cmd_offload, cmd_demo, cmd_task;

#endif
