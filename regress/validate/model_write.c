/* model_write.c - writes model.json. */
#include "regress/regress.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/json.h"
#include "regress/validate/conformal.h"

/* docs/formats/model.md says what the members mean. */

static void put_size(json_t *object, const char *key, size_t value)
{
    json_put(object, key, json_integer((json_int_t)value));
}

static json_t *solver_part(const struct regress_model *m)
{
    json_t *o = json_object();
    json_put_text(o, "name", m->solver);
    json_put_text(o, "scale", m->absolute ? "none" : "relative");
    json_put(o, "non_negative", json_boolean(m->non_negative));
    json_put_real(o, "strength", m->strength);
    json_put(o, "seed", json_integer((json_int_t)m->seed));
    put_size(o, "resamples", m->resamples);
    put_size(o, "rank", m->rank);
    return o;
}

static json_t *data_part(const struct regress_model *m)
{
    json_t *o = json_object();
    char *hash = xasprintf("fnv1a64:%016" PRIx64, m->data_hash);
    json_put_text(o, "name", m->data_name);
    json_put_text(o, "hash", hash);
    json_put_text(o, "selection", m->selection);
    put_size(o, "rows", m->n_rows);
    put_size(o, "groups", m->n_groups);
    free(hash);
    return o;
}

static const char *variable_name(const struct regress_model *m, size_t v)
{
    return v == REGRESS_NONE ? 0 : m->values[v].name;
}

static json_t *classes_part(const struct regress_model *m)
{
    const struct regress_classes *c = m->classes;
    json_t *o = json_object(), *rules = json_array(), *lets = json_array();
    for (size_t i = 0; i < c->n_rules; i++) {
        json_t *rule = json_object();
        json_put_text(rule, "glob", c->rules[i].glob);
        json_put_text(rule, "variable", variable_name(m, c->rules[i].variable));
        json_array_append_new(rules, rule);
    }
    for (size_t i = 0; i < c->n_lets; i++) {
        json_t *let = json_object();
        json_put_text(let, "name", c->lets[i].name);
        json_put_text(let, "formula", c->lets[i].formula);
        json_array_append_new(lets, let);
    }
    json_put_text(o, "name", c->name);
    json_put_text(o, "title", c->title);
    json_put_text(o, "source", c->source);
    json_put_text(o, "columns", c->all ? "all" : "keys");
    json_put(o, "rules", rules);
    json_put(o, "lets", lets);
    return o;
}

/* Writes bounds, orders and priors of a value, if there are any. */
static void put_demands(json_t *o, const struct regress_model *m, const struct regress_variable *v)
{
    if (v->spread > 0) {
        json_put_real(o, "expected", v->cost);
        json_put_real(o, "spread", v->spread);
    }
    if (v->below != REGRESS_NONE)
        json_put_text(o, "at_least", variable_name(m, v->below));
    if (v->low > 0 || isfinite(v->high)) {
        json_t *bound = json_array();
        json_array_append_new(bound, json_real(v->low));
        json_array_append_new(bound, isfinite(v->high) ? json_real(v->high) : json_null());
        json_put(o, "bound", bound);
    }
}

static json_t *variables_part(const struct regress_model *m)
{
    json_t *list = json_array();
    for (size_t i = 0; i < m->n_values; i++) {
        const struct regress_value *v = &m->values[i];
        json_t *o = json_object();
        json_put_text(o, "name", v->name);
        json_put_real(o, "value", v->value);
        json_put_real(o, "low", v->low);
        json_put_real(o, "high", v->high);
        json_put_real(o, "count", v->count);
        json_put_real(o, "share", v->share);
        put_size(o, "rows", v->rows);
        put_size(o, "groups", v->groups);
        json_put_real(o, "prior", v->prior);
        json_put_text(o, "twin", variable_name(m, v->twin));
        json_put_text(o, "formula", v->formula);
        put_demands(o, m, &m->classes->variables[i]);
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *keys_part(const struct regress_model *m)
{
    json_t *list = json_array();
    for (size_t i = 0; i < m->n_keys; i++) {
        const struct regress_key *k = &m->keys[i];
        json_t *o = json_object();
        json_put_text(o, "key", k->key);
        json_put_text(o, "variable", variable_name(m, k->variable));
        json_put_real(o, "count", k->count);
        json_put_real(o, "value", k->value);
        json_put_real(o, "low", k->low);
        json_put_real(o, "high", k->high);
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *errors_part(const struct regress_errors *r, const char *scheme)
{
    if (r->n == 0)
        return json_null();
    json_t *o = json_object();
    if (scheme)
        json_put_text(o, "scheme", scheme);
    put_size(o, "rows", r->n);
    json_put_real(o, "mean", r->mean);
    json_put_real(o, "mean_abs", r->mean_abs);
    json_put_real(o, "median_abs", r->median_abs);
    json_put_real(o, "p90_abs", r->p90_abs);
    json_put_real(o, "worst", r->worst);
    json_put_text(o, "worst_of", r->worst_of);
    return o;
}

static json_t *bounds(double level, double low, double high)
{
    json_t *o = json_object();
    json_put_real(o, "level", level);
    json_put_real(o, "error_low", low);
    json_put_real(o, "error_high", high);
    return o;
}

static json_t *interval_part(const struct regress_model *m)
{
    if (!(m->level > 0))
        return json_null();
    json_t *o = bounds(m->level, m->error_low, m->error_high);
    for (size_t i = 0; i < REGRESS_CODES; i++) {
        const struct regress_interval *v = &m->of_code[i];
        if (v->level > 0)
            json_put(o, conformal_codes[i], bounds(v->level, v->error_low, v->error_high));
    }
    return o;
}

enum status regress_model_write(const struct regress_model *m, const char *path, struct error *e)
{
    json_t *o = json_object();
    char *made_by = xasprintf("regress %s", m->version);
    json_put_text(o, "format", "regress-model");
    put_size(o, "version", 1);
    json_put_text(o, "made_by", made_by);
    json_put_text(o, "target", m->target);
    json_put(o, "solver", solver_part(m));
    json_put(o, "data", data_part(m));
    json_put(o, "classes", classes_part(m));
    json_put(o, "variables", variables_part(m));
    json_put(o, "keys", keys_part(m));
    json_put(o, "training", errors_part(&m->training, 0));
    json_put(o, "held_out", errors_part(&m->held_out, m->n_groups > REGRESS_MOST_LEFT_OUT ? "kfold:100" : "loo"));
    json_put(o, "interval", interval_part(m));
    enum status s = json_write(o, path, e);
    json_decref(o);
    free(made_by);
    return s;
}
