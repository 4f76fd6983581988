/* crossval_values.c - estimates by values that are fitted to some of the rows. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cli.h"
#include "base/file.h"
#include "shimgen/estimate/intervals/crossval_estimators.h"
#include "shimgen/estimate/intervals/familiar.h"

/* ---- counts x values ---- */

/* The variable X_d of a variable X; REGRESS_NONE: X has none. */
static size_t dependent_of(const struct regress_model *m, size_t variable)
{
    for (size_t i = 0; i < m->n_values; i++)
        if (m->values[i].twin == variable)
            return i;
    return REGRESS_NONE;
}

/* Adds what `sum` has beyond `operand`: each count of X costs what X_d does. */
static void add_waits(double *cycles, bool *apart, const struct regress_model *m, const struct regress_data *d)
{
    for (size_t k = 0; k < m->n_keys; k++) {
        size_t of = m->keys[k].variable, column, twin = of == REGRESS_NONE ? of : dependent_of(m, of);
        if (twin == REGRESS_NONE || !regress_data_column(d, m->keys[k].key, &column))
            continue;
        *apart = true;
        double more = m->values[twin].value - m->values[of].value;
        for (size_t i = 0; i < d->n; i++)
            cycles[i] += d->values[i * d->cols + column] * more;
    }
}

static void doubt_rare(unsigned *doubts, const struct familiar *f, const struct regress_data *d)
{
    for (size_t i = 0; i < d->n; i++)
        if (familiar_rare(f, d, i) >= FAMILIAR_SHARE)
            doubts[i] |= 1u << DOUBT_RARE;
}

/* A model of whole programs has no values of keys, so it gives no warnings. */
static void doubts_of_model(unsigned *doubts, const struct regress_model *m, const struct regress_data *d)
{
    struct familiar familiar = {0};
    bool values = false;
    for (size_t i = 0; i < d->n; i++)
        doubts[i] = 0;
    for (size_t k = 0; k < m->n_keys; k++)
        values |= m->keys[k].variable != REGRESS_NONE;
    familiar_of_model(&familiar, m);
    if (values)
        doubt_rare(doubts, &familiar, d);
    familiar_release(&familiar);
}

enum status crossval_linear(double *cycles[2], unsigned *doubts, bool *apart, const struct regress_data *d,
                            const char *classes, const char *solver, const struct regress_rows *train, struct error *e)
{
    struct regress_classes *c = 0;
    struct regress_model *m = 0;
    struct regress_prediction *p = 0;
    size_t n = 0;
    struct regress_settings settings = REGRESS_SETTINGS_INIT;
    settings.solver = solver;
    settings.resamples = 0;
    *apart = false;
    enum status s = regress_classes_load(&c, classes, e);
    if (!s)
        s = regress_fit(&m, d, c, &settings, train, 0, e);
    if (!s)
        s = regress_predict(&p, &n, m, d, 0, e);
    for (size_t i = 0; i < n && !s; i++)
        cycles[0][p[i].row] = cycles[1][p[i].row] = p[i].estimate;
    if (!s)
        add_waits(cycles[1], apart, m, d);
    if (!s)
        doubts_of_model(doubts, m, d);
    free(p);
    regress_model_free(m);
    regress_classes_free(c);
    return s;
}

/* ---- methods that need profiles ---- */

static enum status estimate_one(double *cycles, unsigned *doubts, const struct estimator *method,
                                const struct tune_program *p, const struct costs *costs, const char *board,
                                const char *const *modules, struct error *e)
{
    struct estimate *est = 0;
    struct estimate_request q = {
        .profile = p->profile, .region = p->region, .costs = costs, .programs = modules, .board = board};
    enum status s = estimate_run(&est, method, &q, e);
    if (!s) {
        *cycles = est->total.typical;
        *doubts = est->doubts;
    }
    estimate_free(est);
    return s;
}

enum status crossval_schedule(double *cycles, unsigned *doubts, const struct crossval_spec *spec,
                              const struct regress_rows *train, struct error *e)
{
    const struct tune_programs *all = spec->programs;
    struct tune_programs part = {xcalloc(all->n, sizeof *all->at), 0, all->n_groups};
    struct tune_result r;
    struct costs costs;
    for (size_t i = 0, k = 0; i < all->n; i++) {
        while (k < train->n && train->at[k] < all->at[i].row)
            k++;
        if (k < train->n && train->at[k] == all->at[i].row) {
            part.at[part.n] = all->at[i];
            part.at[part.n++].test = false;
        }
    }
    costs_copy(&costs, spec->costs);
    enum status s = tune(&r, &costs, &part, false, e);
    for (size_t i = 0; i < all->n && !s; i++)
        s = estimate_one(&cycles[all->at[i].row], &doubts[all->at[i].row], &estimator_schedule, &all->at[i], &costs, 0,
                         0, e);
    struct familiar familiar = {0};
    familiar_of_rows(&familiar, spec->data, train);
    doubt_rare(doubts, &familiar, spec->data);
    familiar_release(&familiar);
    tune_release(&r);
    costs_release(&costs);
    free(part.at);
    return s;
}

/* The IR files of a program in a build: 0.bc, 1.bc, ...; NULL-terminated. Free with free_modules. */
static char **modules_of(const char *work, const char *program)
{
    char **list = xcalloc(1, sizeof *list);
    for (size_t n = 0;; n++) {
        char *path = xasprintf("%s/%s/%zu.bc", work, program, n);
        if (!file_exists(path)) {
            free(path);
            return list;
        }
        list = xreallocarray(list, n + 2, sizeof *list);
        list[n] = path;
        list[n + 1] = 0;
    }
}

static void free_modules(char **list)
{
    for (size_t i = 0; list[i]; i++)
        free(list[i]);
    free(list);
}

enum status crossval_compiled(double *cycles, unsigned *doubts, const struct crossval_spec *spec, struct error *e)
{
    struct costs none;
    enum status s = costs_from_board(&none, spec->board, NULL, e);
    for (size_t i = 0; i < spec->programs->n && !s; i++) {
        const struct tune_program *p = &spec->programs->at[i];
        char **modules = modules_of(spec->work, spec->data->programs[p->row]);
        if (!modules[0])
            s = error_set(e, ERR_INPUT, AT_FILE(spec->work), "%s: its IR (0.bc) is not there", p->label);
        else
            s = estimate_one(&cycles[p->row], &doubts[p->row], &estimator_compiled, p, &none, spec->board,
                             (const char *const *)modules, e);
        free_modules(modules);
    }
    costs_release(&none);
    return s;
}
