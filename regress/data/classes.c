/* classes.c - classifications in memory: rules, variables, formulas. */
#include "regress/data/classes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/key.h"
#include "base/str.h"
#include "regress/data/data.h"
#include "base/events/formula.h"

struct regress_classes *classes_new(const char *name, const char *path)
{
    struct regress_classes *c = xcalloc(1, sizeof *c);
    c->name = xstrdup(name);
    c->path = xstrdup(path);
    c->title = xstrdup("");
    c->source = xstrdup("");
    return c;
}

void regress_classes_free(struct regress_classes *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->n_rules; i++)
        free(c->rules[i].glob);
    for (size_t i = 0; i < c->n_variables; i++) {
        free(c->variables[i].name);
        free(c->variables[i].formula);
        free(c->variables[i].group);
    }
    for (size_t i = 0; i < c->n_lets; i++) {
        free(c->lets[i].name);
        free(c->lets[i].formula);
    }
    free(c->rules);
    free(c->variables);
    free(c->lets);
    free(c->name);
    free(c->path);
    free(c->title);
    free(c->source);
    free(c);
}

size_t classes_find_variable(const struct regress_classes *c, const char *name)
{
    for (size_t i = 0; i < c->n_variables; i++)
        if (strcmp(c->variables[i].name, name) == 0)
            return i;
    return REGRESS_NONE;
}

size_t classes_add_variable(struct regress_classes *c, const char *name, unsigned long line)
{
    size_t known = classes_find_variable(c, name);
    if (known != REGRESS_NONE)
        return known;
    c->variables = xreallocarray(c->variables, c->n_variables + 1, sizeof *c->variables);
    c->variables[c->n_variables] =
        (struct regress_variable){.name = xstrdup(name), .prior = 1, .high = INFINITY, .line = line};
    c->variables[c->n_variables].twin = c->variables[c->n_variables].below = REGRESS_NONE;
    return c->n_variables++;
}

size_t classes_base(const struct regress_variable *all, size_t v)
{
    return all[v].below != REGRESS_NONE ? all[v].below : all[v].twin;
}

void classes_add_rule(struct regress_classes *c, const char *glob, size_t variable, bool each, unsigned long line)
{
    c->rules = xreallocarray(c->rules, c->n_rules + 1, sizeof *c->rules);
    c->rules[c->n_rules++] = (struct regress_rule){xstrdup(glob), variable, each, line};
}

void classes_add_let(struct regress_classes *c, const char *name, const char *formula, unsigned long line)
{
    c->lets = xreallocarray(c->lets, c->n_lets + 1, sizeof *c->lets);
    c->lets[c->n_lets++] = (struct regress_let){xstrdup(name), xstrdup(formula), line};
}

bool classes_match(const struct regress_classes *c, const char *glob, const char *name)
{
    const char *flow = c->all ? 0 : data_flow_prefix(name);
    return (!flow || strncmp(glob, flow, strlen(flow)) == 0) && glob_match(glob, name);
}

size_t regress_classes_rule(const struct regress_classes *c, const char *key)
{
    for (size_t i = 0; i < c->n_rules; i++)
        if (classes_match(c, c->rules[i].glob, key))
            return i;
    return REGRESS_NONE;
}

bool classes_see(const struct regress_classes *c, const char *name)
{
    switch (data_column_kind(name)) {
    case REGRESS_CYCLES:
        return false;
    case REGRESS_EVENT:
        return c->all;
    case REGRESS_FLOW:
        return c->all || regress_classes_rule(c, name) != REGRESS_NONE;
    case REGRESS_KEY:
        return true;
    }
    BUG("a column of no kind");
}

/* Finds X for each variable X_d. */
static void find_twins(struct regress_classes *c)
{
    for (size_t i = 0; i < c->n_variables; i++) {
        const char *name = c->variables[i].name;
        size_t n;
        c->variables[i].twin = REGRESS_NONE;
        if (ir_dependent(name, &n)) {
            char *base = xstrndup(name, n);
            c->variables[i].twin = classes_find_variable(c, base);
            free(base);
        }
    }
    for (size_t i = c->n_variables; i-- > 0;) { /* X_d_d is left alone: a twin has no twin */
        size_t t = c->variables[i].twin;
        if (t != REGRESS_NONE && c->variables[t].twin != REGRESS_NONE)
            c->variables[i].twin = REGRESS_NONE;
    }
}

/* A dry run of the formulas: which names exist, and which events they need. */
struct dry {
    const struct regress_classes *c;
    size_t lets; /* number of `let` names that may be used */
    VEC(char *) events;
};

static bool dry_name(void *context, const char *name, double *value)
{
    struct dry *d = context;
    *value = 1;
    for (size_t i = 0; i < d->lets; i++)
        if (strcmp(d->c->lets[i].name, name) == 0)
            return true;
    if (data_column_kind(name) != REGRESS_EVENT && data_column_kind(name) != REGRESS_CYCLES)
        return false;
    for (size_t i = 0; i < d->events.n; i++)
        if (strcmp(d->events.at[i], name) == 0)
            return true;
    vec_push(&d->events, xstrdup(name));
    return true;
}

static bool dry_sum(void *context, const char *glob, bool *taken, double *value)
{
    (void)context, (void)glob, (void)taken;
    *value = 1;
    return true;
}

static bool dry_optional(void *context, const char *name, double *value)
{
    (void)context;
    *value = 1;
    return data_column_kind(name) == REGRESS_EVENT;
}

