/* merge_model.c - reads the instruction values of model.json for a merge. */
#include "shim-xml/values/merge_model.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json.h"
#include "base/str.h"

/* ---- reading ---- */

static enum status read_value(const json_t *o, struct shimxml_range *out, const char *what, const char *path,
                              struct error *e)
{
    enum status s = json_need_number(o, "value", &out->typical, path, e);
    if (!s)
        s = json_need_number(o, "low", &out->best, path, e);
    if (!s)
        s = json_need_number(o, "high", &out->worst, path, e);
    if (s) {
        if (e)
            error_context(e, "%s", what);
        return s;
    }
    if (out->typical < 0 || out->best < 0)
        return error_set(e, ERR_INPUT, AT_FILE(path),
                         "'%s' costs %g cycles: no reader of SHIM can use a negative value; fit with a solver that "
                         "gives none (nnls)",
                         what, out->typical < 0 ? out->typical : out->best);
    if (out->worst > FLT_MAX)
        return error_set(e, ERR_INPUT, AT_FILE(path), "'%s' costs %g cycles, more than SHIM's numbers can say", what,
                         out->worst);
    if (out->best > out->typical || out->typical > out->worst)
        return error_set(e, ERR_INPUT, AT_FILE(path), "'%s': the interval %g to %g does not contain the value %g", what,
                         out->best, out->worst, out->typical);
    return OK;
}

/* Reads how often something was executed. The limit keeps sums of costs finite; no machine comes near it. */
static enum status read_count(const json_t *o, double *out, const char *what, const char *path, struct error *e)
{
    enum status s = json_need_number(o, "count", out, path, e);
    if (s) {
        if (e)
            error_context(e, "%s", what);
        return s;
    }
    if (*out < 0 || *out > 1e30)
        return error_set(e, ERR_INPUT, AT_FILE(path), "'%s': member 'count' is %g, which is not a count", what, *out);
    return OK;
}

static enum status read_variable(struct model *m, const json_t *o, const char *path, struct error *e)
{
    const char *name;
    struct model_variable v = {0};
    double rows;
    enum status s = json_need_string(o, "name", &name, path, e);
    if (!s)
        s = read_value(o, &v.value, name, path, e);
    if (!s)
        s = read_count(o, &v.count, name, path, e);
    if (!s)
        s = json_need_number(o, "rows", &rows, path, e);
    if (s)
        return s;
    v.evidence = rows > 0;
    v.name = xstrdup(name);
    m->variables = xreallocarray(m->variables, m->n_variables + 1, sizeof *m->variables);
    m->variables[m->n_variables++] = v;
    return OK;
}

static size_t find_variable(const struct model *m, const char *name)
{
    for (size_t i = 0; i < m->n_variables; i++)
        if (strcmp(m->variables[i].name, name) == 0)
            return i;
    return MODEL_NONE;
}

static enum status read_rule(struct model *m, const json_t *o, const char *path, struct error *e)
{
    const char *glob, *name = 0;
    enum status s = json_need_string(o, "glob", &glob, path, e);
    if (!s && !json_is_null(json_object_get(o, "variable")))
        s = json_need_string(o, "variable", &name, path, e);
    if (s)
        return s;
    size_t variable = name ? find_variable(m, name) : MODEL_NONE;
    if (name && variable == MODEL_NONE)
        return error_set(e, ERR_INPUT, AT_FILE(path), "rule '%s' names the variable '%s', which is not in the list",
                         glob, name);
    m->rules = xreallocarray(m->rules, m->n_rules + 1, sizeof *m->rules);
    m->rules[m->n_rules++] = (struct model_rule){xstrdup(glob), variable};
    return OK;
}

static enum status read_key(struct model *m, const json_t *o, const char *path, struct error *e)
{
    const char *key;
    struct model_key k = {0};
    enum status s = json_need_string(o, "key", &key, path, e);
    if (!s)
        s = read_value(o, &k.value, key, path, e);
    if (!s)
        s = read_count(o, &k.count, key, path, e);
    if (s)
        return s;
    k.text = xstrdup(key);
    k.key = ir_key(k.text);
    const char *variable = json_string_value(json_object_get(o, "variable"));
    k.variable = variable ? find_variable(m, variable) : MODEL_NONE;
    m->keys = xreallocarray(m->keys, m->n_keys + 1, sizeof *m->keys);
    m->keys[m->n_keys++] = k;
    return OK;
}

