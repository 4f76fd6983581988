/* completion.c - completion in shells: prints the program's tables as data, and the script for bash. */
#include "base/completion/completion.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Is it a list of words, such as "lru|fifo", and not "NAME|FILE"? */
static bool is_words(const char *arg)
{
    if (!strchr(arg, '|'))
        return false;
    for (const char *p = arg; *p; p++)
        if (isupper((unsigned char)*p))
            return false;
    return true;
}

static void add_words(struct str *to, const char *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        str_addch(to, words[i] == '|' ? ' ' : words[i]);
}

/* Returns "FOLDER" for "FOLDER,...". */
static const char *known(const char *arg)
{
    static const char *const all[] = {"CLASSES", "BOARD", "FOLDER", "FILE"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strstr(arg, all[i]))
            return all[i];
    return "";
}

void completion_value(struct str *to, const struct cli_option *o)
{
    static const char several[] = ",...";
    size_t n = strlen(o->arg), tail = sizeof several - 1;
    bool list = n > tail && strcmp(o->arg + n - tail, several) == 0;
    if (list)
        str_add(to, "list ");
    if (is_words(o->arg))
        add_words(to, o->arg, list ? n - tail : n);
    else if (strcmp(o->name, "classes") == 0)
        str_add(to, "CLASSES");
    else if (strcmp(o->name, "board") == 0)
        str_add(to, "BOARD");
    else
        str_add(to, known(o->arg));
}

size_t completion_operands(const struct cli_command *c)
{
    size_t n = 1;
    for (const char *p = c->operands ? c->operands : ""; *p; p++)
        n += *p == ' ';
    return n;
}

void completion_operand(struct str *to, const struct cli_command *c, size_t i)
{
    const char *p = c->operands ? c->operands : "FILE";
    for (; i && strchr(p, ' '); i--)
        p = strchr(p, ' ') + 1;
    if (c->max_args)
        add_words(to, p, strcspn(p, " "));
}

void completion_name(struct str *to, const struct cli_program *p)
{
    for (const char *c = p->name; *c; c++)
        str_addch(to, isalnum((unsigned char)*c) ? *c : '_');
}

/* ---- as data ---- */

static void print_table(const struct cli_program *p)
{
    static const char *const kinds[] = {"", "flag", "text", "integer", "real", "choice"};
    for (const struct cli_command *c = p->commands; c->name; c++) {
        printf("%s\n", c->name);
        for (const struct cli_option *o = c->options; o && o->kind; o++)
            printf("%s\t--%s\t%c\t%s\t%s\t%s\t%s\n", c->name, o->name, o->letter ? o->letter : '-', kinds[o->kind],
                   o->arg ? o->arg : "-", o->help ? "shown" : "former", o->help ? o->help : "-");
    }
}

/* ---- for bash ---- */

/* The part of the script that is the same for all programs; @ stands for the program's name. */
static const char bash_head[] = "_@_lines() { # COMMAND...: its lines that begin like the word\n"
                                "    local line\n"
                                "    while IFS= read -r line; do\n"
                                "        [[ $line == \"$cur\"* ]] && COMPREPLY+=(\"$before$line\")\n"
                                "    done < <(\"$@\" 2>/dev/null)\n"
                                "}\n"
                                "_@_boards() { shimgen board list | sed -n 's/^\\([^ ][^ ]*\\) .*/\\1/p'; }\n"
                                "_@_classes() { regress classes | sed -n 's/^\\([^ ][^ ]*\\) .*/\\1/p'; }\n"
                                "_@_reply() { # what the word may be\n"
                                "    local kind=$1 before=\n"
                                "    if [[ $kind == 'list '* ]]; then\n"
                                "        kind=${kind#list }\n"
                                "        [[ $cur == *,* ]] && before=${cur%,*}, && cur=${cur##*,}\n"
                                "    fi\n"
                                "    case $kind in\n"
                                "    '') ;;\n"
                                "    FILE) compopt -o filenames 2>/dev/null; _@_lines compgen -f -- \"$cur\" ;;\n"
                                "    FOLDER) compopt -o filenames 2>/dev/null; _@_lines compgen -d -- \"$cur\" ;;\n"
                                "    BOARD) _@_lines _@_boards; _@_lines compgen -d -- \"$cur\" ;;\n"
                                "    CLASSES) _@_lines _@_classes; _@_lines compgen -f -- \"$cur\" ;;\n"
                                "    *) _@_lines compgen -W \"$kind\" -- \"$cur\" ;;\n"
                                "    esac\n"
                                "}\n";

