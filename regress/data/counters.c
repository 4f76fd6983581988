/*
 * A classification for a table of any counters: each chosen column a variable, an intercept, sparse columns that are
 * alike merged, columns standardised. What it decides it writes into the file, with the reason, so that it can be read
 * and changed, and a model fitted by it predicts other tables by the same means and deviations.
 *
 *  standardised   z = (count - mean) / sd over the rows, so that a value is the change of the target with one standard
 *                 deviation: counters of any size compare. (Least squares with an intercept gives the same estimates
 *                 either way; ridge and solutions of least norm do not.)
 *  merged         columns that are 0 in most rows and whose names are the same but for numbers ("store_32b",
 * "store_64b") are one variable: by themselves most rows say nothing about them, and a row left out may be all that did
 *
 * Shimada, Endo, Maruyama, Matsuoka, Towards Characteristic-aware Optimization of OpenCL programs on Heterogeneous
 * GPUs, does both, for the counters of GPUs.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cli.h"
#include "base/file.h"
#include "base/map.h"
#include "base/str.h"
#include "regress/regress.h"

struct column {
    size_t at;       /* index in the data */
    double mean, sd; /* over all rows */
    size_t rows;     /* number of rows in which it is not 0 */
    char *why_not;   /* why it is left out; NULL: it is not */
    char *stem;      /* its name, with an 'N' for each run of digits except the level of a cache: L1, L2 */
};

struct making {
    const struct regress_data *d;
    const struct regress_counters_spec *spec;
    struct column *columns;
    size_t n;
    struct str out;
};

static size_t n_rows(const struct making *m)
{
    return m->spec->rows ? m->spec->rows->n : m->d->n;
}

static double value(const struct making *m, size_t i, size_t column)
{
    size_t row = m->spec->rows ? m->spec->rows->at[i] : i;
    return m->d->values[row * m->d->cols + column];
}

static char *stem_of(const char *name)
{
    struct str s = STR_INIT;
    for (const char *c = name; *c; c++) {
        bool digit = isdigit((unsigned char)*c) && (c == name || c[-1] != 'L');
        if (!digit || s.len == 0 || str_text(&s)[s.len - 1] != 'N')
            str_addf(&s, "%c", digit ? 'N' : *c);
    }
    return str_detach(&s);
}

static void look_at(struct making *m, struct column *c)
{
    size_t n = n_rows(m), missing = 0;
    for (size_t i = 0; i < n; i++) {
        double v = value(m, i, c->at);
        missing += isnan(v);
        c->rows += v != 0;
        c->mean += v / (double)n;
    }
    for (size_t i = 0; i < n; i++)
        c->sd += pow(value(m, i, c->at) - c->mean, 2) / (double)n;
    c->sd = sqrt(c->sd);
    if (missing)
        c->why_not = xasprintf("has no value in %zu of %zu rows", missing, n);
    else if (!isfinite(c->sd))
        c->why_not = xstrdup("has values whose squares are beyond all numbers");
    else if (c->rows == 0)
        c->why_not = xstrdup("is 0 in every row");
    else if (!(c->sd > 1e-12 * fabs(c->mean)))
        c->why_not = xstrdup("is the same in every row: an intercept");
}

/* Finds columns that are equal to another column in every row. */
static void find_doubles(struct making *m)
{
    for (size_t k = 0; k < m->n; k++) {
        struct column *c = &m->columns[k];
        for (size_t o = 0; !c->why_not && o < k; o++) {
            size_t i = 0;
            while (i < n_rows(m) && value(m, i, c->at) == value(m, i, m->columns[o].at))
                i++;
            if (i == n_rows(m) && !m->columns[o].why_not)
                c->why_not = xasprintf("is '%s' in every row", m->d->names[m->columns[o].at]);
        }
    }
}

/* May the name stand in a classification? */
static bool can_stand(const char *name)
{
    for (const char *c = name; *c; c++)
        if (isspace((unsigned char)*c) || iscntrl((unsigned char)*c))
            return false;
    return !strpbrk(name, "()*?#,=\"");
}

/* The name, with a '+' for each column that has it already. The caller frees. */
static char *new_name(const struct making *m, const char *name)
{
    size_t column;
    char *made = xstrdup(name);
    while (regress_data_column(m->d, made, &column)) {
        char *longer = xasprintf("%s+", made);
        free(made);
        made = longer;
    }
    return made;
}

static enum status choose(struct making *m, struct error *e)
{
    const struct regress_data *d = m->d;
    char **globs = 0;
    size_t n = 0, target;
    enum status s = OK;
    if (!regress_data_column(d, m->spec->target, &target))
        return error_set(e, ERR_INPUT, AT_FILE(d->path), "there is no column '%s'; name one with --target",
                         m->spec->target);
    if (m->spec->columns)
        s = split_list(m->spec->columns, "columns", &globs, &n, e);
    bool *used = xcalloc(n, sizeof *used);
    for (size_t j = 0; !s && j < d->cols; j++) {
        bool take = !m->spec->columns;
        for (size_t g = 0; g < n; g++)
            if (glob_match(globs[g], d->names[j]))
                take = used[g] = true;
        if (!take || j == target || d->kinds[j] == REGRESS_CYCLES)
            continue;
        if (!can_stand(d->names[j]))
            s = error_set(e, ERR_INPUT, AT(d->path, 1),
                          "the column '%s' cannot be used in a classification, where spaces and ()*?#,=\" have a "
                          "meaning; rename it, or choose others with --columns",
                          d->names[j]);
        m->columns[m->n++] = (struct column){.at = j, .stem = stem_of(d->names[j])};
    }
    for (size_t g = 0; !s && g < n; g++)
        if (!used[g])
            s = error_set(e, ERR_INPUT, AT_FILE(d->path), "no column matches '%s'", globs[g]);
    free(used);
    free(globs);
    return s;
}

