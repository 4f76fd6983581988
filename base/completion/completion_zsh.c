/* completion_zsh.c - completion in shells: the script for zsh. */
#include <stdio.h>
#include <string.h>

#include "base/completion/completion.h"

static const char head[] =
    "_@_boards() {\n"
    "    local -a boards\n"
    "    boards=(${(f)\"$(shimgen board list 2>/dev/null | sed -n 's/^\\([^ ][^ ]*\\) .*/\\1/p')\"})\n"
    "    compadd -a boards\n"
    "    _files -/\n"
    "}\n"
    "_@_class_names() {\n"
    "    local -a classes\n"
    "    classes=(${(f)\"$(regress classes 2>/dev/null | sed -n 's/^\\([^ ][^ ]*\\) .*/\\1/p')\"})\n"
    "    compadd \"$@\" -a classes\n"
    "}\n"
    "_@_classes() { _@_class_names \"$@\"; _files }\n";

/* The help text stands inside '...[ ]' in zsh, so quotes and brackets are escaped. */
static void print_help(const char *help)
{
    for (const char *p = help; *p; p++) {
        if (*p == '\'')
            fputs("'\\''", stdout);
        else if (*p == '[' || *p == ']' || *p == '\\')
            printf("\\%c", *p);
        else
            putchar(*p);
    }
}

/* Prints zsh's action that completes a value of this kind. */
static void print_action(const char *kind, const char *name)
{
    bool list = strncmp(kind, "list ", 5) == 0;
    kind += list ? 5 : 0;
    if (!*kind)
        putchar(' ');
    else if (strcmp(kind, "FILE") == 0)
        fputs("_files", stdout);
    else if (strcmp(kind, "FOLDER") == 0)
        fputs("_files -/", stdout);
    else if (strcmp(kind, "BOARD") == 0)
        printf("_%s_boards", name);
    else if (strcmp(kind, "CLASSES") == 0)
        printf(list ? "_sequence _%s_class_names" : "_%s_classes", name);
    else
        printf(list ? "_values -s , word %s" : "(%s)", kind);
}

static void print_option(const struct cli_option *o, const char *name)
{
    struct str kind = STR_INIT;
    if (o->letter)
        printf(" \\\n            '(-%c --%s)'{-%c,--%s}'[", o->letter, o->name, o->letter, o->name);
    else
        printf(" \\\n            '--%s[", o->name);
    print_help(o->help);
    putchar(']');
    if (o->kind != CLI_BOOL) {
        completion_value(&kind, o);
        printf(":%s:", o->name);
        print_action(str_text(&kind), name);
    }
    putchar('\'');
    str_release(&kind);
}

static void print_operands(const struct cli_command *c, const char *name)
{
    size_t n = completion_operands(c);
    for (size_t i = 0; i < n && c->max_args; i++) {
        struct str kind = STR_INIT;
        completion_operand(&kind, c, i);
        if (i + 1 < n)
            printf(" \\\n            '%zu:operand:", i + 1);
        else
            printf(" \\\n            '*:operand:");
        print_action(str_text(&kind), name);
        putchar('\'');
        str_release(&kind);
    }
}

void completion_zsh(const struct cli_program *p)
{
    struct str owned = STR_INIT;
    completion_name(&owned, p);
    const char *name = str_text(&owned);
    printf("#compdef %s\n# zsh completion of %s, as '%s --completion zsh' prints it.\n", p->name, p->name, p->name);
    completion_print(head, name);
    printf("_%s() {\n"
           "    local context state state_descr line\n    typeset -A opt_args\n"
           "    _arguments -C '(- *)'{-h,--help}'[help]' '(- *)--version[the version]' '1:command:->command' "
           "'*::rest:->rest'\n"
           "    case $state in\n    command)\n        local -a commands\n        commands=(",
           name);
    for (const struct cli_command *c = p->commands; c->name; c++) {
        printf("\n            '%s:", c->name);
        print_help(c->summary);
        putchar('\'');
    }
    printf("\n        )\n        _describe command commands ;;\n    rest)\n        case $words[1] in\n");
    for (const struct cli_command *c = p->commands; c->name; c++) {
        printf("        %s)\n            _arguments -s '(-h --help)'{-h,--help}'[help]'", c->name);
        for (const struct cli_option *o = c->options; o && o->kind; o++)
            if (o->help)
                print_option(o, name);
        print_operands(c, name);
        printf(" ;;\n");
    }
    printf("        esac ;;\n    esac\n}\n_%s \"$@\"\n", name);
    str_release(&owned);
}
