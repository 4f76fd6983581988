/*
 * cli.h - command lines: a program is a table of commands, a command is a table of options. Parsing, --help, completion
 * and the test against the manual all use these tables.
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
/* A row without help is a former name or letter of the option with the same offset: scripts may use it, but nothing
 * shows it. */
struct cli_option {
    enum cli_kind kind;
    const char *name;    /* without dashes */
    char letter;         /* short form, or 0 */
    const char *arg;     /* name of the value in the help; for CLI_CHOICE the words, "a|b|c" */
    const char *initial; /* default as text, shown in the help; NULL: none (NULL, 0, false) */
    const char *help;    /* NULL: a former name */
    size_t offset;       /* offset of the member in the command's options struct */
};
/* The command line without its options. */
struct cli_args {
    const char *program; /* "regress"; used in messages */
    const char *command; /* "fit" */
    char **argv;
    int argc;
    /* Number of arguments before "--"; argc if there is none. The arguments after it are for commands that run
     * programs. */
    int before;
};
struct cli_command {
    const char *name;
    const char *synopsis;             /* "fit DATA.csv [options]": follows the program's name */
    const char *summary;              /* one line */
    const char *details;              /* more text for --help; may be NULL */
    const struct cli_option *options; /* ends with CLI_END; NULL: none */
    size_t options_size;              /* sizeof of the options struct */
    int min_args, max_args;           /* operands; max -1: any number */
    /* Kinds of operands, for completion: a word for each operand, the last word for all that follow. FILE, FOLDER,
     * BOARD, CLASSES, or "a|b". NULL: FILE. */
    const char *operands;
    bool raw; /* pass everything after the command's name unparsed (options NULL), except a lone "--help" */
    enum status (*run)(const void *options, const struct cli_args *args, struct error *e);
};
struct cli_program {
    const char *name;
    const char *summary;
    const char *epilogue;               /* end of the program's --help: files, environment, examples; may be NULL */
    const struct cli_command *commands; /* ends with name NULL */
};

/* The whole of a main: finds the command, parses its options, runs it, prints the error, checks that standard output
 * was written. -h is the same as --help. The hidden command "program --completion bash|zsh|table" prints
 * cli_completion. Exit code: 0 OK, 2 usage, 1 anything else. Options and operands may be mixed; "--" ends the
 * options. */
int cli_main(const struct cli_program *p, int argc, char **argv);

/* Prints to standard output. `what`: "bash" or "zsh" (a completion script for that shell), or "table" (a line for each
 * option, with tabs between command, option, letter, kind, value, "shown" or "former", and help). */
enum status cli_completion(const struct cli_program *p, const char *what, struct error *e) MUST_CHECK;

/* Refuses an operand or a combination of options. Returns ERR_USAGE; "see 'program command --help'" is added when it is
 * printed. */
enum status usage_error(struct error *e, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Splits "a,b,c" and trims spaces. An empty part is a usage error that names `what`. *parts is one allocation for array
 * and texts; the caller frees it. */
enum status split_list(const char *text, const char *what, char ***parts, size_t *n, struct error *e) MUST_CHECK;

#endif
