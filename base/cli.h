/*
 * cli.h - command lines: a program is a table of commands, a command a table of
 * options. The tables drive parsing, --help, and the test against the manual.
 */
#ifndef BASE_CLI_H
#define BASE_CLI_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

#define SHIMGEN_VERSION "0.1.0"

enum cli_kind {
    CLI_END,
    CLI_BOOL,    /* bool: --name */
    CLI_TEXT,    /* const char *: --name VALUE or --name=VALUE; borrowed from argv or the table */
    CLI_INTEGER, /* long */
    CLI_REAL,    /* double, finite */
    CLI_CHOICE   /* const char *: one of the words in `choices` (separated by '|') */
};
/* A row without help is a former name or letter of the row with the same offset: scripts may use it, nothing shows it.
 */
struct cli_option {
    enum cli_kind kind;
    const char *name;    /* without dashes */
    char letter;         /* short form, or 0 */
    const char *arg;     /* name of the value in the help; for CLI_CHOICE the words, "a|b|c" */
    const char *initial; /* default as text, shown in the help; NULL: none (NULL, 0, false) */
    const char *help;    /* NULL: a former name */
    size_t offset;       /* of the member in the command's options struct */
};
/* What is left when the options are taken out. */
struct cli_args {
    const char *program; /* "regress": stands in messages */
    const char *command; /* "fit" */
    char **argv;
    int argc;
    int before; /* how many of them stand before "--"; argc where there is none. The rest is for commands that run
                   programs */
};
struct cli_command {
    const char *name;
    const char *synopsis;             /* "fit DATA.csv [options]", after the program's name */
    const char *summary;              /* one line */
    const char *details;              /* further text for --help; may be NULL */
    const struct cli_option *options; /* ends with CLI_END; NULL: none */
    size_t options_size;              /* sizeof of the options struct */
    int min_args, max_args;           /* operands; max -1: any number */
    /* What operands are, for completion, a word for each, the last for all that follow: FILE, FOLDER, BOARD, CLASSES,
     * or "a|b". NULL: FILE. */
    const char *operands;
    bool raw; /* take all that follows the command's name unparsed (options NULL), "--help" alone excepted */
    enum status (*run)(const void *options, const struct cli_args *args, struct error *e);
};
struct cli_program {
    const char *name;
    const char *summary;
    const char *epilogue;               /* end of the program's --help: files, environment, examples; may be NULL */
    const struct cli_command *commands; /* ends with name NULL */
};

/* Every --help says it; -h is the same. A hidden word, "program --completion bash|zsh|table", prints cli_completion.
 * The whole of a main: finds the command, parses, runs, prints the error, checks that standard output was written.
 * Exit code: 0 OK, 2 usage, 1 anything else. Options and operands may be mixed; "--" ends options. */
int cli_main(const struct cli_program *p, int argc, char **argv);

/* Refusal of an operand or of a combination of options: ERR_USAGE, "see 'program command --help'" is added when
 * printed. */
enum status usage_error(struct error *e, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* "a,b,c" into its parts, blanks trimmed, empty parts refused as usage errors naming `what`.
 * *parts is one allocation to free (array and texts). */
enum status split_list(const char *text, const char *what, char ***parts, size_t *n, struct error *e) MUST_CHECK;

#endif
