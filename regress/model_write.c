#include "regress/regress.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/json.h"

/* docs/formats/model.md tells what the members mean. */

static void put(json_t *object, const char *key, json_t *value)
{
    if (!value || json_object_set_new(object, key, value))
        BUG("member '%s' could not be made", key);
}

static void put_text(json_t *object, const char *key, const char *text)
{
    put(object, key, text ? json_string_nocheck(text) : json_null()); /* json_write refuses what is not UTF-8 */
}

static void put_real(json_t *object, const char *key, double value)
{
    put(object, key, isfinite(value) ? json_real(value) : json_null());
}

static void put_size(json_t *object, const char *key, size_t value)
{
    put(object, key, json_integer((json_int_t)value));
}

static json_t *solver_part(const struct regress_model *m)
{
    json_t *o = json_object();
    put_text(o, "name", m->solver);
    put_text(o, "scale", m->absolute ? "none" : "relative");
    put(o, "non_negative", json_boolean(m->non_negative));
    put_real(o, "strength", m->strength);
    put(o, "seed", json_integer((json_int_t)m->seed));
    put_size(o, "resamples", m->resamples);
    put_size(o, "rank", m->rank);
    return o;
}

static json_t *data_part(const struct regress_model *m)
{
    json_t *o = json_object();
    char *hash = xasprintf("fnv1a64:%016" PRIx64, m->data_hash);
    put_text(o, "name", m->data_name);
    put_text(o, "hash", hash);
    put_text(o, "selection", m->selection);
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
        put_text(rule, "glob", c->rules[i].glob);
        put_text(rule, "variable", variable_name(m, c->rules[i].variable));
        json_array_append_new(rules, rule);
    }
    for (size_t i = 0; i < c->n_lets; i++) {
        json_t *let = json_object();
        put_text(let, "name", c->lets[i].name);
        put_text(let, "formula", c->lets[i].formula);
        json_array_append_new(lets, let);
    }
    put_text(o, "name", c->name);
    put_text(o, "title", c->title);
    put_text(o, "source", c->source);
    put_text(o, "columns", c->all ? "all" : "keys");
    put(o, "rules", rules);
    put(o, "lets", lets);
    return o;
}

/* What was demanded and expected of a value, where anything was. */
static void put_demands(json_t *o, const struct regress_model *m, const struct regress_variable *v)
{
    if (v->spread > 0) {
        put_real(o, "expected", v->cost);
        put_real(o, "spread", v->spread);
    }
    if (v->below != REGRESS_NONE)
        put_text(o, "at_least", variable_name(m, v->below));
    if (v->low > 0 || isfinite(v->high)) {
        json_t *bound = json_array();
        json_array_append_new(bound, json_real(v->low));
        json_array_append_new(bound, isfinite(v->high) ? json_real(v->high) : json_null());
        put(o, "bound", bound);
    }
}

static json_t *variables_part(const struct regress_model *m)
{
    json_t *list = json_array();
    for (size_t i = 0; i < m->n_values; i++) {
        const struct regress_value *v = &m->values[i];
        json_t *o = json_object();
        put_text(o, "name", v->name);
        put_real(o, "value", v->value);
        put_real(o, "low", v->low);
        put_real(o, "high", v->high);
        put_real(o, "count", v->count);
        put_real(o, "share", v->share);
        put_size(o, "rows", v->rows);
        put_size(o, "groups", v->groups);
        put_real(o, "prior", v->prior);
        put_text(o, "twin", variable_name(m, v->twin));
        put_text(o, "formula", v->formula);
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
        put_text(o, "key", k->key);
        put_text(o, "variable", variable_name(m, k->variable));
        put_real(o, "count", k->count);
        put_real(o, "value", k->value);
        put_real(o, "low", k->low);
        put_real(o, "high", k->high);
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
        put_text(o, "scheme", scheme);
    put_size(o, "rows", r->n);
    put_real(o, "mean", r->mean);
    put_real(o, "mean_abs", r->mean_abs);
    put_real(o, "median_abs", r->median_abs);
    put_real(o, "p90_abs", r->p90_abs);
    put_real(o, "worst", r->worst);
    put_text(o, "worst_of", r->worst_of);
    return o;
}

static json_t *interval_part(const struct regress_model *m)
{
    if (!(m->level > 0))
        return json_null();
    json_t *o = json_object();
    put_real(o, "level", m->level);
    put_real(o, "error_low", m->error_low);
    put_real(o, "error_high", m->error_high);
    return o;
}

enum status regress_model_write(const struct regress_model *m, const char *path, struct error *e)
{
    json_t *o = json_object();
    char *made_by = xasprintf("regress %s", m->version);
    put_text(o, "format", "regress-model");
    put_size(o, "version", 1);
    put_text(o, "made_by", made_by);
    put_text(o, "target", m->target);
    put(o, "solver", solver_part(m));
    put(o, "data", data_part(m));
    put(o, "classes", classes_part(m));
    put(o, "variables", variables_part(m));
    put(o, "keys", keys_part(m));
    put(o, "training", errors_part(&m->training, 0));
    put(o, "held_out", errors_part(&m->held_out, m->n_groups > REGRESS_MOST_LEFT_OUT ? "kfold:100" : "loo"));
    put(o, "interval", interval_part(m));
    enum status s = json_write(o, path, e);
    json_decref(o);
    free(made_by);
    return s;
}
