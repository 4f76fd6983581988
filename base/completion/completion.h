/* completion.h - what completion*.c share: shell completion of a program's command lines (cli_completion, cli.h). */
#ifndef BASE_COMPLETION_H
#define BASE_COMPLETION_H

#include "base/cli.h"
#include "base/str.h"

/* The kind of an option's value or an operand: FILE, FOLDER, BOARD, CLASSES, words ("lru fifo"), or "" if a shell
 * cannot complete it. "list " first: several values separated by commas. */
void completion_value(struct str *to, const struct cli_option *o);
/* Of operand `i`, from 0. */
void completion_operand(struct str *to, const struct cli_command *c, size_t i);
size_t completion_operands(const struct cli_command *c); /* number of operands with kinds of their own */
/* Appends the program's name in the form for a shell function's name. */
void completion_name(struct str *to, const struct cli_program *p);
/* Prints text with `name` in place of each @, except the @ of "$@". */
void completion_print(const char *text, const char *name);
void completion_zsh(const struct cli_program *p);

#endif
