/* model_read.c - reads model.json. */
#include "regress/regress.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json.h"
#include "regress/data/classes.h"
#include "regress/validate/conformal.h"

/* `status` keeps the first fault. Later calls do nothing, so the functions below read like lists. */
struct reader {
    const char *path;
    enum status status;
    struct error *e;
};

static const json_t *part(struct reader *r, const json_t *o, const char *key)
{
    json_t *value = 0;
    if (!r->status)
        r->status = json_need_object(o, key, &value, r->path, r->e);
    return value;
}

/* A member that is an object or null; NULL for null. */
static const json_t *optional_part(struct reader *r, const json_t *o, const char *key)
{
    return json_is_null(json_object_get(o, key)) ? 0 : part(r, o, key);
}

static const json_t *list(struct reader *r, const json_t *o, const char *key)
{
    json_t *value = 0;
    if (!r->status)
        r->status = json_need_array(o, key, &value, r->path, r->e);
    return value;
}

static double real(struct reader *r, const json_t *o, const char *key)
{
    double value = 0;
    if (!r->status)
        r->status = json_need_number(o, key, &value, r->path, r->e);
    return value;
}

static double real_or_null(struct reader *r, const json_t *o, const char *key)
{
    return json_is_null(json_object_get(o, key)) ? (double)NAN : real(r, o, key);
}

static size_t size(struct reader *r, const json_t *o, const char *key)
{
    double value = real(r, o, key);
    if (!r->status && !(value >= 0 && value <= 9e15 && value == floor(value)))
        r->status = error_set(r->e, ERR_INPUT, AT_FILE(r->path), "member '%s' must be a whole number from 0", key);
    return r->status ? 0 : (size_t)value;
}

static const char *borrowed_text(struct reader *r, const json_t *o, const char *key)
{
    const char *value = "";
    if (!r->status)
        r->status = json_need_string(o, key, &value, r->path, r->e);
    return r->status ? "" : value;
}

static char *text(struct reader *r, const json_t *o, const char *key)
{
    return xstrdup(borrowed_text(r, o, key));
}

static const char *text_or_null(struct reader *r, const json_t *o, const char *key)
{
    return json_is_null(json_object_get(o, key)) ? 0 : borrowed_text(r, o, key);
}

static bool truth(struct reader *r, const json_t *o, const char *key)
{
    const json_t *value = json_object_get(o, key);
    if (!r->status && !json_is_boolean(value))
        r->status = error_set(r->e, ERR_INPUT, AT_FILE(r->path), "member '%s' must be true or false", key);
    return json_is_true(value);
}

/* The index of the variable that member `key` names; REGRESS_NONE for null. */
static size_t variable(struct reader *r, const struct regress_model *m, const json_t *o, const char *key)
{
    const char *name = text_or_null(r, o, key);
    size_t v = name ? classes_find_variable(m->classes, name) : REGRESS_NONE;
    if (!r->status && name && v == REGRESS_NONE)
        r->status = error_set(r->e, ERR_INPUT, AT_FILE(r->path), "'%s' is not in the list of variables", name);
    return v;
}

static void check_interval(struct reader *r, const char *what, double low, double value, double high)
{
    if (!r->status && !(low <= value && value <= high))
        r->status = error_set(r->e, ERR_INPUT, AT_FILE(r->path), "'%s': the value %g is not within its interval %g, %g",
                              what, value, low, high);
}

static void read_head(struct reader *r, struct regress_model *m, const json_t *o)
{
    const char *format = borrowed_text(r, o, "format");
    if (!r->status && strcmp(format, "regress-model") != 0)
        r->status = error_set(r->e, ERR_INPUT, AT_FILE(r->path), "not a model (its format is '%s')", format);
    if (size(r, o, "version") != 1 && !r->status)
        r->status = error_set(r->e, ERR_INPUT, AT_FILE(r->path), "this version of the format is not known; fit again");
    const char *made_by = borrowed_text(r, o, "made_by");
    m->version = xstrdup(strncmp(made_by, "regress ", 8) == 0 ? made_by + 8 : made_by);
    m->target = text(r, o, "target");
}

static void read_solver(struct reader *r, struct regress_model *m, const json_t *o)
{
    const json_t *p = part(r, o, "solver");
    m->solver = text(r, p, "name");
    m->absolute = strcmp(borrowed_text(r, p, "scale"), "none") == 0;
    m->non_negative = truth(r, p, "non_negative");
    m->strength = real_or_null(r, p, "strength");
    m->seed = size(r, p, "seed");
    m->resamples = size(r, p, "resamples");
    m->rank = size(r, p, "rank");
}

