/*
 * Prediction intervals of 90 %.
 *
 * The errors e_i = (estimate_i - measured_i) / measured_i of rows held out, each by the fit without its program, are
 * what the errors on new programs will be like. A new program is one more of G + 1 that are exchangeable; each of the G
 * programs weighs 1 / (G + 1), its n_g rows 1 / n_g of that, and the weight that is left stands at infinity on either
 * side. low is the largest e with at most 5 % of the weight at or below it, high the smallest with at most 5 % at or
 * above. With one row a program these are the ranks r and n + 1 - r, r = floor((n + 1) / 20). With fewer than 19
 * programs 5 % of the weight is less than one: then least and greatest error, and the level (G - 1) / (G + 1).
 *
 * What is promised: were the errors those of the final model on programs that it has not seen, the level would hold for
 * any distribution. They are those of the models without each program, which differ a little from the final one; that
 * is the jackknife, which holds in practice where leaving out one program changes estimates little, and which no
 * theorem covers (jackknife+ and CV+, which one does, at 80 %, would need all the left-out models in the file).
 * `regress crossval
 * --intervals` counts how many programs, held out from the model and from the interval, are covered.
 *
 * Sources: Vovk, Gammerman, Shafer, Algorithmic Learning in a Random World (2005), for the ranks; Dunn, Wasserman,
 * Ramdas, Distribution-free prediction sets for two-layer hierarchical models, JASA 118 (2023), for rows in groups
 * (pooling); Barber, Candes, Ramdas, Tibshirani, Predictive inference with the jackknife+, Annals of Statistics 49
 * (2021).
 */
#include "regress/validate/conformal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/program_name.h"
#include "regress/data/table.h"
#include "regress/validate/validate.h"

#define TAIL     ((1 - CONFORMAL_LEVEL) / 2)
#define FOLDS    100
#define ROUNDING 1e-12 /* rounding error of summing weights */

struct weighted {
    double error, weight;
};

static int by_error(const void *a, const void *b)
{
    double x = ((const struct weighted *)a)->error, y = ((const struct weighted *)b)->error;
    return (x > y) - (x < y);
}

/* The quantile from the lower or upper end: the error at which the accumulated weight is still at most TAIL. */
static double tail(const struct weighted *all, size_t n, bool upper)
{
    double weight = 0, end = all[upper ? n - 1 : 0].error;
    for (size_t k = 0; k < n; k++) {
        const struct weighted *w = &all[upper ? n - 1 - k : k];
        weight += w->weight;
        if (weight > TAIL + ROUNDING)
            break;
        end = w->error;
    }
    return end;
}

struct conformal conformal_of(const double *errors, const size_t *group, size_t n, size_t n_groups)
{
    struct conformal c = {0, NAN, NAN};
    size_t *rows = xcalloc(n_groups, sizeof *rows), kept = 0, groups = 0;
    struct weighted *all = xcalloc(n, sizeof *all);
    for (size_t i = 0; i < n; i++)
        if (!isnan(errors[i]))
            groups += rows[group[i]]++ == 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(errors[i]))
            all[kept++] = (struct weighted){errors[i], 1 / ((double)rows[group[i]] * (double)(groups + 1))};
    if (groups >= 2) {
        qsort(all, kept, sizeof *all, by_error);
        bool enough = groups >= CONFORMAL_PROGRAMS; /* 1 / (groups + 1) <= TAIL */
        c.level = enough ? CONFORMAL_LEVEL : (double)(groups - 1) / (double)(groups + 1);
        c.low = enough ? tail(all, kept, false) : all[0].error;
        c.high = enough ? tail(all, kept, true) : all[kept - 1].error;
    }
    free(rows);
    free(all);
    return c;
}

const char *const conformal_codes[REGRESS_CODES] = {
    [REGRESS_UNOPTIMISED] = "unoptimised", [REGRESS_OPTIMISED] = "optimised"};

enum regress_code regress_code_of(const char *program)
{
    const char *level = program_level(program);
    return !level ? REGRESS_CODES : strcmp(level, "O0") == 0 ? REGRESS_UNOPTIMISED : REGRESS_OPTIMISED;
}

struct conformal_set conformal_set_of(const struct fitter *f, const double *errors)
{
    struct conformal_set s = {.all = conformal_of(errors, f->group, f->n, f->n_groups)};
    double *own = xcalloc(f->n, sizeof *own);
    for (unsigned code = 0; code < REGRESS_CODES; code++) {
        for (size_t i = 0; i < f->n; i++) {
            const char *program = f->table->data->programs[f->row[i]];
            own[i] = regress_code_of(program) == code ? errors[i] : (double)NAN;
        }
        s.code[code] = conformal_of(own, f->group, f->n, f->n_groups);
    }
    free(own);
    return s;
}

const struct conformal *conformal_for(const struct conformal_set *s, const char *program)
{
    enum regress_code code = regress_code_of(program);
    return code < REGRESS_CODES && s->code[code].level > 0 ? &s->code[code] : &s->all;
}

enum status conformal_held_out(struct fitter *f, double *errors, struct error *e)
{
    bool each = f->n_groups <= REGRESS_MOST_LEFT_OUT;
    size_t *fold = each ? validate_each_group(f) : validate_assign_folds(f, FOLDS, f->seed);
    enum status s = validate_folds(f, fold, each ? f->n_groups : FOLDS, errors, e);
    for (size_t i = 0; !s && i < f->n; i++)
        errors[i] = f->target[i] != 0 ? (errors[i] - f->target[i]) / f->target[i] : (double)NAN;
    free(fold);
    return s;
}

void conformal_bound(double estimate, const struct conformal *c, double *low, double *high)
{
    *low = *high = NAN;
    if (!(c->level > 0) || !(estimate > 0))
        return;
    if (c->high > -1)
        *low = estimate / (1 + c->high);
    if (c->low > -1)
        *high = estimate / (1 + c->low);
}
