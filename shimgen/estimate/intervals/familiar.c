/* familiar.c - counts in how many training programs each kind of instruction occurs. */
#include "shimgen/estimate/intervals/familiar.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/key.h"
#include "shimgen/estimate/tune/roles.h"

/* An ignored key costs nothing, so it counts as familiar. */
void familiar_of_model(struct familiar *f, const struct regress_model *m)
{
    f->programs = xcalloc(m->n_keys, sizeof *f->programs);
    for (size_t i = 0; i < m->n_keys; i++) {
        size_t variable = m->keys[i].variable;
        map_put(&f->keys, m->keys[i].key, i);
        if (m->keys[i].count > 0)
            f->programs[i] = variable == REGRESS_NONE ? FAMILIAR_PROGRAMS : m->values[variable].groups;
    }
}

/* Number of programs, among the rows, in which the column is not 0. */
static size_t programs_with(const struct regress_data *d, size_t column, const bool *asked)
{
    bool *seen = xcalloc(d->n_groups, sizeof *seen);
    size_t n = 0;
    for (size_t row = 0; row < d->n; row++) {
        bool has = asked[row] && d->values[row * d->cols + column] > 0;
        n += has && !seen[d->groups[row]];
        seen[d->groups[row]] |= has;
    }
    free(seen);
    return n;
}

void familiar_of_rows(struct familiar *f, const struct regress_data *d, const struct regress_rows *rows)
{
    bool *asked = xcalloc(d->n, sizeof *asked);
    for (size_t i = 0; i < d->n && !rows; i++)
        asked[i] = !roles_test(d, i);
    for (size_t i = 0; rows && i < rows->n; i++)
        asked[rows->at[i]] = true;
    f->programs = xcalloc(d->cols, sizeof *f->programs);
    for (size_t i = 0; i < d->cols; i++) {
        map_put(&f->keys, d->names[i], i);
        f->programs[i] = programs_with(d, i, asked);
    }
    free(asked);
}

void familiar_release(struct familiar *f)
{
    map_release(&f->keys);
    free(f->programs);
    *f = (struct familiar){0};
}

bool familiar_with(const struct familiar *f, const char *key)
{
    size_t at;
    return map_get(&f->keys, key, &at) && f->programs[at] >= FAMILIAR_PROGRAMS;
}

double familiar_rare(const struct familiar *f, const struct regress_data *d, size_t row)
{
    double rare = 0, all = 0;
    for (size_t i = 0; i < d->cols; i++) {
        double count = d->values[row * d->cols + i];
        if (!(count > 0) || ir_key(d->names[i]).opcode == IR_NONE)
            continue;
        all += count;
        rare += familiar_with(f, d->names[i]) ? 0 : count;
    }
    return all > 0 ? rare / all : 0;
}