static enum status each(struct model *m, const json_t *root, const char *member,
                        enum status (*read)(struct model *, const json_t *, const char *, struct error *),
                        const char *path, struct error *e)
{
    json_t *list;
    enum status s = json_need_array(root, member, &list, path, e);
    for (size_t i = 0; !s && i < json_array_size(list); i++) {
        s = read(m, json_array_get(list, i), path, e);
        if (s && e)
            error_context(e, "%s[%zu]", member, i);
    }
    return s;
}

static double mean_abs(const json_t *root, const char *member)
{
    const json_t *v = json_object_get(json_object_get(root, member), "mean_abs");
    return json_is_number(v) ? json_number_value(v) : (double)NAN;
}

/* Accepts "cycles", "CPU_CYCLES" or no name. SHIM has no place for other costs of instructions, such as nanojoules. */
static enum status check_target(const json_t *root, const char *path, struct error *e)
{
    const char *target;
    if (!json_object_get(root, "target"))
        return OK;
    enum status s = json_need_string(root, "target", &target, path, e);
    if (s || strcasestr(target, "cycles"))
        return s;
    return error_set(e, ERR_INPUT, AT_FILE(path),
                     "it is a model of '%.60s', not of cycles; a SHIM file has only cycles for instructions. 'regress "
                     "fit' prints its values, 'regress predict' estimates by them",
                     target);
}

static enum status read_head(struct model *m, const json_t *root, json_t **classes, const char *path, struct error *e)
{
    const char *format, *name, *solver, *hash;
    double version;
    json_t *o, *data;
    enum status s = json_need_string(root, "format", &format, path, e);
    if (!s && strcmp(format, "regress-model") != 0)
        s = error_set(e, ERR_INPUT, AT_FILE(path), "format '%s': not a model of regress", format);
    if (!s)
        s = json_need_number(root, "version", &version, path, e);
    if (!s && version != 1)
        s = error_set(e, ERR_INPUT, AT_FILE(path), "model version %g cannot be read; this program reads version 1",
                      version);
    if (!s)
        s = check_target(root, path, e);
    if (!s)
        s = json_need_object(root, "classes", classes, path, e);
    if (!s)
        s = json_need_string(*classes, "name", &name, path, e);
    if (!s)
        s = json_need_object(root, "solver", &o, path, e);
    if (!s)
        s = json_need_string(o, "name", &solver, path, e);
    if (!s)
        s = json_need_object(root, "data", &data, path, e);
    if (!s)
        s = json_need_string(data, "hash", &hash, path, e);
    if (s)
        return s;
    m->classes = xstrdup(name);
    m->solver = xstrdup(solver);
    m->data_hash = xstrdup(hash);
    m->training = mean_abs(root, "training");
    m->held_out = mean_abs(root, "held_out");
    return OK;
}

static bool is_counted(const struct model *m, size_t variable)
{
    for (size_t k = 0; k < m->n_keys; k++)
        if (m->keys[k].variable == variable)
            return true;
    for (size_t r = 0; r < m->n_rules; r++)
        if (m->rules[r].variable == variable)
            return true;
    return false;
}

/* Does each variable count instructions? Variables of events, or of formulas of them, have no place in a SHIM file.
 * Errors with them say nothing about estimates without them. */
static bool counts_alone(const struct model *m)
{
    for (size_t v = 0; v < m->n_variables; v++)
        if (m->variables[v].evidence && !is_counted(m, v))
            return false;
    for (size_t k = 0; k < m->n_keys; k++)
        if (m->keys[k].variable != MODEL_NONE && m->keys[k].count > 0 && m->keys[k].key.opcode == IR_NONE)
            return false;
    return true;
}

/* Returns false if there are none, or if they are impossible. */
static bool read_bounds(struct shimxml_interval *v, const json_t *o)
{
    const json_t *level = json_object_get(o, "level"), *low = json_object_get(o, "error_low"),
                 *high = json_object_get(o, "error_high");
    if (!json_is_number(level) || !json_is_number(low) || !json_is_number(high))
        return false;
    double least = json_number_value(low), most = json_number_value(high);
    if (least > most || !(most > -1) || !(json_number_value(level) > 0) || !(json_number_value(level) < 1))
        return false;
    *v = (struct shimxml_interval){.code = SHIMXML_ANY_CODE,
                                   .below = INFINITY,
                                   .level = json_number_value(level),
                                   .low = 1 / (1 + most),
                                   .high = least > -1 ? 1 / (1 + least) : (double)INFINITY};
    return true;
}

/* Reads the intervals of both kinds of code, if the model has them. They are the same with and without misses, which
 * have no part in sums of instructions. Otherwise reads that of any code. */
