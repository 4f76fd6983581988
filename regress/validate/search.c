/*
 * Splits and merges of variables that lessen the error on programs left out.
 *
 * Moves (search_moves.c): of one variable's keys those with the same opcode, of the same type, or that wait for the one
 * before them become a variable of their own; or two variables whose values are among the closest become one.
 *
 * Score: mean absolute error of rows left out, by folds that stay the same throughout; the strength of a solver that
 * has one stays what it is for the start, so that moves are compared and nothing else.
 *
 * Up: the move that lessens the score most, until none does. Down: from there on the merge that costs least, until the
 * score is far off the best.
 *
 * Parsimony: of all models on the way the one with the fewest variables whose score is within one standard error of the
 * best. The standard error is that of the paired difference over programs, sqrt(sum over g of (D_g - mean)^2) / rows,
 * D_g the sum of program g's differences: models on the same rows share most of their errors, and that of the score
 * itself would let nearly anything pass.
 *
 * The score of what was chosen among hundreds is too good to be true: judge it on rows that the search did not have, or
 * by other folds (`regress crossval --scheme lodo`, `regress compare`).
 *
 * Breiman, Friedman, Olshen, Stone, Classification and Regression Trees (1984), 3.4.3, for the rule of one standard
 * error.
 */
#include "regress/validate/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "regress/solve/parallel.h"
#include "regress/validate/validate.h"

#define FAR        1.15 /* of the best score: where the way down ends */
#define LEAST_GAIN 1e-6

struct searching {
    const struct regress_data *d;
    const struct regress_search_spec *spec;
    struct regress_settings settings;
    const struct solver *solver;
    size_t *fold, folds, *group, n, n_groups;
    struct move now;
    struct moves moves;
    struct regress_search *out;
    double **step_errors; /* of each step of out */
};

/* ---- scores ---- */

/* A fitter of the draft; the two others are what it borrows. */
static enum status fit_draft(struct fitter **f, struct table **t, struct regress_classes **c, const struct searching *s,
                             const struct draft *k, struct error *e)
{
    char *text = draft_text(k);
    const char *target = s->settings.target ? s->settings.target : "cycles";
    enum status status = classes_parse(c, text, "search", "regress search", e);
    if (!status)
        status = table_make(t, s->d, *c, target, s->spec->rows, false, e);
    if (!status)
        status = fitter_new(f, *t, s->spec->rows, s->solver, &s->settings, e);
    free(text);
    return status;
}

static enum status score(struct move *m, const struct searching *s, struct error *e)
{
    struct fitter *f = 0;
    struct table *t = 0;
    struct regress_classes *c = 0;
    enum status status = fit_draft(&f, &t, &c, s, &m->draft, e);
    double *errors = xcalloc(s->n, sizeof *errors);
    if (!status)
        status = validate_folds(f, s->fold, s->folds, errors, e);
    for (size_t i = 0; !status && i < s->n; i++) {
        errors[i] = f->target[i] != 0 ? fabs(errors[i] - f->target[i]) / fabs(f->target[i]) : 0;
        m->score += errors[i] / (double)s->n;
    }
    if (status)
        free(errors);
    else
        m->errors = errors;
    fitter_free(f);
    table_free(t);
    regress_classes_free(c);
    return status;
}

static enum status list_moves(struct searching *s, bool splits, struct error *e)
{
    struct fitter *f = 0;
    struct table *t = 0;
    struct regress_classes *c = 0;
    enum status status = fit_draft(&f, &t, &c, s, &s->now.draft, e);
    double *x = xcalloc(status ? 1 : t->p, sizeof *x);
    if (!status)
        status = fitter_solve(f, 0, x, 0, e);
    struct stand stand = {&s->now.draft, t, s->d, s->spec->rows, s->group, s->n, s->n_groups};
    if (!status && splits)
        moves_add_splits(&s->moves, &stand);
    if (!status)
        moves_add_merges(&s->moves, &stand, x);
    free(x);
    fitter_free(f);
    table_free(t);
    regress_classes_free(c);
    return status;
}

static enum status score_one(void *context, size_t worker, size_t k, struct error *e)
{
    (void)worker;
    (void)e;
    struct searching *s = context;
    struct error own = ERROR_INIT;
    if (score(&s->moves.at[k], s, &own)) /* a move that cannot be fitted is not taken */
        s->moves.at[k].score = INFINITY;
    error_release(&own);
    return OK;
}

/* ---- the way ---- */

static void note_step(struct searching *s, const char *what)
{
    struct regress_search *r = s->out;
    r->steps = xreallocarray(r->steps, r->n + 1, sizeof *r->steps);
    s->step_errors = xreallocarray(s->step_errors, r->n + 1, sizeof *s->step_errors);
    s->step_errors[r->n] = xmemdup(s->now.errors, s->n * sizeof(double));
    r->steps[r->n++] = (struct regress_search_step){.what = xstrdup(what),
                                                    .text = draft_text(&s->now.draft),
                                                    .variables = draft_variables(&s->now.draft),
                                                    .error = s->now.score};
}

/* The move with the least score; n: there is none that could be fitted. */
static size_t best_move(const struct moves *m)
{
    size_t best = m->n;
    for (size_t k = 0; k < m->n; k++)
        if (isfinite(m->at[k].score) && (best == m->n || m->at[k].score < m->at[best].score))
            best = k;
    return best;
}

