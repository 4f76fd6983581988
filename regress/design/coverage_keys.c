/* coverage_keys.c - how well each key is covered, its plain and dependent forms together. */
#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/key.h"
#include "base/map.h"
#include "regress/design/cover.h"
#include "regress/design/coverage.h"

#define MOST_COSINES 1e10 /* multiplications; with more, keys are not compared */

/* `add.i32` and `add.i32_d` become one line. Returns each column's line; REGRESS_NONE: the column is not a key. */
static size_t *merge_keys(struct map *names, const struct table *t, bool *dependent)
{
    size_t *line = xcalloc(t->data->cols, sizeof *line);
    for (size_t j = 0; j < t->data->cols; j++) {
        const char *name = t->data->names[j];
        size_t n;
        line[j] = REGRESS_NONE;
        if (!t->is_key[j])
            continue;
        dependent[j] = ir_dependent(name, &n) && t->data->kinds[j] == REGRESS_KEY;
        char *base = xstrndup(name, dependent[j] ? n : strlen(name));
        line[j] = map_number(names, base);
        free(base);
    }
    return line;
}

static void cover_key(struct cover *c, size_t k, const size_t *line, const bool *dependent, double *scaled)
{
    const struct fitter *f = c->f;
    const struct table *t = f->table;
    const struct regress_data *d = t->data;
    struct regress_covered *x = &c->out->keys[k];
    double *counts = xcalloc(f->n, sizeof *counts), waiting = 0, cycles = 0;
    for (size_t j = 0; j < d->cols; j++) {
        if (line[j] != k)
            continue;
        x->variable[dependent[j]] = t->variable_of[j];
        double value = t->variable_of[j] == REGRESS_NONE ? 0 : c->x[t->variable_of[j]];
        for (size_t i = 0; i < f->n; i++) {
            double count = d->values[f->row[i] * d->cols + j];
            counts[i] += count;
            waiting += dependent[j] ? count : 0;
            cycles += count * value;
        }
    }
    cover_occurrence(x, f, counts);
    for (size_t i = 0; i < f->n; i++)
        scaled[i] = counts[i] * cover_row_scale(f, i);
    cover_weigh(x, f, scaled);
    x->dependent = x->count > 0 ? waiting / x->count : (double)NAN;
    x->value = x->count > 0 ? cycles / x->count : (double)NAN;
    free(counts);
}

static void compare_keys(struct cover *c, double *scaled)
{
    size_t n = c->f->n, m = c->out->n_keys;
    if ((double)m * (double)m * (double)n > MOST_COSINES)
        return;
    for (size_t k = 0; k < m; k++) {
        double length = cblas_dnrm2((int)n, scaled + k * n, 1);
        if (length > 0)
            cblas_dscal((int)n, 1 / length, scaled + k * n, 1);
    }
    for (size_t k = 0; k < m; k++) {
        struct regress_covered *x = &c->out->keys[k];
        for (size_t l = 0; l < m; l++) {
            double cosine = l == k ? 0 : cblas_ddot((int)n, scaled + k * n, 1, scaled + l * n, 1);
            if (cosine > x->likeness) {
                x->likeness = fmin(1, cosine);
                x->like = l;
            }
        }
    }
}

/* Sums a variable and its twin. */
static void mix_of_variables(struct cover *c, const size_t *line, const bool *dependent)
{
    const struct table *t = c->f->table;
    const struct regress_data *d = t->data;
    double *all = xcalloc(2 * t->p, sizeof *all), *waiting = all + t->p;
    for (size_t j = 0; j < d->cols; j++) {
        size_t v = t->variable_of[j];
        if (line[j] == REGRESS_NONE || v == REGRESS_NONE)
            continue;
        size_t twin = t->classes->variables[v].twin, family = twin == REGRESS_NONE ? v : twin;
        for (size_t i = 0; i < c->f->n; i++) {
            double count = d->values[c->f->row[i] * d->cols + j];
            all[family] += count;
            waiting[family] += dependent[j] ? count : 0;
        }
    }
    for (size_t v = 0; v < t->p; v++) {
        size_t twin = t->classes->variables[v].twin, family = twin == REGRESS_NONE ? v : twin;
        if (all[family] > 0)
            c->out->variables[v].dependent = waiting[family] / all[family];
    }
    free(all);
}

void cover_keys(struct cover *c)
{
    const struct table *t = c->f->table;
    struct map names = {0};
    bool *dependent = xcalloc(t->data->cols, sizeof *dependent);
    size_t *line = merge_keys(&names, t, dependent);
    double *scaled = xcalloc(names.n * c->f->n, sizeof *scaled);
    c->out->n_keys = names.n;
    c->out->keys = xcalloc(names.n, sizeof *c->out->keys);
    for (size_t k = 0; k < names.n; k++) {
        c->out->keys[k] = (struct regress_covered){.name = xstrdup(names.keys[k]), .like = REGRESS_NONE};
        c->out->keys[k].variable[0] = c->out->keys[k].variable[1] = REGRESS_NONE;
        c->out->keys[k].error = c->out->keys[k].vif = NAN;
        cover_key(c, k, line, dependent, scaled + k * c->f->n);
    }
    compare_keys(c, scaled);
    mix_of_variables(c, line, dependent);
    map_release(&names);
    free(dependent);
    free(line);
    free(scaled);
}
