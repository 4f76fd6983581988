/*
 * Splits and merges of variables that lessen the error on programs left out.
 *
 *  moves     split: of one variable's keys those with the same opcode, of the same type, or that wait for the one
 * before them become a variable of their own. merge: two variables whose values are among the closest become one. score
 * mean absolute error of rows left out, by folds that stay the same throughout; the strength of a solver that has one
 * stays what it is for the start, so that moves are compared and nothing else up        the move that lessens the score
 * most, until none does down      from there on the merge that costs least, until the score is far off the best
 *  parsimony of all models on the way the one with the fewest variables whose score is within one standard error of the
 *            best. The standard error is that of the paired difference over programs, sqrt(sum over g of
 *            (D_g - mean)^2) / rows, D_g the sum of program g's differences: models on the same rows share most of
 * their errors, and that of the score itself would let nearly anything pass.
 *
 * The score of what was chosen among hundreds is too good to be true: judge it on rows that the search did not have, or
 * by other folds (`regress crossval --scheme lodo`, `regress compare`).
 *
 * Breiman, Friedman, Olshen, Stone, Classification and Regression Trees (1984), 3.4.3, for the rule of one standard
 * error.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/str.h"
#include "regress/classes.h"
#include "regress/parallel.h"
#include "regress/validate.h"

#define LEAST_GROUPS 3    /* in which a variable that is split off must occur, and the rest */
#define MOST_PAIRS   60   /* merges that are tried */
#define FAR          1.15 /* of the best score: where the way down ends */
#define LEAST_GAIN   1e-6

/* A classification as it is changed: the start's rules with other names, and rules in front of them. */
struct design {
    char **names; /* of the start's variables now */
    VEC(char *)
    fronts; /* "map NEW key key ..."; the last is the first in the file, where the first that matches decides */
    VEC(char *) groups; /* of each front; NULL: none */
    VEC(char *) priors; /* "prior NEW x" */
};

struct move {
    char *what;
    struct design design;
    double *errors; /* per row, absolute; NULL: could not be fitted */
    double score;
};

struct searching {
    const struct regress_data *d;
    const struct regress_classes *start;
    const struct regress_search_spec *spec;
    struct regress_settings settings;
    const struct solver *solver;
    size_t *fold, folds, *group, n, n_groups;
    struct move now;
    struct move *moves;
    size_t n_moves;
    struct regress_search *out;
    double **step_errors; /* of each step of out */
};

/* ---- classifications ---- */

static struct design copy_design(const struct design *from, size_t n)
{
    struct design to = {.names = xcalloc(n, sizeof *to.names)};
    for (size_t i = 0; i < n; i++)
        to.names[i] = xstrdup(from->names[i]);
    for (size_t i = 0; i < from->fronts.n; i++)
        vec_push(&to.fronts, xstrdup(from->fronts.at[i]));
    for (size_t i = 0; i < from->groups.n; i++)
        vec_push(&to.groups, xstrdup(from->groups.at[i]));
    for (size_t i = 0; i < from->priors.n; i++)
        vec_push(&to.priors, xstrdup(from->priors.at[i]));
    return to;
}

static void release_move(struct move *m, size_t n)
{
    for (size_t i = 0; m->design.names && i < n; i++)
        free(m->design.names[i]);
    for (size_t i = 0; i < m->design.fronts.n; i++)
        free(m->design.fronts.at[i]);
    for (size_t i = 0; i < m->design.groups.n; i++)
        free(m->design.groups.at[i]);
    for (size_t i = 0; i < m->design.priors.n; i++)
        free(m->design.priors.at[i]);
    free(m->design.names);
    vec_release(&m->design.fronts);
    vec_release(&m->design.groups);
    vec_release(&m->design.priors);
    free(m->what);
    free(m->errors);
    *m = (struct move){0};
}

