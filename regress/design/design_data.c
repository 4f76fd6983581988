/* design_data.c - prepares tables of counts for design.c, which chooses among their rows, and computes the figures of a
 * choice. */
#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/random.h"
#include "regress/data/data.h"
#include "regress/solve/decompose.h"
#include "regress/design/design.h"
#include "regress/data/table.h"

#define PRIOR_WEIGHT 1e-3 /* d: a thousandth of a mean row for each variable */
#define DRAWS        101  /* odd, so that there is a median */
#define MOST_ROWS    ((size_t)1 << 24)

/* ---- both tables joined, the given rows first ---- */

static bool is_sum(const struct regress_data *d, size_t row)
{
    return strcmp(d->regions[row], "(program)") == 0;
}

static size_t add_columns(struct map *columns, const struct regress_data *d)
{
    for (size_t j = 0; d && j < d->cols; j++)
        map_number(columns, d->names[j]);
    return columns->n;
}

static void copy_row(struct regress_data *to, size_t i, const struct regress_data *from, size_t row,
                     const struct map *columns)
{
    to->programs[i] = xstrdup(from->programs[row]);
    to->regions[i] = xstrdup(from->regions[row]);
    to->labels[i] = xstrdup(from->labels[row]);
    to->lines[i] = from->lines[row];
    for (size_t j = 0; j < to->cols; j++) {
        bool may_miss = to->kinds[j] == REGRESS_CYCLES || to->kinds[j] == REGRESS_EVENT;
        to->values[i * to->cols + j] = may_miss ? (double)NAN : 0;
    }
    for (size_t j = 0; j < from->cols; j++) {
        size_t column = 0;
        map_get(columns, from->names[j], &column);
        to->values[i * to->cols + column] = from->values[row * from->cols + j];
    }
}

static size_t count_rows(const struct regress_table *t)
{
    return !t->data ? 0 : t->rows ? t->rows->n : t->data->n;
}

static size_t row_at(const struct regress_table *t, size_t i)
{
    return t->rows ? t->rows->at[i] : i;
}

/* Adds a table's rows to `d`, except those of `known` programs. Returns the number of rows in `d`. */
static size_t add_rows(struct regress_data *d, size_t filled, const struct regress_table *t, const struct map *columns,
                       const struct map *known)
{
    for (size_t i = 0; i < count_rows(t); i++) {
        size_t row = row_at(t, i);
        if (!is_sum(t->data, row) && !map_get(known, t->data->group_names[t->data->groups[row]], 0))
            copy_row(d, filled++, t->data, row, columns);
    }
    return filled;
}

/* Joins the tables. Candidates that `given` contains are left out; *n_given rows come from `given`. */
static struct regress_data *stack(const struct regress_table *candidates, const struct regress_table *given,
                                  size_t *n_given, size_t *repeated)
{
    struct map columns = {0}, known = {0};
    add_columns(&columns, given->data);
    size_t cols = add_columns(&columns, candidates->data);
    struct regress_data *d = data_new(candidates->data->path, count_rows(given) + count_rows(candidates), cols);
    for (size_t j = 0; j < d->cols; j++) {
        d->names[j] = xstrdup(columns.keys[j]);
        d->kinds[j] = data_column_kind(d->names[j]);
    }
    *n_given = add_rows(d, 0, given, &columns, &known);
    for (size_t g = 0; given->data && g < given->data->n_groups; g++)
        map_put(&known, given->data->group_names[g], 0);
    d->n = add_rows(d, *n_given, candidates, &columns, &known);
    *repeated = 0;
    for (size_t g = 0; g < candidates->data->n_groups; g++)
        *repeated += map_get(&known, candidates->data->group_names[g], 0);
    map_release(&columns);
    map_release(&known);
    data_finish(d);
    return d;
}

/* ---- rows as a fit sees them ---- */

struct design_rows {
    size_t n, n_given, p;
    double *x;     /* n x p, row by row; only columns that occur */
    size_t *first; /* blocks of the candidates; rows are counted from the first candidate row */
    size_t *group; /* of each block, in the joined data */
    size_t n_blocks;
};

