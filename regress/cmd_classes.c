/* cmd_classes.c - regress classes: lists and prints classifications. */
#include "regress/commands.h"

#include <stdlib.h>
#include <string.h>

#include "regress/data/classes.h"

static enum status list_all(struct error *e)
{
    char **names = 0;
    size_t n = 0;
    enum status s = regress_classes_list(&names, &n, e);
    int width = text_width((const char *const *)names, n, 8);
    for (size_t i = 0; i < n; i++) {
        struct regress_classes *c = 0;
        if (!s)
            s = regress_classes_load(&c, names[i], e);
        if (!s) {
            /* a title starts with "name: ", and the name is already in the first column */
            const char *colon = strstr(c->title, ": ");
            printf("%-*s  %s\n", width, names[i], colon ? colon + 2 : c->title);
        }
        regress_classes_free(c);
        free(names[i]);
    }
    free(names);
    return s;
}

static void print_globs(const struct regress_classes *c, size_t variable, bool each)
{
    for (size_t i = 0; i < c->n_rules; i++)
        if (c->rules[i].variable == variable && c->rules[i].each == each)
            printf(" %s", c->rules[i].glob);
    putchar('\n');
}

static bool any_rule(const struct regress_classes *c, size_t variable, bool each)
{
    for (size_t i = 0; i < c->n_rules; i++)
        if (c->rules[i].variable == variable && c->rules[i].each == each)
            return true;
    return false;
}

static void print_variables(const struct regress_classes *c)
{
    for (size_t v = 0; v < c->n_variables; v++) {
        printf("%-14s", c->variables[v].name);
        if (c->variables[v].prior != 1)
            printf(" [prior %g]", c->variables[v].prior);
        print_globs(c, v, false);
        if (c->variables[v].formula)
            printf("%-14s counts %s\n", "", c->variables[v].formula);
    }
    if (any_rule(c, REGRESS_NONE, true)) {
        printf("%-14s", "(each)");
        print_globs(c, REGRESS_NONE, true);
    }
    if (any_rule(c, REGRESS_NONE, false)) {
        printf("%-14s", "(ignored)");
        print_globs(c, REGRESS_NONE, false);
    }
    for (size_t i = 0; i < c->n_lets; i++)
        printf("with %s = %s\n", c->lets[i].name, c->lets[i].formula);
}

static void print_events(const struct regress_classes *c)
{
    char **events;
    size_t n;
    regress_classes_events(c, &events, &n);
    if (n)
        printf("needs the events");
    for (size_t i = 0; i < n; i++) {
        printf(" %s", events[i]);
        free(events[i]);
    }
    if (n)
        putchar('\n');
    free(events);
}

static enum status show(const char *name, struct error *e)
{
    struct regress_classes *c = 0;
    enum status s = regress_classes_load(&c, name, e);
    if (s)
        return s;
    printf("%s\n", *c->title ? c->title : c->name);
    if (*c->source)
        printf("source: %s\n", c->source);
    print_events(c);
    printf("the first pattern in the file that matches a key decides\n\n");
    print_variables(c);
    regress_classes_free(c);
    return OK;
}

static enum status show_columns(const char *name, const char *path, struct error *e)
{
    struct regress_classes *c = 0;
    struct regress_data *d = 0;
    enum status s = regress_classes_load(&c, name, e);
    if (!s)
        s = regress_data_read(&d, path, e);
    for (size_t j = 0; !s && j < d->cols; j++) {
        if (!classes_see(c, d->names[j]))
            continue;
        size_t rule = regress_classes_rule(c, d->names[j]);
        const char *to = rule == REGRESS_NONE ? "(no rule)" : "(ignored)";
        if (rule != REGRESS_NONE && c->rules[rule].each)
            to = d->names[j];
        else if (rule != REGRESS_NONE && c->rules[rule].variable != REGRESS_NONE)
            to = c->variables[c->rules[rule].variable].name;
        printf("%-14s %s\n", to, d->names[j]);
    }
    regress_data_free(d);
    regress_classes_free(c);
    return s;
}

static enum status run(const void *given, const struct cli_args *args, struct error *e)
{
    (void)given;
    if (args->argc == 0)
        return list_all(e);
    return args->argc == 1 ? show(args->argv[0], e) : show_columns(args->argv[0], args->argv[1], e);
}

static const struct cli_option options[] = {{0}};

const struct cli_command cmd_classes = {
    .name = "classes",
    .synopsis = "classes [NAME|FILE [DATA.csv]]",
    .summary = "Lists the classifications; shows one; shows the variable of each column of a table.",
    .options = options,
    .operands = "CLASSES FILE",
    .min_args = 0,
    .max_args = 2,
    .run = run,
};
