/* completion.h - what shells need to complete a program's command lines, made from its tables. */
#ifndef BASE_COMPLETION_H
#define BASE_COMPLETION_H

#include "base/cli.h"
#include "base/str.h"

/* To standard output. `what`: "bash", "zsh" (a script for that shell), or "table": a line for each option, with tabs
 * between command, option, letter, kind, value, "shown" or "former", and help. */
enum status cli_completion(const struct cli_program *p, const char *what, struct error *e) MUST_CHECK;

/* ---- between the files that make them ---- */

/* What an option's value or an operand is: FILE, FOLDER, BOARD, CLASSES, words ("lru fifo"), or nothing that a shell
 * knows (""); with "list " before it where several go with commas between. */
void completion_value(struct str *to, const struct cli_option *o);
/* Of operand `i`, from 0. */
void completion_operand(struct str *to, const struct cli_command *c, size_t i);
size_t completion_operands(const struct cli_command *c); /* how many differ */
/* The program's name as part of a shell function's. */
void completion_name(struct str *to, const struct cli_program *p);
/* The text with the name for each @ that is not the @ of "$@". */
void completion_print(const char *text, const char *name);
void completion_zsh(const struct cli_program *p);

#endif