/* Divides each row by its expected cost, then each column that occurs by its root mean square. */
static void scale_rows(struct design_rows *r, struct regress_design *d, const struct table *t)
{
    const struct regress_variable *v = t->classes->variables;
    double *all = xcalloc(t->n * t->p, sizeof *all);
    for (size_t i = 0; i < t->n; i++) {
        double cost = 0;
        for (size_t j = 0; j < t->p; j++)
            cost += t->counts[i * t->p + j] * v[j].prior;
        for (size_t j = 0; cost > 0 && j < t->p; j++)
            all[i * t->p + j] = t->counts[i * t->p + j] / cost;
    }
    r->x = xcalloc(t->n * t->p, sizeof *r->x);
    d->absent = xcalloc(t->p, sizeof *d->absent);
    double *lengths = xcalloc(t->p, sizeof *lengths);
    for (size_t j = 0; j < t->p; j++) {
        lengths[j] = cblas_dnrm2((int)t->n, all + j, (int)t->p) / sqrt((double)t->n);
        r->p += lengths[j] > 0;
        if (!(lengths[j] > 0))
            d->absent[d->n_absent++] = xstrdup(v[j].name);
    }
    for (size_t j = 0, to = 0; j < t->p; j++) {
        for (size_t i = 0; lengths[j] > 0 && i < t->n; i++)
            r->x[i * r->p + to] = all[i * t->p + j] / lengths[j];
        to += lengths[j] > 0;
    }
    free(lengths);
    free(all);
}

/* Rows of one program are consecutive: irprof writes them so, and regress keeps the order. */
static enum status find_blocks(struct design_rows *r, const struct regress_data *d, struct error *e)
{
    r->first = xcalloc(d->n + 1, sizeof *r->first);
    r->group = xcalloc(d->n, sizeof *r->group);
    bool *seen = xcalloc(d->n_groups, sizeof *seen);
    enum status s = OK;
    for (size_t i = r->n_given; !s && i < d->n; i++) {
        size_t g = d->groups[i];
        if (i > r->n_given && g == d->groups[i - 1])
            continue;
        if (seen[g])
            s = error_set(e, ERR_INPUT, AT(d->path, d->lines[i]), "the rows of '%s' do not stand together",
                          d->group_names[g]);
        seen[g] = true;
        r->first[r->n_blocks] = i - r->n_given;
        r->group[r->n_blocks++] = g;
    }
    r->first[r->n_blocks] = d->n - r->n_given;
    free(seen);
    return s;
}

static void release_rows(struct design_rows *r)
{
    free(r->x);
    free(r->first);
    free(r->group);
}

/* d I + X'X over the given rows. */
static double *given_moment(const struct design_rows *r)
{
    double *m = xcalloc(r->p * r->p, sizeof *m);
    for (size_t j = 0; j < r->p; j++)
        m[j * r->p + j] = PRIOR_WEIGHT;
    if (r->n_given)
        cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, (int)r->p, (int)r->n_given, 1, r->x, (int)r->p, 1, m,
                    (int)r->p);
    return m;
}

/* ---- figures ---- */

static void copy_column_wise(double *to, size_t n, size_t at, const double *row, size_t p)
{
    for (size_t j = 0; j < p; j++)
        to[j * n + at] = row[j];
}

static enum status figures(struct regress_design_figures *f, const struct design_rows *r, size_t given_programs,
                           const size_t *blocks, size_t n_blocks, struct error *e)
{
    f->rows = r->n_given;
    f->programs = given_programs + n_blocks;
    for (size_t k = 0; k < n_blocks; k++)
        f->rows += r->first[blocks[k] + 1] - r->first[blocks[k]];
    if (!f->rows)
        return OK;
    double *a = xcalloc(f->rows * r->p, sizeof *a);
    size_t at = 0;
    for (; at < r->n_given; at++)
        copy_column_wise(a, f->rows, at, r->x + at * r->p, r->p);
    for (size_t k = 0; k < n_blocks; k++)
        for (size_t i = r->first[blocks[k]]; i < r->first[blocks[k] + 1]; i++)
            copy_column_wise(a, f->rows, at++, r->x + (r->n_given + i) * r->p, r->p);
    for (size_t j = 0; j < r->p; j++) {
        double length = cblas_dnrm2((int)f->rows, a + j * f->rows, 1);
        if (length > 0)
            cblas_dscal((int)f->rows, 1 / length, a + j * f->rows, 1);
    }
    struct decomposition d;
    enum status s = decompose(&d, a, f->rows, r->p, false, e);
    f->rank = d.rank;
    release_decomposition(&d);
    if (!s)
        s = decompose_condition(a, f->rows, r->p, &f->condition, e);
    free(a);
    return s;
}

struct draw {
    double log_det;
    size_t *blocks;
};

static int by_log_det(const void *a, const void *b)
{
    const struct draw *x = a, *y = b;
    return (x->log_det > y->log_det) - (x->log_det < y->log_det);
}