/* Takes the best of the moves, if any (on the way up: if it is better). */
static enum status take_step(struct searching *s, bool up, bool *took, struct error *e)
{
    *took = false;
    enum status status = list_moves(s, up, e);
    if (!status && s->moves.n)
        status = parallel_run(parallel_workers(s->spec->settings.jobs, s->moves.n), s->moves.n, score_one, s, e);
    size_t best = status ? s->moves.n : best_move(&s->moves);
    if (best < s->moves.n && (!up || s->moves.at[best].score < s->now.score - LEAST_GAIN)) {
        move_release(&s->now);
        s->now = s->moves.at[best];
        s->moves.at[best] = (struct move){0};
        note_step(s, s->now.what);
        *took = true;
    }
    moves_release(&s->moves);
    return status;
}

/* Standard error of the mean difference of two steps' errors, over groups. */
static double standard_error(const struct searching *s, size_t a, size_t b)
{
    double *sum = xcalloc(s->n_groups, sizeof *sum), mean = 0, squares = 0;
    for (size_t i = 0; i < s->n; i++) {
        sum[s->group[i]] += s->step_errors[a][i] - s->step_errors[b][i];
        mean += (s->step_errors[a][i] - s->step_errors[b][i]) / (double)s->n_groups;
    }
    for (size_t g = 0; g < s->n_groups; g++)
        squares += pow(sum[g] - mean, 2);
    free(sum);
    return sqrt(squares) / (double)s->n;
}

static void choose(struct searching *s)
{
    struct regress_search *r = s->out;
    size_t best = 0;
    for (size_t k = 1; k < r->n; k++)
        if (r->steps[k].error < r->steps[best].error)
            best = k;
    r->best = r->chosen = best;
    for (size_t k = 0; k < r->n; k++) {
        struct regress_search_step *x = &r->steps[k], *chosen = &r->steps[r->chosen];
        x->standard_error = standard_error(s, k, best);
        bool within = x->error <= r->steps[best].error + x->standard_error;
        if (within &&
            (x->variables < chosen->variables || (x->variables == chosen->variables && x->error < chosen->error)))
            r->chosen = k;
    }
}

static enum status walk(struct searching *s, struct error *e)
{
    bool took = true;
    enum status status = score(&s->now, s, e);
    if (status)
        return status;
    note_step(s, "start");
    for (size_t k = 0; !status && took && k < s->spec->most_steps; k++)
        status = take_step(s, true, &took, e);
    double best = s->now.score;
    for (took = true; !status && took && s->now.score < FAR * best;) {
        status = take_step(s, false, &took, e);
        best = fmin(best, s->now.score);
    }
    if (!status)
        choose(s);
    return status;
}

/* Folds by domain where they are known, else ten; and the strength that the start is fitted with. */
static enum status prepare(struct searching *s, struct error *e)
{
    struct fitter *f = 0;
    struct table *t = 0;
    struct regress_classes *c = 0;
    enum status status = fit_draft(&f, &t, &c, s, &s->now.draft, e);
    if (!status && f->n_groups < 3)
        status = error_set(e, ERR_INPUT, AT_FILE(s->d->path), "%zu programs are too few to search by leaving some out",
                           f->n_groups);
    if (!status && s->d->domains) {
        status = validate_each_domain(&s->fold, &s->folds, f, e);
    } else if (!status) {
        s->folds = f->n_groups < 10 ? f->n_groups : 10;
        s->fold = validate_deal(f, s->folds, s->settings.seed);
    }
    if (!status && s->folds < 2)
        status = error_set(e, ERR_INPUT, AT_FILE(s->d->path), "all programs are of one domain: none can be left out");
    if (!status) {
        double *x = xcalloc(f->p, sizeof *x), strength = NAN;
        s->n = f->n;
        s->n_groups = f->n_groups;
        s->group = xmemdup(f->group, f->n * sizeof *f->group);
        status = fitter_solve(f, 0, x, &strength, e);
        if (!isnan(strength))
            s->settings.strength = strength;
        free(x);
    }
    fitter_free(f);
    table_free(t);
    regress_classes_free(c);
    return status;
}

enum status regress_search(struct regress_search **out, const struct regress_data *d, const struct regress_classes *c,
                           const struct regress_search_spec *spec, struct error *e)
{
    struct searching s = {.d = d, .spec = spec, .settings = spec->settings, .out = xcalloc(1, sizeof *s.out)};
    struct table *t = 0;
    const char *solver = spec->settings.solver ? spec->settings.solver : REGRESS_DEFAULT_SOLVER;
    const char *target = spec->settings.target ? spec->settings.target : "cycles";
    s.settings.jobs = 1; /* the moves are what is done at once */
    enum status status = solver_need(&s.solver, solver, e);
    if (!status)
        status = table_make(&t, d, c, target, spec->rows, false, e); /* `each` written out */
    if (!status) {
        s.now.draft = draft_of(t->classes);
        status = prepare(&s, e);
    }
    if (!status)
        status = walk(&s, e);
    s.out->folds = s.folds;
    for (size_t k = 0; k < s.out->n; k++)
        free(s.step_errors[k]);
    free(s.step_errors);
    free(s.fold);
    free(s.group);
    move_release(&s.now);
    table_free(t);
    if (status)
        regress_search_free(s.out);
    else
        *out = s.out;
    return status;
}

void regress_search_free(struct regress_search *r)
{
    for (size_t k = 0; r && k < r->n; k++) {
        free(r->steps[k].what);
        free(r->steps[k].text);
    }
    if (r)
        free(r->steps);
    free(r);
}