static char *text_of(const struct searching *s, const struct design *k)
{
    const struct regress_classes *c = s->start;
    struct str out = STR_INIT;
    struct map said = {0};
    str_addf(&out, "title  %s, as regress search changed it\n%s", c->name, c->all ? "columns all\n" : "");
    for (size_t i = 0; i < c->n_lets; i++)
        str_addf(&out, "let %s = %s\n", c->lets[i].name, c->lets[i].formula);
    for (size_t i = 0; i < c->n_variables; i++)
        if (c->variables[i].formula)
            str_addf(&out, "count %s = %s\n", k->names[i], c->variables[i].formula);
    for (size_t i = k->fronts.n; i--;)
        str_addf(&out, "%s\n", k->fronts.at[i]);
    for (size_t i = 0; i < c->n_rules; i++) {
        size_t v = c->rules[i].variable;
        bool goes_on = i && c->rules[i - 1].variable != REGRESS_NONE && v != REGRESS_NONE &&
                       strcmp(k->names[c->rules[i - 1].variable], k->names[v]) == 0;
        if (goes_on)
            str_addf(&out, " %s", c->rules[i].glob);
        else if (v == REGRESS_NONE)
            str_addf(&out, "%signore %s", i ? "\n" : "", c->rules[i].glob);
        else
            str_addf(&out, "%smap %s %s", i ? "\n" : "", k->names[v], c->rules[i].glob);
    }
    str_add(&out, "\n");
    for (size_t i = 0; i < c->n_variables; i++) {
        bool first = !map_get(&said, k->names[i], 0);
        if (first && c->variables[i].prior != 1)
            str_addf(&out, "prior %s %.15g\n", k->names[i], c->variables[i].prior);
        if (first && c->variables[i].group)
            str_addf(&out, "group %s %s\n", c->variables[i].group, k->names[i]);
        map_put(&said, k->names[i], 0);
    }
    for (size_t i = 0; i < k->fronts.n; i++) {
        int n = (int)strcspn(k->fronts.at[i] + 4, " ");
        if (k->groups.at[i])
            str_addf(&out, "group %s %.*s\n", k->groups.at[i], n, k->fronts.at[i] + 4);
    }
    for (size_t i = 0; i < k->priors.n; i++)
        str_addf(&out, "%s\n", k->priors.at[i]);
    map_release(&said);
    return str_detach(&out);
}