static void read_intervals(struct model *m, const json_t *root)
{
    const json_t *o = json_object_get(root, "interval");
    struct shimxml_interval any, own[2];
    if (!counts_alone(m) || !read_bounds(&any, o))
        return;
    m->intervals[0] = any;
    m->n_intervals = 1;
    if (!read_bounds(&own[0], json_object_get(o, "unoptimised")) ||
        !read_bounds(&own[1], json_object_get(o, "optimised")))
        return;
    for (m->n_intervals = 0; m->n_intervals < 4; m->n_intervals++) {
        struct shimxml_interval *v = &m->intervals[m->n_intervals];
        *v = own[m->n_intervals / 2];
        v->code = m->n_intervals / 2 ? SHIMXML_OPTIMISED : SHIMXML_UNOPTIMISED;
        v->events = m->n_intervals % 2;
    }
}

enum status model_read(struct model **out, const char *path, struct error *e)
{
    json_t *root = 0, *classes = 0;
    enum status s = json_read(&root, path, e);
    if (s)
        return s;
    struct model *m = xcalloc(1, sizeof *m);
    s = json_is_object(root) ? read_head(m, root, &classes, path, e)
                             : error_set(e, ERR_INPUT, AT_FILE(path), "not a model: an object is expected");
    if (!s)
        s = each(m, root, "variables", read_variable, path, e);
    if (!s)
        s = each(m, classes, "rules", read_rule, path, e);
    if (!s)
        s = each(m, root, "keys", read_key, path, e);
    if (!s)
        read_intervals(m, root);
    json_decref(root);
    if (s)
        model_free(m);
    else
        *out = m;
    return s;
}

void model_free(struct model *m)
{
    if (!m)
        return;
    for (size_t i = 0; i < m->n_variables; i++)
        free(m->variables[i].name);
    for (size_t i = 0; i < m->n_keys; i++)
        free(m->keys[i].text);
    for (size_t i = 0; i < m->n_rules; i++)
        free(m->rules[i].glob);
    free(m->variables);
    free(m->keys);
    free(m->rules);
    free(m->classes);
    free(m->solver);
    free(m->data_hash);
    free(m);
}

/* ---- values ---- */

/* The mean over keys, weighted by executions. Returns false if none was executed. IR_NONE: over all instructions; a
 * model may have keys that are none, such as misses and taken branches. Sums are rounded alike for best, typical and
 * worst, so their order stays. */
static bool mean_of_keys(struct shimxml_range *out, const struct model *m, enum ir_opcode opcode, bool dependent)
{
    struct shimxml_range sum = {0, 0, 0};
    double count = 0;
    for (size_t i = 0; i < m->n_keys; i++) {
        const struct model_key *k = &m->keys[i];
        if (opcode ? k->key.dependent != dependent || k->key.opcode != opcode : k->key.opcode == IR_NONE)
            continue;
        count += k->count;
        sum.best += k->count * k->value.best;
        sum.typical += k->count * k->value.typical;
        sum.worst += k->count * k->value.worst;
    }
    if (count <= 0)
        return false;
    *out = (struct shimxml_range){sum.best / count, sum.typical / count, sum.worst / count};
    return true;
}

/* The value of a key by its class. Returns false if there is none, or if its variable has no evidence. */
static bool value_of_class(struct shimxml_range *out, const struct model *m, enum ir_opcode opcode, bool dependent)
{
    const char *commonest = ir_instruction(opcode)->key;
    char *key = ir_marked(commonest, strlen(commonest), dependent);
    const struct model_rule *rule = 0;
    for (size_t i = 0; i < m->n_rules && !rule; i++)
        if (glob_match(m->rules[i].glob, key))
            rule = &m->rules[i];
    free(key);
    if (!rule || (rule->variable != MODEL_NONE && !m->variables[rule->variable].evidence))
        return false;
    *out = rule->variable == MODEL_NONE ? (struct shimxml_range){0, 0, 0} : m->variables[rule->variable].value;
    return true;
}

enum model_source model_value(struct shimxml_range *out, const struct model *m, enum ir_opcode opcode, bool dependent)
{
    if (mean_of_keys(out, m, opcode, dependent))
        return MODEL_MEASURED;
    if (value_of_class(out, m, opcode, dependent))
        return MODEL_CLASS;
    if (mean_of_keys(out, m, opcode, !dependent) || value_of_class(out, m, opcode, !dependent))
        return MODEL_TWIN;
    if (!mean_of_keys(out, m, IR_NONE, false))
        *out = (struct shimxml_range){0, 0, 0};
    return MODEL_ALL;
}
