/* table.c - builds the table that solvers see: counts of variables, row by row. */
#include "regress/data/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"
#include "regress/data/classes.h"
#include "regress/data/data.h"
#include "base/events/formula.h"

void table_free(struct table *t)
{
    if (!t)
        return;
    regress_classes_free(t->classes);
    free(t->counts);
    free(t->is_key);
    free(t->variable_of);
    free(t);
}

static size_t row_at(const struct regress_rows *rows, size_t i)
{
    return rows ? rows->at[i] : i;
}

/* Checks for events that the formulas need and any row lacks. */
static enum status check_events(const struct regress_data *d, const struct regress_classes *c,
                                const struct regress_rows *rows, struct error *e)
{
    char **events;
    size_t n;
    struct str missing = STR_INIT;
    const char *first_row = 0;
    regress_classes_events(c, &events, &n);
    for (size_t k = 0; k < n; k++) {
        size_t column;
        bool there = regress_data_column(d, events[k], &column);
        for (size_t i = 0; there && i < (rows ? rows->n : d->n); i++) {
            if (isnan(d->values[row_at(rows, i) * d->cols + column])) {
                there = false;
                first_row = d->labels[row_at(rows, i)];
            }
        }
        if (!there)
            str_addf(&missing, "%s%s", missing.len ? ", " : "", events[k]);
        free(events[k]);
    }
    free(events);
    enum status s = OK;
    if (missing.len)
        s = error_set(e, ERR_UNSUPPORTED, AT_FILE(d->path), "the classification '%s' needs events that %s: %s%s%s%s",
                      c->name, first_row ? "are missing in some rows" : "the data do not have", str_text(&missing),
                      first_row ? " (in '" : "", first_row ? first_row : "", first_row ? "', for instance)" : "");
    str_release(&missing);
    return s;
}

static bool *find_keys(const struct regress_data *d, const struct regress_classes *c, const char *target)
{
    bool *is_key = xcalloc(d->cols, sizeof *is_key);
    for (size_t j = 0; j < d->cols; j++)
        is_key[j] = strcmp(d->names[j], target) != 0 && classes_see(c, d->names[j]);
    return is_key;
}

static enum status map_columns(struct table *t, bool lenient, struct error *e)
{
    const struct regress_data *d = t->data;
    for (size_t j = 0; j < d->cols; j++) {
        t->variable_of[j] = REGRESS_NONE;
        if (!t->is_key[j])
            continue;
        size_t rule = regress_classes_rule(t->classes, d->names[j]);
        if (rule != REGRESS_NONE)
            t->variable_of[j] = t->classes->rules[rule].variable;
        else if (!lenient)
            return error_set(e, ERR_INPUT, AT_FILE(d->path),
                             "no rule of the classification '%s' matches the column '%s'; add a 'map' or an 'ignore' "
                             "line to %s",
                             t->classes->name, d->names[j], t->classes->path);
    }
    return OK;
}

/* The row that is being counted: what formulas can refer to. */
struct row {
    struct table *t;
    size_t i;
    double *lets;
    size_t n_lets;
};

static bool row_name(void *context, const char *name, double *value)
{
    struct row *r = context;
    const struct regress_data *d = r->t->data;
    for (size_t k = 0; k < r->n_lets; k++) {
        if (strcmp(r->t->classes->lets[k].name, name) == 0) {
            *value = r->lets[k];
            return true;
        }
    }
    size_t column;
    if (!regress_data_column(d, name, &column))
        return false;
    *value = d->values[r->i * d->cols + column];
    return true;
}

static bool row_optional(void *context, const char *name, double *value)
{
    if (data_column_kind(name) != REGRESS_EVENT)
        return false;
    if (!row_name(context, name, value) || isnan(*value))
        *value = 0;
    return true;
}