/* A fitter of the design; the two others are what it borrows. */
static enum status fit_design(struct fitter **f, struct table **t, struct regress_classes **c,
                              const struct searching *s, const struct design *k, struct error *e)
{
    char *text = text_of(s, k);
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
    enum status status = fit_design(&f, &t, &c, s, &m->design, e);
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

/* ---- moves ---- */

static struct move *add_move(struct searching *s, char *what)
{
    s->moves = xreallocarray(s->moves, s->n_moves + 1, sizeof *s->moves);
    s->moves[s->n_moves] = (struct move){.what = what, .design = copy_design(&s->now.design, s->start->n_variables)};
    return &s->moves[s->n_moves++];
}

/* What keys are alike by: opcode, type, dependence. Free it. */
enum feature { OPCODE, TYPE, WAITS, N_FEATURES };
static char *feature_of(const char *key, enum feature kind)
{
    size_t n = strlen(key);
    bool waits = n > 2 && strcmp(key + n - 2, "_d") == 0;
    size_t end = waits ? n - 2 : n, dot = strcspn(key, ".");
    if (kind == WAITS)
        return xstrdup(waits ? "waiting" : "");
    if (kind == OPCODE)
        return xstrndup(key, dot < end ? dot : end);
    return dot < end ? xstrndup(key + dot + 1, end - dot - 1) : xstrdup("");
}

/* Whether the columns marked occur in enough groups. */
static bool enough(const struct searching *s, const bool *marked)
{
    bool *seen = xcalloc(s->n_groups, sizeof *seen);
    size_t groups = 0;
    for (size_t i = 0; i < s->n; i++) {
        const double *row = s->d->values + (s->spec->rows ? s->spec->rows->at[i] : i) * s->d->cols;
        bool there = false;
        for (size_t j = 0; !there && j < s->d->cols; j++)
            there = marked[j] && row[j] != 0;
        groups += there && !seen[s->group[i]];
        seen[s->group[i]] |= there;
    }
    free(seen);
    return groups >= LEAST_GROUPS;
}

/* "alu" and "xor" to "alu.xor", "alu_d" to "alu.xor_d", and no name that there is. */
static char *new_name(const struct table *t, const char *name, const char *feature)
{
    size_t n = strlen(name);
    bool waits = n > 2 && strcmp(name + n - 2, "_d") == 0;
    char *made = strcmp(feature, "waiting") == 0
                     ? xasprintf("%s_d", name)
                     : xasprintf("%.*s.%s%s", (int)(waits ? n - 2 : n), name, feature, waits ? "_d" : "");
    while (classes_find_variable(t->classes, made) != REGRESS_NONE) {
        char *longer = xasprintf("%s+", made);
        free(made);
        made = longer;
    }
    return made;
}

static void try_split(struct searching *s, const struct table *t, size_t v, const char *feature, enum feature kind)
{
    const struct regress_data *d = s->d;
    bool *in = xcalloc(d->cols, sizeof *in), *rest = xcalloc(d->cols, sizeof *rest);
    struct str keys = STR_INIT;
    for (size_t j = 0; j < d->cols; j++) {
        if (!t->is_key[j] || t->variable_of[j] != v)
            continue;
        char *own = feature_of(d->names[j], kind);
        in[j] = strcmp(own, feature) == 0;
        rest[j] = !in[j];
        if (in[j])
            str_addf(&keys, " %s", d->names[j]);
        free(own);
    }
    if (enough(s, in) && enough(s, rest)) {
        const char *name = t->classes->variables[v].name;
        char *made = new_name(t, name, feature);
        struct move *m = add_move(s, xasprintf("split %s off %s", made, name));
        vec_push(&m->design.fronts, xasprintf("map %s%s", made, str_text(&keys)));
        vec_push(&m->design.groups, xstrdup(t->classes->variables[v].group));
        vec_push(&m->design.priors, xasprintf("prior %s %.15g", made, t->classes->variables[v].prior));
        free(made);
    }
    str_release(&keys);
    free(in);
    free(rest);
}

static void add_splits(struct searching *s, const struct table *t)
{
    for (size_t v = 0; v < t->p; v++) {
        for (int kind = 0; kind < N_FEATURES && !t->classes->variables[v].formula; kind++) {
            struct map seen = {0};
            for (size_t j = 0; j < s->d->cols; j++) {
                if (!t->is_key[j] || t->variable_of[j] != v || strpbrk(s->d->names[j], " \t\"#*?"))
                    continue;
                char *feature = feature_of(s->d->names[j], (enum feature)kind);
                if (*feature && !map_get(&seen, feature, 0))
                    try_split(s, t, v, feature, (enum feature)kind);
                map_put(&seen, feature, 0);
                free(feature);
            }
            map_release(&seen);
        }
    }
}

struct pair {
    size_t a, b;
    double apart;
};
static int by_distance(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    if (x->apart != y->apart)
        return x->apart < y->apart ? -1 : 1;
    return x->a != y->a ? (x->a < y->a ? -1 : 1) : (x->b > y->b) - (x->b < y->b);
}

static void rename_variable(struct searching *s, struct design *k, const char *from, const char *to)
{
    for (size_t i = 0; i < s->start->n_variables; i++)
        if (strcmp(k->names[i], from) == 0) {
            free(k->names[i]);
            k->names[i] = xstrdup(to);
        }
    for (size_t i = 0; i < k->fronts.n; i++) {
        const char *name = k->fronts.at[i] + strlen("map ");
        size_t n = strcspn(name, " ");
        if (strlen(from) == n && strncmp(name, from, n) == 0) {
            char *changed = xasprintf("map %s%s", to, name + n);
            free(k->fronts.at[i]);
            k->fronts.at[i] = changed;
        }
    }
    for (size_t i = 0; i < k->priors.n; i++) {
        const char *name = k->priors.at[i] + strlen("prior ");
        size_t n = strcspn(name, " ");
        if (strlen(from) == n && strncmp(name, from, n) == 0) {
            free(k->priors.at[i]);
            k->priors.at[i] = k->priors.at[--k->priors.n];
            i--;
        }
    }
}

/* The variable with more counts keeps its name. */
static void add_merges(struct searching *s, const struct table *t, const double *x)
{
    VEC(struct pair) pairs = {0};
    double *count = xcalloc(t->p, sizeof *count);
    for (size_t v = 0; v < t->p; v++)
        for (size_t i = 0; i < s->n; i++)
            count[v] += t->counts[(s->spec->rows ? s->spec->rows->at[i] : i) * t->p + v];
    for (size_t a = 0; a < t->p; a++)
        for (size_t b = a + 1; b < t->p; b++)
            if (!t->classes->variables[a].formula && !t->classes->variables[b].formula && count[a] != 0 &&
                count[b] != 0)
                vec_push(&pairs, (struct pair){a, b, fabs(x[a] - x[b]) / (fabs(x[a]) + fabs(x[b]) + 1e-300)});
    if (pairs.n)
        qsort(pairs.at, pairs.n, sizeof *pairs.at, by_distance);
    for (size_t k = 0; k < pairs.n && k < MOST_PAIRS; k++) {
        bool first = count[pairs.at[k].a] >= count[pairs.at[k].b];
        const char *kept = t->classes->variables[first ? pairs.at[k].a : pairs.at[k].b].name;
        const char *gone = t->classes->variables[first ? pairs.at[k].b : pairs.at[k].a].name;
        struct move *m = add_move(s, xasprintf("merge %s into %s", gone, kept));
        rename_variable(s, &m->design, gone, kept);
    }
    free(count);
    vec_release(&pairs);
}

static enum status list_moves(struct searching *s, bool splits, struct error *e)
{
    struct fitter *f = 0;
    struct table *t = 0;
    struct regress_classes *c = 0;
    enum status status = fit_design(&f, &t, &c, s, &s->now.design, e);
    double *x = xcalloc(status ? 1 : t->p, sizeof *x);
    if (!status)
        status = fitter_solve(f, 0, x, 0, e);
    if (!status) {
        if (splits)
            add_splits(s, t);
        add_merges(s, t, x);
    }
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
    if (score(&s->moves[k], s, &own)) /* a move that cannot be fitted is not taken */
        s->moves[k].score = INFINITY;
    error_release(&own);
    return OK;
}

/* ---- the way ---- */

static size_t count_variables(const struct searching *s, const struct design *k)
{
    struct map names = {0};
    for (size_t i = 0; i < s->start->n_variables; i++)
        map_number(&names, k->names[i]);
    for (size_t i = 0; i < k->fronts.n; i++) {
        char *name = xstrndup(k->fronts.at[i] + 4, strcspn(k->fronts.at[i] + 4, " "));
        map_number(&names, name);
        free(name);
    }
    size_t n = names.n;
    map_release(&names);
    return n;
}

static void note_step(struct searching *s, const char *what)
{
    struct regress_search *r = s->out;
    r->steps = xreallocarray(r->steps, r->n + 1, sizeof *r->steps);
    s->step_errors = xreallocarray(s->step_errors, r->n + 1, sizeof *s->step_errors);
    s->step_errors[r->n] = xmemdup(s->now.errors, s->n * sizeof(double));
    r->steps[r->n++] = (struct regress_search_step){.what = xstrdup(what),
                                                    .text = text_of(s, &s->now.design),
                                                    .variables = count_variables(s, &s->now.design),
                                                    .error = s->now.score};
}

/* Takes the best of the moves, if any (on the way up: if it is better). */
static enum status take_step(struct searching *s, bool up, bool *took, struct error *e)
{
    size_t best = 0;
    *took = false;
    enum status status = list_moves(s, up, e);
    if (!status && s->n_moves)
        status = parallel_run(parallel_workers(s->spec->settings.jobs, s->n_moves), s->n_moves, score_one, s, e);
    for (size_t k = 1; !status && k < s->n_moves; k++)
        if (s->moves[k].score < s->moves[best].score)
            best = k;
    if (!status && s->n_moves && isfinite(s->moves[best].score) &&
        (!up || s->moves[best].score < s->now.score - LEAST_GAIN)) {
        release_move(&s->now, s->start->n_variables);
        s->now = s->moves[best];
        s->moves[best] = (struct move){0};
        note_step(s, s->now.what);
        *took = true;
    }
    for (size_t k = 0; k < s->n_moves; k++)
        release_move(&s->moves[k], s->start->n_variables);
    free(s->moves);
    s->moves = 0;
    s->n_moves = 0;
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
    enum status status = fit_design(&f, &t, &c, s, &s->now.design, e);
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
        s.start = t->classes;
        s.now.design.names = xcalloc(s.start->n_variables, sizeof(char *));
        for (size_t i = 0; i < s.start->n_variables; i++)
            s.now.design.names[i] = xstrdup(s.start->variables[i].name);
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
    if (s.start)
        release_move(&s.now, s.start->n_variables);
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