/* For comparison: the median of so many random choices. */
static enum status draw_at_random(struct regress_design *d, const struct design_rows *r, const struct design_pool *pool,
                                  const double *m, uint64_t seed, size_t given_programs, struct error *e)
{
    struct random random = random_start(seed);
    struct draw draws[DRAWS];
    for (size_t k = 0; k < DRAWS; k++) {
        draws[k].blocks = xcalloc(pool->n_blocks, sizeof *draws[k].blocks);
        random_order(&random, draws[k].blocks, pool->n_blocks);
        draws[k].log_det = design_log_det(pool, m, draws[k].blocks, d->n);
    }
    qsort(draws, DRAWS, sizeof *draws, by_log_det);
    d->draws = DRAWS;
    d->best_at_random = draws[DRAWS - 1].log_det;
    d->random.log_det = draws[DRAWS / 2].log_det;
    enum status s = figures(&d->random, r, given_programs, draws[DRAWS / 2].blocks, d->n, e);
    for (size_t k = 0; k < DRAWS; k++)
        free(draws[k].blocks);
    return s;
}

static enum status choose(struct regress_design *d, const struct design_rows *r, uint64_t seed, size_t given_programs,
                          struct error *e)
{
    const struct design_pool pool = {r->n_blocks, r->p, r->first, r->x + r->n_given * r->p};
    size_t *every = xcalloc(r->n_blocks, sizeof *every);
    double *m = given_moment(r);
    for (size_t b = 0; b < r->n_blocks; b++)
        every[b] = b;
    d->n_variables = r->p;
    d->groups = xcalloc(d->n, sizeof *d->groups);
    d->given.log_det = design_log_det(&pool, m, 0, 0);
    d->all.log_det = design_log_det(&pool, m, every, r->n_blocks);
    d->chosen.log_det = design_choose(d->groups, d->n, &pool, m);
    enum status s = figures(&d->given, r, given_programs, 0, 0, e);
    if (!s)
        s = figures(&d->chosen, r, given_programs, d->groups, d->n, e);
    if (!s)
        s = figures(&d->all, r, given_programs, every, r->n_blocks, e);
    if (!s)
        s = draw_at_random(d, r, &pool, m, seed, given_programs, e);
    free(every);
    free(m);
    return s;
}

/* Translates blocks to groups of the candidates' own table. */
static void name_groups(struct regress_design *d, const struct design_rows *r, const struct regress_data *stacked,
                        const struct regress_data *candidates)
{
    struct map numbers = {0};
    for (size_t g = 0; g < candidates->n_groups; g++)
        map_put(&numbers, candidates->group_names[g], g);
    for (size_t k = 0; k < d->n; k++)
        map_get(&numbers, stacked->group_names[r->group[d->groups[k]]], &d->groups[k]);
    map_release(&numbers);
}

static size_t count_groups(const struct regress_data *d, size_t rows)
{
    size_t n = 0;
    for (size_t i = 0; i < rows; i++)
        n = d->groups[i] + 1 > n ? d->groups[i] + 1 : n; /* groups are numbered in the order of appearance */
    return n;
}

enum status regress_design(struct regress_design **out, const struct regress_table *candidates,
                           const struct regress_table *given, const struct regress_classes *c, size_t n, uint64_t seed,
                           struct error *e)
{
    const char *path = candidates->data->path;
    if (count_rows(candidates) + count_rows(given) > MOST_ROWS)
        return error_set(e, ERR_INPUT, AT_FILE(path), "more than %zu rows", MOST_ROWS);
    struct regress_design *d = xcalloc(1, sizeof *d);
    struct design_rows r = {0};
    struct table *t = 0;
    d->n = n;
    struct regress_data *both = stack(candidates, given, &r.n_given, &d->repeated);
    enum status s = table_make(&t, both, c, "cycles", 0, false, e);
    if (!s)
        s = find_blocks(&r, both, e);
    if (!s && r.n_blocks < n)
        s = error_set(e, ERR_INPUT, AT_FILE(path), "%zu programs cannot be chosen: there are %zu candidates", n,
                      r.n_blocks);
    if (!s) {
        scale_rows(&r, d, t);
        r.n = both->n;
        s = r.p ? choose(d, &r, seed, count_groups(both, r.n_given), e)
                : error_set(e, ERR_INPUT, AT_FILE(path), "every count of every row is 0");
    }
    if (!s)
        name_groups(d, &r, both, candidates->data);
    release_rows(&r);
    table_free(t);
    regress_data_free(both);
    if (s)
        regress_design_free(d);
    else
        *out = d;
    return s;
}

void regress_design_free(struct regress_design *d)
{
    if (!d)
        return;
    for (size_t i = 0; i < d->n_absent; i++)
        free(d->absent[i]);
    free(d->absent);
    free(d->groups);
    free(d);
}
