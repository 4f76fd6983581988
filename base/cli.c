/* cli.c - command lines: parses options from a command's table, prints --help, runs the command. */
#include "base/cli.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/str.h"
#include "base/sums.h"

enum status usage_error(struct error *e, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *message = xvasprintf(fmt, ap);
    va_end(ap);
    enum status s = error_set(e, ERR_USAGE, NOWHERE, "%s", message);
    free(message);
    return s;
}

enum status split_list(const char *text, const char *what, char ***parts, size_t *n, struct error *e)
{
    size_t count = 1;
    for (const char *p = text; *p; p++)
        count += *p == ',';
    char **list = xmalloc(count * sizeof *list + strlen(text) + 1);
    char *copy = (char *)(list + count);
    strcpy(copy, text);
    for (size_t i = 0; i < count; i++) {
        char *end = copy + strcspn(copy, ",");
        char *next = *end ? end + 1 : end;
        while (*copy == ' ')
            copy++;
        while (end > copy && end[-1] == ' ')
            end--;
        *end = 0;
        if (!*copy) {
            free(list);
            return usage_error(e, "empty entry in the list of %s: '%s'", what, text);
        }
        list[i] = copy;
        copy = next;
    }
    *parts = list;
    *n = count;
    return OK;
}

static const char *spaces(size_t used, size_t column)
{
    static const char blank[] = "                                        ";
    size_t want = used + 2 < column ? column - used : 2;
    return blank + sizeof blank - 1 - want;
}

static void print_option(const struct cli_option *o)
{
    char *left = o->kind == CLI_BOOL ? xasprintf("--%s", o->name) : xasprintf("--%s %s", o->name, o->arg);
    char *shown = o->letter ? xasprintf("  -%c, %s", o->letter, left) : xasprintf("      %s", left);
    printf("%s%s%s", shown, spaces(strlen(shown), 32), o->help);
    if (o->initial && o->kind != CLI_BOOL)
        printf(" (default: %s)", o->initial);
    putchar('\n');
    free(shown);
    free(left);
}

static void help_command(const struct cli_program *p, const struct cli_command *c)
{
    printf("usage: %s %s\n\n%s\n", p->name, c->synopsis, c->summary);
    if (c->options && c->options->kind) {
        printf("\noptions:\n");
        for (const struct cli_option *o = c->options; o->kind; o++)
            if (o->help)
                print_option(o);
        printf("  -h, --help%sthis text\n", spaces(12, 32));
    }
    if (c->details)
        printf("\n%s\n", c->details);
}

static void help_program(const struct cli_program *p)
{
    printf("usage: %s COMMAND ...\n\n%s\n\ncommands:\n", p->name, p->summary);
    for (const struct cli_command *c = p->commands; c->name; c++)
        printf("  %s%s%s\n", c->name, spaces(strlen(c->name) + 2, 16), c->summary);
    printf("\n'%s COMMAND --help' tells more about a command; '%s --version' prints the version.\n", p->name, p->name);
    printf("Exit status: 0 done; 1 the input is wrong or the check failed; 2 the command line is wrong.\n");
    if (p->epilogue)
        printf("\n%s\n", p->epilogue);
}

static bool choice_has(const char *choices, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = choices; *p; p += *p == '|') {
        size_t k = strcspn(p, "|");
        if (k == n && memcmp(p, word, n) == 0)
            return true;
        p += k;
    }
    return false;
}

static enum status set_option(const struct cli_option *o, void *options, const char *value, struct error *e)
{
    void *at = (char *)options + o->offset;
    switch (o->kind) {
    case CLI_BOOL:
        *(bool *)at = true;
        return OK;
    case CLI_TEXT:
        *(const char **)at = value;
        return OK;
    case CLI_INTEGER:
        if (!parse_long(value, at))
            return usage_error(e, "--%s: '%s' is not a whole number", o->name, value);
        return OK;
    case CLI_REAL:
        if (!parse_double(value, at) || !isfinite(*(double *)at))
            return usage_error(e, "--%s: '%s' is not a number", o->name, value);
        return OK;
    case CLI_CHOICE:
        if (!choice_has(o->arg, value))
            return usage_error(e, "--%s: '%s' is not one of %s", o->name, value, o->arg);
        *(const char **)at = value;
        return OK;
    case CLI_END:
        break;
    }
    BUG("option --%s has no kind", o->name);
}

static const struct cli_option *find_option(const struct cli_command *c, const char *name, size_t n, char letter)
{
    for (const struct cli_option *o = c->options; o && o->kind; o++)
        if (letter ? o->letter == letter : strlen(o->name) == n && memcmp(o->name, name, n) == 0)
            return o;
    return 0;
}

static enum status unknown_option(const struct cli_command *c, const char *given, struct error *e)
{
    VEC(const char *) names = {0};
    for (const struct cli_option *o = c->options; o && o->kind; o++)
        if (o->help)
            vec_push(&names, o->name);
    char *bare = xstrndup(given + strspn(given, "-"), strcspn(given + strspn(given, "-"), "="));
    const char *near = nearest_word(bare, names.at, names.n);
    enum status s = near ? usage_error(e, "unknown option '%s'; did you mean '--%s'?", given, near)
                         : usage_error(e, "unknown option '%s'", given);
    free(bare);
    vec_release(&names);
    return s;
}