static const char bash_tail[] =
    "_@()\n"
    "{\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} kind i n=0\n"
    "    COMPREPLY=()\n"
    "    if ((COMP_CWORD == 1)); then\n"
    "        _@_reply \"$(_@_commands)\"\n"
    "        return\n"
    "    fi\n"
    "    # --option=value comes in three words.\n"
    "    [[ $prev == = ]] && prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    [[ $cur == = ]] && cur=\n"
    "    if _@_value \"$command $prev\"; then\n"
    "        _@_reply \"$kind\"\n"
    "        return\n"
    "    fi\n"
    "    if [[ $cur == -* ]]; then\n"
    "        _@_reply \"$(_@_options \"$command\")\"\n"
    "        return\n"
    "    fi\n"
    "    for ((i = 2; i < COMP_CWORD; i++)); do\n"
    "        if [[ ${COMP_WORDS[i]} != -* ]]; then\n"
    "            n=$((n + 1))\n"
    "        elif _@_value \"$command ${COMP_WORDS[i]}\"; then\n"
    "            i=$((i + 1))\n"
    "            [[ ${COMP_WORDS[i]} == = ]] && i=$((i + 1))\n"
    "        fi\n"
    "    done\n"
    "    _@_operand \"$command\" \"$n\"\n"
    "    _@_reply \"$kind\"\n"
    "}\n";

void completion_print(const char *text, const char *name)
{
    for (const char *p = text; *p; p++) {
        if (p[0] == '@' && p[1] != '"')
            fputs(name, stdout);
        else
            putchar(*p);
    }
}

static void bash_values(const struct cli_command *c)
{
    for (const struct cli_option *o = c->options; o && o->kind; o++) {
        struct str value = STR_INIT;
        if (o->kind == CLI_BOOL || !o->help)
            continue;
        completion_value(&value, o);
        printf("    '%s --%s'", c->name, o->name);
        if (o->letter)
            printf(" | '%s -%c'", c->name, o->letter);
        printf(") kind='%s' ;;\n", str_text(&value));
        str_release(&value);
    }
}

static void bash_options(const struct cli_command *c)
{
    printf("    %s) echo '--help", c->name);
    for (const struct cli_option *o = c->options; o && o->kind; o++)
        if (o->help)
            printf(" --%s", o->name);
    printf("' ;;\n");
}

static void bash_operands(const struct cli_command *c)
{
    size_t n = completion_operands(c);
    for (size_t i = 0; i < n; i++) {
        struct str kind = STR_INIT;
        completion_operand(&kind, c, i);
        if (i + 1 < n)
            printf("    '%s %zu') kind='%s' ;;\n", c->name, i, str_text(&kind));
        else
            printf("    '%s '*) kind='%s' ;;\n", c->name, str_text(&kind));
        str_release(&kind);
    }
}

static void print_bash(const struct cli_program *p)
{
    struct str owned = STR_INIT;
    completion_name(&owned, p);
    const char *name = str_text(&owned);
    printf("# bash completion of %s, as '%s --completion bash' prints it.\n", p->name, p->name);
    completion_print(bash_head, name);
    printf("_%s_commands() {\n    echo '--help --version", name);
    for (const struct cli_command *c = p->commands; c->name; c++)
        printf(" %s", c->name);
    printf("'\n}\n_%s_options() { # COMMAND\n    case $1 in\n", name);
    for (const struct cli_command *c = p->commands; c->name; c++)
        bash_options(c);
    printf("    esac\n}\n_%s_value() { # 'COMMAND OPTION': kind is what its value is; fails where it has none\n"
           "    case $1 in\n",
           name);
    for (const struct cli_command *c = p->commands; c->name; c++)
        bash_values(c);
    printf("    *) return 1 ;;\n    esac\n}\n_%s_operand() { # COMMAND NUMBER\n    kind=\n    case \"$1 $2\" in\n",
           name);
    for (const struct cli_command *c = p->commands; c->name; c++)
        bash_operands(c);
    printf("    esac\n}\n");
    completion_print(bash_tail, name);
    printf("complete -F _%s %s\n", name, p->name);
    str_release(&owned);
}

enum status cli_completion(const struct cli_program *p, const char *what, struct error *e)
{
    if (strcmp(what, "bash") == 0)
        print_bash(p);
    else if (strcmp(what, "zsh") == 0)
        completion_zsh(p);
    else if (strcmp(what, "table") == 0)
        print_table(p);
    else
        return usage_error(e, "--completion: '%s' is not one of bash, zsh, table", what);
    return OK;
}
