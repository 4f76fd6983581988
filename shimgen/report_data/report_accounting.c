/* report_accounting.c - for the report: what a model attributes each program's cycles to. Part of report_data.h. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/str.h"
#include "shimgen/report_data/report_fill.h"

/* Kinds on the page, and the patterns of variables that belong to each. The first pattern that matches counts.
 * Variables are those of the classifications in regress/classes. */
static const struct {
    const char *kind;
    const char *patterns[12];
} kinds[] = {
    {"second-level misses", {"miss_l2*", "*L2D_CACHE_REFILL*", "l2_miss*"}},
    {"first-level misses", {"miss_l1*", "*L1D_CACHE_REFILL*", "l1_miss*"}},
    {"mispredictions", {"mispredict*", "*BR_MIS_PRED*"}},
    {"waiting for results", {"wait_*", "near.*", "chain.*"}},
    {"loads and stores", {"load*", "store*", "atomic*", "mem*"}},
    {"floating point", {"f*", "convert*", "vector*", "real*"}},
    {"branches", {"branch*", "jump*", "br*", "taken*", "switch*"}},
    {"calls and libraries", {"call*", "ret*", "library*", "math*", "intrinsic*", "block"}},
    {"integer and the rest", {"*"}},
};
enum { KINDS = sizeof kinds / sizeof *kinds };
/* Order on the page: first what instructions do, then what they wait for. */
static const size_t shown[KINDS] = {8, 5, 4, 6, 3, 1, 0, 2, 7};

static size_t kind_of(const char *variable)
{
    for (size_t i = 0; i < KINDS; i++)
        for (const char *const *p = kinds[i].patterns; *p; p++)
            if (glob_match(*p, variable))
                return i;
    return KINDS - 1;
}

/* The kinds for which a model has variables, in the order of the page. */
struct places {
    size_t of[KINDS]; /* of each kind; KINDS: none */
    size_t n;
    const char *names[KINDS];
};

static void find_places(struct places *p, const struct regress_model *m)
{
    *p = (struct places){.n = 0};
    for (size_t i = 0; i < KINDS; i++) {
        bool used = false;
        for (size_t k = 0; k < m->n_values; k++)
            used |= kind_of(m->values[k].name) == shown[i];
        p->of[shown[i]] = used ? p->n : KINDS;
        if (used)
            p->names[p->n++] = kinds[shown[i]].kind;
    }
}

/* Adds a variable's contribution to each row's `place`, n per row. A model is linear in its values. */
static enum status add_variable(double *place, size_t n, struct regress_model *m, const double *values, size_t variable,
                                const struct regress_data *d, struct error *e)
{
    struct regress_prediction *list = 0;
    size_t rows = 0;
    for (size_t k = 0; k < m->n_values; k++)
        m->values[k].value = k == variable ? values[k] : 0;
    enum status s = regress_predict(&list, &rows, m, d, 0, e);
    for (size_t i = 0; i < rows && !s; i++)
        if (list[i].measured > 0)
            place[list[i].row * n] += list[i].estimate / list[i].measured;
    free(list);
    return s;
}

static enum status add_all(double *accounts, const struct places *p, struct regress_model *m,
                           const struct regress_data *d, struct error *e)
{
    double *values = xcalloc(m->n_values, sizeof *values);
    enum status s = OK;
    for (size_t k = 0; k < m->n_values; k++)
        values[k] = m->values[k].value;
    for (size_t k = 0; k < m->n_values && !s; k++)
        if (values[k] != 0)
            s = add_variable(accounts + p->of[kind_of(m->values[k].name)], p->n, m, values, k, d, e);
    for (size_t k = 0; k < m->n_values; k++)
        m->values[k].value = values[k];
    free(values);
    return s;
}

static void *kept(struct fill *f, void *owned)
{
    vec_push(&f->texts, owned);
    return owned;
}

enum status report_fill_accounting(struct fill *f, const struct regress_data *d, const struct evaluation *v,
                                   struct error *e)
{
    struct regress_model *m = v->programs ? v->programs : v->model;
    struct places *p = kept(f, xcalloc(1, sizeof *p));
    find_places(p, m);
    double *accounts = kept(f, xcalloc(d->n, (p->n ? p->n : 1) * sizeof *accounts));
    enum status s = add_all(accounts, p, m, d, e);
    for (size_t i = 0; i < f->report.n_programs && !s; i++)
        if (f->report.programs[i].measured > 0)
            f->report.programs[i].account = accounts + i * p->n;
    f->report.accounts = p->names;
    f->report.n_accounts = s ? 0 : p->n;
    f->report.account_model = kept(f, xasprintf("%s \xc3\x97 %s", m->classes->name, m->solver));
    return s;
}