static bool row_sum(void *context, const char *glob, bool *taken, double *value)
{
    struct row *r = context;
    const struct regress_data *d = r->t->data;
    for (size_t j = 0; j < d->cols; j++) {
        bool there = r->t->is_key[j] || d->kinds[j] == REGRESS_FLOW;
        if (there && !taken[j] && classes_match(r->t->classes, glob, d->names[j])) {
            taken[j] = true;
            *value += d->values[r->i * d->cols + j];
        }
    }
    return true;
}

static enum status evaluate(struct row *r, const char *name, const char *text, double *value, struct error *e)
{
    const struct regress_data *d = r->t->data;
    struct formula_scope scope = {row_name, row_optional, row_sum, d->cols, r};
    char *why = 0;
    enum status s = OK;
    if (!formula_value(text, &scope, value, &why))
        s = error_set(e, ERR_UNSUPPORTED, AT(d->path, d->lines[r->i]), "'%s', formula of '%s' in '%s': %s",
                      d->labels[r->i], name, r->t->classes->name, why);
    free(why);
    return s;
}

static enum status sum_keys(struct table *t, size_t i, struct error *e)
{
    const struct regress_data *d = t->data;
    double *to = t->counts + i * t->p;
    for (size_t j = 0; j < d->cols; j++) {
        double v = d->values[i * d->cols + j];
        if (!t->is_key[j])
            continue;
        if (isnan(v))
            return error_set(e, ERR_INPUT, AT(d->path, d->lines[i]), "'%s' has no value in column '%s'", d->labels[i],
                             d->names[j]);
        if (v < 0 && t->variable_of[j] != REGRESS_NONE && !t->classes->all)
            return error_set(e, ERR_INPUT, AT(d->path, d->lines[i]), "'%s' has a negative count in column '%s'",
                             d->labels[i], d->names[j]);
        if (t->variable_of[j] != REGRESS_NONE)
            to[t->variable_of[j]] += v;
        else if (v != 0 && regress_classes_rule(t->classes, d->names[j]) == REGRESS_NONE)
            return error_set(e, ERR_INPUT, AT(d->path, d->lines[i]),
                             "'%s' has counts of '%s', which the model's classification '%s' does not know",
                             d->labels[i], d->names[j], t->classes->name);
    }
    return OK;
}

static enum status count_row(struct table *t, size_t i, double *lets, struct error *e)
{
    const struct regress_classes *c = t->classes;
    struct row r = {t, i, lets, 0};
    enum status s = sum_keys(t, i, e);
    for (; !s && r.n_lets < c->n_lets; r.n_lets++)
        s = evaluate(&r, c->lets[r.n_lets].name, c->lets[r.n_lets].formula, &lets[r.n_lets], e);
    for (size_t v = 0; !s && v < t->p; v++)
        if (c->variables[v].formula)
            s = evaluate(&r, c->variables[v].name, c->variables[v].formula, &t->counts[i * t->p + v], e);
    return s;
}

enum status table_make(struct table **out, const struct regress_data *d, const struct regress_classes *c,
                       const char *target, const struct regress_rows *rows, bool lenient, struct error *e)
{
    enum status s = check_events(d, c, rows, e);
    if (s)
        return s;
    struct table *t = xcalloc(1, sizeof *t);
    t->data = d;
    t->is_key = find_keys(d, c, target);
    t->classes = classes_expand(c, d, t->is_key);
    t->n = d->n;
    t->p = t->classes->n_variables;
    t->counts = xcalloc(t->n * t->p, sizeof *t->counts);
    t->variable_of = xcalloc(d->cols, sizeof *t->variable_of);
    double *lets = xcalloc(c->n_lets, sizeof *lets);
    s = map_columns(t, lenient, e);
    for (size_t i = 0; !s && i < (rows ? rows->n : d->n); i++)
        s = count_row(t, row_at(rows, i), lets, e);
    free(lets);
    if (!s && t->p == 0)
        s = error_set(e, ERR_INPUT, AT_FILE(d->path), "the classification '%s' makes no variable of these columns",
                      c->name);
    if (s)
        table_free(t);
    else
        *out = t;
    return s;
}