static enum status dry_formula(struct dry *d, const char *name, const char *text, unsigned long line, struct error *e)
{
    struct formula_scope scope = {dry_name, dry_optional, dry_sum, 0, d};
    double value;
    char *why = 0;
    enum status s = OK;
    /* values are made up here, so a division by zero is not a fault of the formula */
    if (!formula_value(text, &scope, &value, &why) && !strstr(why, "divided by 0"))
        s = error_set(e, ERR_INPUT, AT(d->c->path, line), "formula of '%s': %s", name, why);
    free(why);
    return s;
}

static enum status dry_run(struct dry *d, struct error *e)
{
    enum status s = OK;
    for (size_t i = 0; !s && i < d->c->n_lets; i++) {
        d->lets = i;
        s = dry_formula(d, d->c->lets[i].name, d->c->lets[i].formula, d->c->lets[i].line, e);
    }
    d->lets = d->c->n_lets;
    for (size_t i = 0; !s && i < d->c->n_variables; i++)
        if (d->c->variables[i].formula)
            s = dry_formula(d, d->c->variables[i].name, d->c->variables[i].formula, d->c->variables[i].line, e);
    return s;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void regress_classes_events(const struct regress_classes *c, char ***events, size_t *n)
{
    struct dry d = {c, 0, {0}};
    if (dry_run(&d, 0))
        BUG("a classification that was checked has a wrong formula");
    if (d.events.n)
        qsort(d.events.at, d.events.n, sizeof *d.events.at, by_text);
    *events = d.events.at;
    *n = d.events.n;
}

static bool comes_back(const struct regress_classes *c, size_t v)
{
    size_t at = v;
    for (size_t steps = 0; at != REGRESS_NONE && steps <= c->n_variables; steps++)
        at = classes_base(c->variables, at);
    return at != REGRESS_NONE;
}

static enum status check_orders(const struct regress_classes *c, struct error *e)
{
    for (size_t i = 0; i < c->n_variables; i++) {
        const struct regress_variable *v = &c->variables[i];
        const char *fault = 0;
        if (v->below == REGRESS_NONE)
            continue;
        if (v->twin != REGRESS_NONE && v->twin != v->below)
            fault = "it is already above its twin";
        else if (v->low > 0 || isfinite(v->high))
            fault = "it is above another variable, so it cannot have bounds of its own";
        else if (comes_back(c, i))
            fault = "the orders form a cycle";
        if (fault)
            return error_set(e, ERR_INPUT, AT(c->path, v->order_line), "order of '%s': %s", v->name, fault);
    }
    return OK;
}

enum status classes_finish(struct regress_classes *c, struct error *e)
{
    find_twins(c);
    if (c->n_rules == 0 && c->n_variables == 0)
        return error_set(e, ERR_INPUT, AT_FILE(c->path), "no rules: at least one 'map', 'each' or 'count' is needed");
    enum status s = check_orders(c, e);
    if (s)
        return s;
    struct dry d = {c, 0, {0}};
    s = dry_run(&d, e);
    for (size_t i = 0; i < d.events.n; i++)
        free(d.events.at[i]);
    vec_release(&d.events);
    return s;
}

static void replace_text(char **to, const char *text)
{
    free(*to);
    *to = xstrdup(text);
}

/* Makes a rule and a variable for each key that rule `i` of `c` decides. */
static void expand_each(struct regress_classes *to, const struct regress_classes *c, size_t i,
                        const struct regress_data *d, const bool *use)
{
    for (size_t j = 0; j < d->cols; j++)
        if (use[j] && regress_classes_rule(c, d->names[j]) == i)
            classes_add_rule(to, d->names[j], classes_add_variable(to, d->names[j], c->rules[i].line), false,
                             c->rules[i].line);
}

struct regress_classes *classes_expand(const struct regress_classes *c, const struct regress_data *d, const bool *use)
{
    struct regress_classes *to = classes_new(c->name, c->path);
    replace_text(&to->title, c->title);
    replace_text(&to->source, c->source);
    to->all = c->all;
    for (size_t i = 0; i < c->n_variables; i++) {
        size_t at = classes_add_variable(to, c->variables[i].name, 0);
        struct regress_variable *v = &to->variables[at];
        v->formula = xstrdup(c->variables[i].formula);
        v->prior = c->variables[i].prior;
        v->cost = c->variables[i].cost;
        v->spread = c->variables[i].spread;
        v->low = c->variables[i].low;
        v->high = c->variables[i].high;
        v->below = c->variables[i].below;
        v->order_line = c->variables[i].order_line;
        v->group = xstrdup(c->variables[i].group);
        v->line = c->variables[i].line;
    }
    for (size_t i = 0; i < c->n_lets; i++)
        classes_add_let(to, c->lets[i].name, c->lets[i].formula, c->lets[i].line);
    for (size_t i = 0; i < c->n_rules; i++) {
        if (c->rules[i].each)
            expand_each(to, c, i, d, use);
        else
            classes_add_rule(to, c->rules[i].glob, c->rules[i].variable, false, c->rules[i].line);
    }
    find_twins(to);
    return to;
}

struct regress_classes *classes_baseline(void)
{
    struct regress_classes *c = classes_new("", "baseline");
    replace_text(&c->title, "Cycles = k x executed instructions");
    classes_add_rule(c, "*", classes_add_variable(c, "instructions", 0), false, 0);
    return c;
}