static void read_data(struct reader *r, struct regress_model *m, const json_t *o)
{
    const json_t *p = part(r, o, "data");
    const char *hash = borrowed_text(r, p, "hash");
    m->data_name = text(r, p, "name");
    m->selection = text(r, p, "selection");
    m->n_rows = size(r, p, "rows");
    m->n_groups = size(r, p, "groups");
    if (!r->status && (strlen(hash) != 24 || sscanf(hash, "fnv1a64:%16" SCNx64, &m->data_hash) != 1))
        r->status = error_set(r->e, ERR_INPUT, AT_FILE(r->path), "member 'hash' must be fnv1a64: and 16 digits");
}

static void read_bound(struct reader *r, const json_t *o, struct regress_variable *to)
{
    const json_t *bound = json_object_get(o, "bound"), *low = json_array_get(bound, 0),
                 *high = json_array_get(bound, 1);
    if (!bound || r->status)
        return;
    to->low = json_number_value(low);
    to->high = json_is_number(high) ? json_number_value(high) : (double)INFINITY;
    if (!json_is_number(low) || !(json_is_number(high) || json_is_null(high)) || !(to->low >= 0) || to->high < to->low)
        r->status =
            error_set(r->e, ERR_INPUT, AT_FILE(r->path), "member 'bound' of '%s' is not two numbers from 0", to->name);
}

static void read_variables(struct reader *r, struct regress_model *m, const json_t *o)
{
    const json_t *all = list(r, o, "variables");
    size_t n = json_array_size(all);
    m->values = xcalloc(n, sizeof *m->values);
    for (size_t i = 0; i < n && !r->status; i++) {
        const json_t *p = json_array_get(all, i);
        struct regress_value *v = &m->values[m->n_values++];
        v->name = text(r, p, "name");
        v->formula = xstrdup(text_or_null(r, p, "formula"));
        v->value = real(r, p, "value");
        v->low = real(r, p, "low");
        v->high = real(r, p, "high");
        v->count = real(r, p, "count");
        v->share = real(r, p, "share");
        v->rows = size(r, p, "rows");
        v->groups = size(r, p, "groups");
        v->prior = real(r, p, "prior");
        check_interval(r, v->name, v->low, v->value, v->high);
        if (!r->status && classes_find_variable(m->classes, v->name) != REGRESS_NONE)
            r->status = error_set(r->e, ERR_INPUT, AT_FILE(r->path), "two variables are named '%s'", v->name);
        size_t at = classes_add_variable(m->classes, v->name, 0);
        if (r->status)
            break;
        m->classes->variables[at].formula = xstrdup(v->formula);
        m->classes->variables[at].prior = v->prior;
        read_bound(r, p, &m->classes->variables[at]);
        if (json_object_get(p, "expected")) {
            m->classes->variables[at].cost = real(r, p, "expected");
            m->classes->variables[at].spread = real(r, p, "spread");
        }
    }
}

/* Read when all variables are known. */
static void read_orders(struct reader *r, struct regress_model *m, const json_t *o)
{
    for (size_t i = 0; i < m->n_values && !r->status; i++) {
        const json_t *p = json_array_get(json_object_get(o, "variables"), i);
        if (json_object_get(p, "at_least"))
            m->classes->variables[i].below = variable(r, m, p, "at_least");
    }
}

static void read_twins(struct reader *r, struct regress_model *m, const json_t *o)
{
    for (size_t i = 0; i < m->n_values && !r->status; i++)
        m->values[i].twin = variable(r, m, json_array_get(json_object_get(o, "variables"), i), "twin");
}