static bool sparse(const struct making *m, const struct column *c)
{
    return !c->why_not && (double)c->rows < m->spec->sparse * (double)n_rows(m);
}

/* Writes a variable: the columns whose counts it sums. */
static void put_variable(struct making *m, const char *name, const size_t *members, size_t n)
{
    double mean = 0;
    struct str list = STR_INIT;
    for (size_t k = 0; k < n; k++)
        str_addf(&list, "%s%s", k ? " " : "", m->d->names[m->columns[members[k]].at]);
    if (n > 1) {
        str_addf(&m->out, "# merged, alike but for numbers; rows with a value:");
        for (size_t k = 0; k < n; k++)
            str_addf(&m->out, " %zu", m->columns[members[k]].rows);
        str_addf(&m->out, " of %zu\n", n_rows(m));
    }
    for (size_t i = 0; i < n_rows(m); i++) {
        double sum = 0;
        for (size_t k = 0; k < n; k++)
            sum += value(m, i, m->columns[members[k]].at);
        mean += sum / (double)n_rows(m);
    }
    if (m->spec->standardise) {
        double sum_of_squares = 0;
        for (size_t i = 0; i < n_rows(m); i++) {
            double sum = -mean;
            for (size_t k = 0; k < n; k++)
                sum += value(m, i, m->columns[members[k]].at);
            sum_of_squares += sum * sum;
        }
        char *centre = format_double(mean), *scale = format_double(sqrt(sum_of_squares / (double)n_rows(m)));
        str_addf(&m->out, "count %s = (sum(%s) - %s) / %s\n", name, str_text(&list), centre, scale);
        free(centre);
        free(scale);
    } else {
        str_addf(&m->out, "map %s %s\n", name, str_text(&list));
    }
    str_release(&list);
}

static void put_variables(struct making *m)
{
    bool *done = xcalloc(m->n, sizeof *done);
    size_t *members = xcalloc(m->n, sizeof *members);
    for (size_t k = 0; k < m->n; k++) {
        const struct column *c = &m->columns[k];
        size_t n = 0;
        if (done[k] || c->why_not)
            continue;
        members[n++] = k;
        for (size_t o = k + 1; sparse(m, c) && o < m->n; o++)
            if (!done[o] && sparse(m, &m->columns[o]) && strcmp(c->stem, m->columns[o].stem) == 0)
                members[n++] = o;
        for (size_t i = 0; i < n; i++)
            done[members[i]] = true;
        char *name = n > 1 ? new_name(m, c->stem) : xstrdup(m->d->names[c->at]);
        put_variable(m, name, members, n);
        free(name);
    }
    free(done);
    free(members);
}

static enum status write_all(struct making *m, struct error *e)
{
    size_t taken = 0;
    for (size_t k = 0; k < m->n; k++)
        look_at(m, &m->columns[k]);
    find_doubles(m);
    str_addf(&m->out, "title  counters of %s, for %s\n", path_basename(m->d->path), m->spec->target);
    str_add(&m->out, "columns all\n");
    if (m->spec->intercept) {
        char *name = new_name(m, "intercept");
        str_addf(&m->out, "count %s = 1\n", name);
        free(name);
    }
    for (size_t k = 0; k < m->n; k++) {
        const struct column *c = &m->columns[k];
        taken += !c->why_not;
        if (c->why_not)
            str_addf(&m->out, "# %s is left out: it %s\n", m->d->names[c->at], c->why_not);
    }
    if (!taken && !m->spec->intercept)
        return error_set(e, ERR_INPUT, AT_FILE(m->d->path), "no column is left to fit by");
    put_variables(m);
    str_add(&m->out, "ignore *\n");
    return OK;
}

enum status regress_counters(char **text, const struct regress_data *d, const struct regress_counters_spec *spec,
                             struct error *e)
{
    struct making m = {d, spec, xcalloc(d->cols, sizeof *m.columns), 0, STR_INIT};
    enum status s = choose(&m, e);
    if (!s)
        s = write_all(&m, e);
    for (size_t k = 0; k < m.n; k++) {
        free(m.columns[k].why_not);
        free(m.columns[k].stem);
    }
    free(m.columns);
    if (!s)
        *text = str_detach(&m.out);
    str_release(&m.out);
    return s;
}

/* ---- counters from one device, the target from another ---- */

enum status regress_data_retarget(struct regress_data *d, const struct regress_data *other, const char *target,
                                  size_t *without, struct error *e)
{
    size_t to, from;
    struct map rows = {0};
    *without = 0;
    if (!regress_data_column(d, target, &to))
        return error_set(e, ERR_INPUT, AT_FILE(d->path), "there is no column '%s' to replace; name one with --target",
                         target);
    if (!regress_data_column(other, target, &from))
        return error_set(e, ERR_INPUT, AT_FILE(other->path), "there is no column '%s'; name one with --target", target);
    for (size_t i = 0; i < other->n; i++) {
        char *name = xasprintf("%s\n%s", other->programs[i], other->regions[i]);
        map_put(&rows, name, i);
        free(name);
    }
    for (size_t i = 0; i < d->n; i++) {
        char *name = xasprintf("%s\n%s", d->programs[i], d->regions[i]);
        size_t row;
        bool found = map_get(&rows, name, &row);
        d->values[i * d->cols + to] = found ? other->values[row * other->cols + from] : (double)NAN;
        *without += isnan(d->values[i * d->cols + to]);
        free(name);
    }
    map_release(&rows);
    if (*without == d->n)
        return error_set(e, ERR_INPUT, AT_FILE(other->path), "no program and region of %s has a value in '%s' here",
                         d->path, target);
    return OK;
}
