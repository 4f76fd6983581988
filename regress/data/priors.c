/* priors.c - reads expected values of single variables, from measurements of another kind, as a table:
 * docs/method/fitting.md. */
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "regress/data/classes.h"

struct columns {
    size_t variable, prior, spread;
    bool spreads; /* there is such a column */
};

static enum status find_columns(struct columns *at, const struct csv *t, struct error *e)
{
    enum status s = csv_need(t, "variable", &at->variable, e);
    if (!s)
        s = csv_need(t, "prior", &at->prior, e);
    at->spreads = csv_find(t, "spread", &at->spread);
    return s;
}

/* Without a column for it, the spread is the prior itself, so it is as uncertain as a classification's priors. */
static enum status read_row(struct regress_variable *v, const struct csv *t, const struct columns *at, size_t row,
                            struct error *e)
{
    double cost, spread;
    enum status s = csv_number(t, row, at->prior, &cost, e);
    if (s)
        return s;
    spread = cost;
    if (at->spreads && *csv_cell(t, row, at->spread))
        s = csv_number(t, row, at->spread, &spread, e);
    if (!s && v->spread > 0)
        s = error_set(e, ERR_INPUT, AT(t->path, t->lines[row]), "a prior of '%s' is given a second time", v->name);
    if (!s && !(cost >= 0 && spread > 0))
        s = error_set(e, ERR_INPUT, AT(t->path, t->lines[row]),
                      "'%s' has the prior %g with the spread %g: it must be 0 or more, with a spread above 0", v->name,
                      cost, spread);
    v->cost = cost;
    v->spread = spread;
    return s;
}

enum status regress_classes_priors(struct regress_classes *c, const char *path, struct error *e)
{
    struct csv *t = 0;
    struct columns at;
    size_t used = 0;
    enum status s = csv_read(&t, path, e);
    if (!s)
        s = find_columns(&at, t, e);
    for (size_t i = 0; !s && i < t->n_rows; i++) {
        size_t v = classes_find_variable(c, csv_cell(t, i, at.variable));
        used += v != REGRESS_NONE;
        if (v != REGRESS_NONE)
            s = read_row(&c->variables[v], t, &at, i, e);
    }
    if (!s && !used)
        s = error_set(e, ERR_INPUT, AT_FILE(path), "it has no variable of the classification '%s'", c->name);
    csv_free(t);
    return s;
}