static void read_classes(struct reader *r, struct regress_model *m, const json_t *o)
{
    struct regress_classes *c = m->classes;
    const json_t *p = part(r, o, "classes"), *rules = list(r, p, "rules"), *lets = list(r, p, "lets");
    free(c->name);
    free(c->title);
    free(c->source);
    c->name = text(r, p, "name");
    c->title = text(r, p, "title");
    c->source = text(r, p, "source");
    c->all = strcmp(borrowed_text(r, p, "columns"), "all") == 0;
    for (size_t i = 0; i < json_array_size(rules) && !r->status; i++) {
        const json_t *rule = json_array_get(rules, i);
        const char *glob = borrowed_text(r, rule, "glob");
        size_t v = variable(r, m, rule, "variable");
        if (!r->status)
            classes_add_rule(c, glob, v, false, 0);
    }
    for (size_t i = 0; i < json_array_size(lets) && !r->status; i++) {
        const json_t *let = json_array_get(lets, i);
        const char *name = borrowed_text(r, let, "name"), *formula = borrowed_text(r, let, "formula");
        if (!r->status)
            classes_add_let(c, name, formula, 0);
    }
    if (!r->status)
        r->status = classes_finish(c, r->e);
}

static void read_keys(struct reader *r, struct regress_model *m, const json_t *o)
{
    const json_t *all = list(r, o, "keys");
    size_t n = json_array_size(all);
    m->keys = xcalloc(n, sizeof *m->keys);
    for (size_t i = 0; i < n && !r->status; i++) {
        const json_t *p = json_array_get(all, i);
        struct regress_key *k = &m->keys[m->n_keys++];
        k->key = text(r, p, "key");
        k->variable = variable(r, m, p, "variable");
        k->count = real(r, p, "count");
        k->value = real(r, p, "value");
        k->low = real(r, p, "low");
        k->high = real(r, p, "high");
        check_interval(r, k->key, k->low, k->value, k->high);
    }
}

static void read_errors(struct reader *r, const json_t *o, const char *key, struct regress_errors *to, char **name)
{
    const json_t *p = optional_part(r, o, key);
    *to = (struct regress_errors){0, NAN, NAN, NAN, NAN, NAN, 0};
    if (!p)
        return;
    to->n = size(r, p, "rows"); /* 0: no row had an error, since its target was 0 */
    to->mean = real_or_null(r, p, "mean");
    to->mean_abs = real_or_null(r, p, "mean_abs");
    to->median_abs = real_or_null(r, p, "median_abs");
    if (json_object_get(p, "p90_abs")) /* older files do not have it */
        to->p90_abs = real_or_null(r, p, "p90_abs");
    to->worst = real_or_null(r, p, "worst");
    if (!json_is_null(json_object_get(p, "worst_of")))
        to->worst_of = *name = text(r, p, "worst_of");
}

static struct regress_interval read_bounds(struct reader *r, const json_t *p)
{
    struct regress_interval v = {real(r, p, "level"), real_or_null(r, p, "error_low"),
                                 real_or_null(r, p, "error_high")};
    if (!r->status && (!(v.level > 0 && v.level < 1) || v.error_low > v.error_high))
        r->status = error_set(r->e, ERR_INPUT, AT_FILE(r->path), "member 'interval' is not a level and an interval");
    return v;
}

/* Older files have no intervals for single kinds of code. */
static void read_interval(struct reader *r, struct regress_model *m, const json_t *o)
{
    const json_t *p = optional_part(r, o, "interval");
    m->error_low = m->error_high = NAN;
    if (!p)
        return;
    struct regress_interval all = read_bounds(r, p);
    m->level = all.level;
    m->error_low = all.error_low;
    m->error_high = all.error_high;
    for (size_t i = 0; i < REGRESS_CODES && !r->status; i++)
        if (json_object_get(p, conformal_codes[i])) {
            const json_t *own = part(r, p, conformal_codes[i]);
            m->of_code[i] = own ? read_bounds(r, own) : (struct regress_interval){0, NAN, NAN};
        }
}

enum status regress_model_read(struct regress_model **out, const char *path, struct error *e)
{
    json_t *o = 0;
    struct reader r = {path, json_read(&o, path, e), e};
    if (r.status)
        return r.status;
    struct regress_model *m = xcalloc(1, sizeof *m);
    m->classes = classes_new("", path);
    read_head(&r, m, o);
    read_solver(&r, m, o);
    read_data(&r, m, o);
    read_variables(&r, m, o);
    read_orders(&r, m, o);
    read_classes(&r, m, o);
    read_twins(&r, m, o);
    read_keys(&r, m, o);
    read_errors(&r, o, "training", &m->training, &m->names[0]);
    read_errors(&r, o, "held_out", &m->held_out, &m->names[1]);
    read_interval(&r, m, o);
    json_decref(o);
    if (r.status)
        regress_model_free(m);
    else
        *out = m;
    return r.status;
}
