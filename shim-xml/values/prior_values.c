/* prior_values.c - reads a table of instruction values, which a merge uses where the model has no evidence. */
#include "shim-xml/values/prior_values.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/instructions.h"

enum column { INSTRUCTION_, QUANTITY, BEST, TYPICAL, WORST, LIKE, SOURCE, N_COLUMNS };
static const char *const columns[N_COLUMNS] = {"instruction", "quantity", "best", "typical", "worst", "like", "source"};

struct reading {
    const struct csv *c;
    size_t column[N_COLUMNS], row;
    struct error *e;
};

static const char *cell(const struct reading *r, enum column k)
{
    return csv_cell(r->c, r->row, r->column[k]);
}

static struct loc here(const struct reading *r)
{
    return AT(r->c->path, r->c->lines[r->row]);
}

static bool is_known(const char *name)
{
    return ir_listed_index(name) < IR_LISTED;
}

static enum status cycles(const struct reading *r, enum column k, double *out)
{
    enum status s = csv_number(r->c, r->row, r->column[k], out, r->e);
    if (!s && (*out < 0 || *out > FLT_MAX))
        s = error_set(r->e, ERR_INPUT, here(r), "%s is %s: no number of cycles that SHIM can hold", columns[k],
                      cell(r, k));
    return s;
}

static enum status read_range(const struct reading *r, struct shimxml_range *out)
{
    enum status s = cycles(r, BEST, &out->best);
    if (!s)
        s = cycles(r, TYPICAL, &out->typical);
    if (!s)
        s = cycles(r, WORST, &out->worst);
    if (!s && (out->best > out->typical || out->typical > out->worst))
        s = error_set(r->e, ERR_INPUT, here(r), "best <= typical <= worst does not hold: %s, %s, %s", cell(r, BEST),
                      cell(r, TYPICAL), cell(r, WORST));
    return s;
}

static enum status read_like(const struct reading *r)
{
    if (*cell(r, BEST) || *cell(r, TYPICAL) || *cell(r, WORST))
        return error_set(r->e, ERR_INPUT, here(r), "both numbers and like '%.60s' are given: give one of the two",
                         cell(r, LIKE));
    if (!is_known(cell(r, LIKE)))
        return error_set(r->e, ERR_INPUT, here(r), "like '%.60s' is not an instruction of LLVM", cell(r, LIKE));
    return OK;
}

static enum status read_row(const struct reading *r, struct given_values *v)
{
    const char *name = cell(r, INSTRUCTION_), *quantity = cell(r, QUANTITY);
    struct given_value x = {.latency = strcmp(quantity, "latency") == 0};
    if (!is_known(name))
        return error_set(r->e, ERR_INPUT, here(r), "'%.60s' is not an instruction of LLVM", name);
    if (!x.latency && strcmp(quantity, "pitch") != 0)
        return error_set(r->e, ERR_INPUT, here(r), "quantity '%.60s' is neither latency nor pitch", quantity);
    if (!*cell(r, SOURCE))
        return error_set(r->e, ERR_INPUT, here(r), "the source is empty: say where the value comes from");
    if (values_find(v, name, x.latency))
        return error_set(r->e, ERR_INPUT, here(r), "the %s of '%s' is given twice", quantity, name);
    enum status s = *cell(r, LIKE) ? read_like(r) : read_range(r, &x.value);
    if (s)
        return s;
    x.instruction = xstrdup(name);
    x.like = *cell(r, LIKE) ? xstrdup(cell(r, LIKE)) : 0;
    x.source = xstrdup(cell(r, SOURCE));
    vec_push(&v->at, x);
    return OK;
}

/* Checks that every chain of `like` ends. */
static enum status check_circles(const struct reading *r, const struct given_values *v)
{
    for (size_t i = 0; i < v->at.n; i++) {
        const struct given_value *x = &v->at.at[i];
        for (size_t steps = 0; x && x->like; steps++) {
            if (steps > v->at.n)
                return error_set(r->e, ERR_INPUT, AT(r->c->path, r->c->lines[i]),
                                 "'%s' is like '%s', and that leads back to it", v->at.at[i].instruction,
                                 v->at.at[i].like);
            x = values_find(v, x->like, x->latency);
        }
    }
    return OK;
}

enum status values_read(struct given_values **out, const char *path, struct error *e)
{
    struct csv *c = 0;
    enum status s = csv_read(&c, path, e);
    if (s)
        return s;
    struct given_values *v = xcalloc(1, sizeof *v);
    struct reading r = {.c = c, .e = e};
    for (size_t k = 0; !s && k < N_COLUMNS; k++)
        s = csv_need(c, columns[k], &r.column[k], e);
    if (!s && !c->n_rows)
        s = error_set(e, ERR_INPUT, AT_FILE(path), "there is no row");
    for (; !s && r.row < c->n_rows; r.row++)
        s = read_row(&r, v);
    if (!s)
        s = check_circles(&r, v);
    csv_free(c);
    if (s)
        values_free(v);
    else
        *out = v;
    return s;
}

void values_free(struct given_values *v)
{
    for (size_t i = 0; v && i < v->at.n; i++) {
        free(v->at.at[i].instruction);
        free(v->at.at[i].like);
        free(v->at.at[i].source);
    }
    if (v)
        vec_release(&v->at);
    free(v);
}

const struct given_value *values_find(const struct given_values *v, const char *instruction, bool latency)
{
    for (size_t i = 0; v && i < v->at.n; i++)
        if (v->at.at[i].latency == latency && strcmp(v->at.at[i].instruction, instruction) == 0)
            return &v->at.at[i];
    return 0;
}
