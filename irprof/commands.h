/* commands.h - the commands of the program irprof, one per cmd_*.c; main.c has the table. */
#ifndef IRPROF_COMMANDS_H
#define IRPROF_COMMANDS_H

#include "base/cli.h"
#include "irprof/irprof.h"

extern const struct cli_command cmd_cc, cmd_cxx, cmd_instrument, cmd_report, cmd_table, cmd_merge, cmd_cflags, cmd_libs,
    cmd_stamp, cmd_history, cmd_kernel, cmd_prove;

/* A profile named on the command line, as PROFILE or NAME=PROFILE. */
struct operand {
    char *name;                     /* owned: NAME, or the program's name in the profile */
    struct irprof_profile *profile; /* owned */
};
/* Reads all operands; operands_free *out. */
enum status operands_read(struct operand **out, const struct cli_args *args, struct error *e) MUST_CHECK;
void operands_free(struct operand *o, size_t n); /* NULL is fine */

#endif