/* Parses the option at argv[*i]. If its value is the next argument, *i moves on to that. */
static enum status parse_option(const struct cli_command *c, void *options, char **argv, int argc, int *i,
                                struct error *e)
{
    const char *given = argv[*i];
    bool is_long = given[1] == '-';
    const char *name = given + 2;
    size_t n = is_long ? strcspn(name, "=") : 0;
    const struct cli_option *o = find_option(c, name, n, is_long ? 0 : given[1]);
    if (!o)
        return unknown_option(c, given, e);
    const char *value = is_long ? (name[n] ? name + n + 1 : 0) : (given[2] ? given + 2 : 0);
    if (o->kind == CLI_BOOL && value)
        return usage_error(e, "option '--%s' takes no value", o->name);
    if (o->kind != CLI_BOOL && !value) {
        if (*i + 1 >= argc)
            return usage_error(e, "option '--%s' needs a value: %s", o->name, o->arg);
        value = argv[++*i];
    }
    return set_option(o, options, value, e);
}

static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static enum status parse(const struct cli_command *c, void *options, struct cli_args *args, char **argv, int argc,
                         bool *help, struct error *e)
{
    for (const struct cli_option *o = c->options; o && o->kind; o++)
        if (o->initial && o->kind != CLI_BOOL && set_option(o, options, o->initial, e))
            BUG("the default of --%s is not a value", o->name);
    bool only_operands = false;
    for (int i = 0; i < argc; i++) {
        if (!only_operands && is_help(argv[i])) {
            *help = true;
            return OK;
        }
        if (!only_operands && strcmp(argv[i], "--") == 0) {
            only_operands = true;
            args->before = args->argc;
        } else if (!only_operands && argv[i][0] == '-' && argv[i][1]) {
            enum status s = parse_option(c, options, argv, argc, &i, e);
            if (s)
                return s;
        } else {
            args->argv[args->argc++] = argv[i];
        }
    }
    if (!only_operands)
        args->before = args->argc;
    if (args->argc < c->min_args)
        return usage_error(e, "an operand is missing: %s %s", args->program, c->synopsis);
    if (c->max_args >= 0 && args->argc > c->max_args)
        return usage_error(e, "one operand too many: '%s'", args->argv[c->max_args]);
    return OK;
}

static enum status run_command(const struct cli_program *p, const struct cli_command *c, int argc, char **argv,
                               struct error *e)
{
    struct cli_args args = {p->name, c->name, xcalloc((size_t)argc + 1, sizeof *args.argv), 0, 0};
    void *options = xcalloc(1, c->options_size);
    bool help = false;
    enum status s = OK;
    if (c->raw) {
        help = argc == 1 && is_help(argv[0]);
        for (int i = 0; i < argc; i++)
            args.argv[args.argc++] = argv[i];
        args.before = args.argc;
    } else {
        s = parse(c, options, &args, argv, argc, &help, e);
    }
    if (!s && help)
        help_command(p, c);
    else if (!s)
        s = c->run(options, &args, e);
    free(options);
    free(args.argv);
    return s;
}

static enum status unknown_command(const struct cli_program *p, const char *given, struct error *e)
{
    VEC(const char *) names = {0};
    for (const struct cli_command *c = p->commands; c->name; c++)
        vec_push(&names, c->name);
    const char *near = nearest_word(given, names.at, names.n);
    enum status s = near ? usage_error(e, "unknown command '%s'; did you mean '%s'?", given, near)
                         : usage_error(e, "unknown command '%s'", given);
    vec_release(&names);
    return s;
}

static enum status dispatch(const struct cli_program *p, int argc, char **argv, const struct cli_command **found,
                            struct error *e)
{
    if (argc < 2)
        return usage_error(e, "a command is needed");
    if (is_help(argv[1]) || strcmp(argv[1], "help") == 0) {
        help_program(p);
        return OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("%s %s\n", p->name, SHIMGEN_VERSION);
        return OK;
    }
    if (strcmp(argv[1], "--completion") == 0 && argc == 3)
        return cli_completion(p, argv[2], e);
    for (const struct cli_command *c = p->commands; c->name; c++) {
        if (strcmp(c->name, argv[1]) == 0) {
            *found = c;
            return run_command(p, c, argc - 2, argv + 2, e);
        }
    }
    return unknown_command(p, argv[1], e);
}

int cli_main(const struct cli_program *p, int argc, char **argv)
{
    struct error e = ERROR_INIT;
    const struct cli_command *c = 0;
    cleanup_install();
    use_own_llvm();
    enum status s = dispatch(p, argc, argv, &c, &e);
    bool lost = fflush(stdout) || ferror(stdout);
    if (!s && lost)
        s = error_set(&e, ERR_SYSTEM, NOWHERE, "standard output could not be written");
    if (s == ERR_USAGE)
        error_set(&e, ERR_USAGE, NOWHERE, "%s (see '%s%s%s --help')", e.message, p->name, c ? " " : "",
                  c ? c->name : "");
    if (s && s != ERR_FOUND) {
        sums_explain(s, &e);
        error_print(&e, p->name);
    }
    error_release(&e);
    return s == OK ? 0 : s == ERR_USAGE ? 2 : 1;
}
