/* tune_read.c - reads what values are fitted to: measured programs with their profiles, and measured instructions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/csv.h"
#include "base/file.h"
#include "shimgen/estimate/tune/tune.h"
#include "shimgen/estimate/tune/roles.h"

static enum status read_program(struct tune_program *p, const struct regress_data *d, size_t row, const char *path,
                                struct error *e)
{
    size_t cycles;
    if (!regress_data_column(d, "cycles", &cycles))
        return error_set(e, ERR_INPUT, AT_FILE(d->path), "it has no column 'cycles'");
    p->measured = d->values[row * d->cols + cycles];
    if (!(p->measured > 0))
        return error_set(e, ERR_INPUT, AT_FILE(d->path), "%s: its cycles are not positive", d->labels[row]);
    enum status s = irprof_read(&p->profile, path, e);
    if (!s)
        s = irprof_region(&p->region, p->profile, *d->regions[row] ? d->regions[row] : IRPROF_REGION_MAIN, e);
    p->label = xstrdup(d->labels[row]);
    p->group = d->groups[row];
    p->test = roles_test(d, row);
    p->row = row;
    return s;
}

enum status tune_programs_read(struct tune_programs *out, const struct regress_data *d, const char *folder,
                               struct error *e)
{
    enum status s = OK;
    *out = (struct tune_programs){xcalloc(d->n, sizeof *out->at), 0, d->n_groups};
    for (size_t i = 0; i < d->n && !s; i++) {
        char *path = xasprintf("%s/%s/profile", folder, d->programs[i]);
        if (file_exists(path))
            s = read_program(&out->at[out->n++], d, i, path, e);
        free(path);
    }
    if (!s && !out->n)
        s = error_set(e, ERR_INPUT, AT_FILE(folder), "it has the profile of none of the programs in %s", d->path);
    return s;
}

void tune_programs_release(struct tune_programs *t)
{
    for (size_t i = 0; i < t->n; i++) {
        free(t->at[i].label);
        irprof_free(t->at[i].profile);
    }
    free(t->at);
    *t = (struct tune_programs){0};
}

const char *tune_cycle_event(const struct regress_data *d)
{
    size_t cycles;
    if (!regress_data_column(d, "cycles", &cycles))
        return 0;
    for (size_t k = 0; k < d->cols; k++) {
        size_t same = 0;
        while (same < d->n && d->values[same * d->cols + k] == d->values[same * d->cols + cycles])
            same++;
        if (k != cycles && d->kinds[k] == REGRESS_CYCLES && same == d->n)
            return d->names[k];
    }
    return 0;
}

/* ---- values ---- */

struct columns {
    size_t instruction, quantity, cells[3], like;
    bool likes;
};

static enum status find_columns(struct columns *c, const struct csv *table, struct error *e)
{
    static const char *const names[] = {"best", "typical", "worst"};
    enum status s = csv_need(table, "instruction", &c->instruction, e);
    if (!s)
        s = csv_need(table, "quantity", &c->quantity, e);
    for (size_t i = 0; i < 3 && !s; i++)
        s = csv_need(table, names[i], &c->cells[i], e);
    c->likes = csv_find(table, "like", &c->like);
    return s;
}

/* Reads the cells of a row; empty ones are NAN. */
static enum status read_cells(double *out, const struct csv *table, size_t row, const struct columns *c,
                              struct error *e)
{
    enum status s = OK;
    for (size_t i = 0; i < 3 && !s; i++) {
        out[i] = NAN;
        if (*csv_cell(table, row, c->cells[i]))
            s = csv_number(table, row, c->cells[i], &out[i], e);
        if (!s && out[i] < 0)
            s = error_set(e, ERR_INPUT, AT(table->path, table->lines[row]), "cycles below zero");
    }
    return s;
}

/* Sets the values of `name` from a row. A new instruction also gets the other quantity from it. */
static void set_values(struct costs *c, const char *name, bool latency, const double *cells)
{
    struct cycles v = {isnan(cells[0]) ? cells[1] : cells[0], cells[1], isnan(cells[2]) ? cells[1] : cells[2]};
    size_t i;
    costs_add(c, name, v, v);
    if (map_get(&c->names, name, &i))
        *(latency ? &c->latency[i] : &c->pitch[i]) = v;
}

enum status tune_values_read(struct costs *c, const char *path, struct error *e)
{
    struct csv *table = 0;
    struct columns at;
    enum status s = csv_read(&table, path, e);
    if (!s)
        s = find_columns(&at, table, e);
    for (int pass = 0; pass < 2 && !s; pass++)
        for (size_t r = 0; r < table->n_rows && !s; r++) {
            const char *like = at.likes ? csv_cell(table, r, at.like) : "", *name = csv_cell(table, r, at.instruction);
            bool latency = strcmp(csv_cell(table, r, at.quantity), "latency") == 0;
            double cells[3];
            size_t i;
            s = read_cells(cells, table, r, &at, e);
            /* those that are like others, once these exist */
            if (!s && pass == 0 && !*like && !isnan(cells[1])) {
                set_values(c, name, latency, cells);
            } else if (!s && pass == 1 && *like && map_get(&c->names, like, &i)) {
                const struct cycles *v = latency ? &c->latency[i] : &c->pitch[i];
                set_values(c, name, latency, (double[]){v->best, v->typical, v->worst});
            }
        }
    csv_free(table);
    return s;
}
