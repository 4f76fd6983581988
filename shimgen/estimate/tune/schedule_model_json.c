/* schedule_model_json.c - reads and writes schedule.json; docs/formats/schedule.md says what the members mean. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cli.h"
#include "base/json.h"
#include "shimgen/estimate/tune/schedule_model.h"

#define FORMAT "shimgen-schedule"
enum { VERSION = 2 };

static const char *const codes[] = {
    [SHIMXML_ANY_CODE] = "any", [SHIMXML_UNOPTIMISED] = "unoptimised", [SHIMXML_OPTIMISED] = "optimised"};

/* The errors, with the names of their members. */
static struct regress_errors *errors_of(struct schedule_model *m, size_t i, const char **name)
{
    static const char *const names[] = {"as_measured", "training", "held_out", "test"};
    struct regress_errors *const all[] = {&m->before, &m->training, &m->left_out, &m->test};
    *name = names[i];
    return all[i];
}

/* ---- writing ---- */

static void put_errors(json_t *object, const char *key, const struct regress_errors *r)
{
    json_t *o = r->n ? json_object() : json_null();
    json_put(object, key, o);
    if (!r->n)
        return;
    json_put(o, "rows", json_integer((json_int_t)r->n));
    json_put_real(o, "mean", r->mean);
    json_put_real(o, "mean_abs", r->mean_abs);
    json_put_real(o, "median_abs", r->median_abs);
    json_put_real(o, "p90_abs", r->p90_abs);
    json_put_real(o, "worst", r->worst);
    json_put_text(o, "worst_of", r->worst_of);
}

static json_t *data_part(const struct schedule_model *m)
{
    json_t *o = json_object();
    char *hash = xasprintf("fnv1a64:%016" PRIx64, m->data_hash);
    json_put_text(o, "name", m->data_name);
    json_put_text(o, "hash", hash);
    free(hash);
    return o;
}

static json_t *factors_part(const struct schedule_model *m)
{
    json_t *list = json_array();
    for (size_t i = 0; i < m->n_factors; i++) {
        json_t *o = json_object();
        json_put_text(o, "of", m->factors[i].name);
        json_put_real(o, "factor", m->factors[i].factor);
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *intervals_part(const struct schedule_model *m)
{
    json_t *list = json_array();
    for (size_t i = 0; i < m->n_intervals; i++) {
        const struct shimxml_interval *v = &m->intervals[i];
        json_t *o = json_object();
        json_put_text(o, "code", codes[v->code]);
        json_put(o, "events", json_boolean(v->events));
        json_put_real(o, "below", v->below);
        json_put_real(o, "level", v->level);
        json_put_real(o, "low", v->low);
        json_put_real(o, "high", v->high);
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *rows_part(const struct schedule_model *m)
{
    json_t *list = json_array();
    for (size_t i = 0; i < m->n_rows; i++) {
        const struct schedule_row *r = &m->rows[i];
        json_t *o = json_object();
        json_put_text(o, "program", r->program);
        json_put_text(o, "region", r->region);
        json_put_text(o, "role", r->test ? "test" : "train");
        json_put(o, "optimised", json_boolean(r->optimised));
        json_put_real(o, "measured", r->measured);
        json_put_real(o, "estimated", r->estimated);
        json_put_real(o, "left_out", r->left_out);
        json_put_real(o, "without_events", r->without_events);
        json_put_real(o, "ratio", r->measured / r->left_out);
        json_array_append_new(list, o);
    }
    return list;
}

enum status schedule_model_write(const struct schedule_model *m, const char *path, struct error *e)
{
    struct schedule_model view = *m;
    json_t *o = json_object();
    json_put_text(o, "format", FORMAT);
    json_put(o, "version", json_integer(VERSION));
    json_put_text(o, "made_by", "shimgen " SHIMGEN_VERSION);
    json_put_text(o, "shim", m->shim);
    json_put(o, "data", data_part(m));
    json_put(o, "factors", factors_part(m));
    for (size_t i = 0; i < 4; i++) {
        const char *name;
        const struct regress_errors *r = errors_of(&view, i, &name);
        put_errors(o, name, r);
    }
    json_put(o, "intervals", intervals_part(m));
    json_put(o, "rows", rows_part(m));
    enum status s = json_write(o, path, e);
    json_decref(o);
    return s;
}

/* ---- reading ---- */

struct reader {
    const char *path;
    enum status status;
    struct error *e;
};

static double real(struct reader *r, const json_t *o, const char *key)
{
    double x = NAN;
    if (!r->status)
        r->status = json_need_number(o, key, &x, r->path, r->e);
    return x;
}

/* null means infinite. */
static double real_or_infinite(struct reader *r, const json_t *o, const char *key)
{
    return json_is_null(json_object_get(o, key)) ? (double)INFINITY : real(r, o, key);
}

static char *text(struct reader *r, const json_t *o, const char *key)
{
    const char *t = 0;
    if (!r->status)
        r->status = json_need_string(o, key, &t, r->path, r->e);
    return r->status ? 0 : xstrdup(t);
}

/* Returns NULL if the member is null. */
static json_t *part(struct reader *r, const json_t *o, const char *key)
{
    json_t *p = 0;
    if (!r->status && !json_is_null(json_object_get(o, key)))
        r->status = json_need_object(o, key, &p, r->path, r->e);
    return p;
}

static void refuse(struct reader *r, const char *what)
{
    if (!r->status)
        r->status = error_set(r->e, ERR_INPUT, AT_FILE(r->path), "%s", what);
}

static void read_errors(struct reader *r, const json_t *o, const char *key, struct regress_errors *to, char **worst_of)
{
    const json_t *p = part(r, o, key);
    *to = (struct regress_errors){0, NAN, NAN, NAN, NAN, NAN, 0};
    if (!p)
        return;
    double n = real(r, p, "rows");
    if (!(n >= 1 && n <= 1e9))
        refuse(r, "the rows of its errors are not a number of rows");
    to->n = r->status ? 0 : (size_t)n;
    to->mean = real(r, p, "mean");
    to->mean_abs = real(r, p, "mean_abs");
    to->median_abs = real(r, p, "median_abs");
    to->p90_abs = real(r, p, "p90_abs");
    to->worst = real(r, p, "worst");
    to->worst_of = *worst_of = text(r, p, "worst_of");
}

static void read_interval(struct reader *r, const json_t *o, struct shimxml_interval *v)
{
    char *code = text(r, o, "code");
    *v = (struct shimxml_interval){.events = json_is_true(json_object_get(o, "events")),
                                   .below = real_or_infinite(r, o, "below"),
                                   .level = real(r, o, "level"),
                                   .low = real(r, o, "low"),
                                   .high = real_or_infinite(r, o, "high")};
    bool known = false;
    for (size_t i = 0; code && i < sizeof codes / sizeof *codes; i++)
        if (strcmp(codes[i], code) == 0) {
            v->code = (enum shimxml_code)i;
            known = true;
        }
    if (!known || !(v->level > 0 && v->level < 1) || !(v->low >= 0) || v->low > v->high)
        refuse(r, "a member of 'intervals' is not a level and an interval of known code");
    free(code);
}

static void read_intervals(struct reader *r, const json_t *o, struct schedule_model *m)
{
    json_t *list = 0, *f;
    size_t i;
    if (!r->status)
        r->status = json_need_array(o, "intervals", &list, r->path, r->e);
    m->intervals = xcalloc(json_array_size(list), sizeof *m->intervals);
    json_array_foreach(list, i, f)
    {
        read_interval(r, f, &m->intervals[m->n_intervals++]);
    }
}

static void read_data(struct reader *r, const json_t *o, struct schedule_model *m)
{
    const json_t *p = part(r, o, "data");
    if (!p)
        refuse(r, "it does not say of which data it is (member 'data')");
    m->data_name = text(r, p, "name");
    char *hash = text(r, p, "hash");
    if (hash && sscanf(hash, "fnv1a64:%16" SCNx64, &m->data_hash) != 1)
        refuse(r, "the hash of its data is not valid (fnv1a64:...)");
    free(hash);
}

static void read_factors(struct reader *r, const json_t *o, struct schedule_model *m)
{
    json_t *list = 0, *f;
    size_t i;
    if (!r->status)
        r->status = json_need_array(o, "factors", &list, r->path, r->e);
    m->factors = xcalloc(json_array_size(list), sizeof *m->factors);
    json_array_foreach(list, i, f)
    {
        m->factors[m->n_factors].name = text(r, f, "of");
        m->factors[m->n_factors++].factor = real(r, f, "factor");
    }
}

static void read_rows(struct reader *r, const json_t *o, struct schedule_model *m)
{
    json_t *list = 0, *f;
    size_t i;
    if (!r->status)
        r->status = json_need_array(o, "rows", &list, r->path, r->e);
    m->rows = xcalloc(json_array_size(list), sizeof *m->rows);
    json_array_foreach(list, i, f)
    {
        struct schedule_row *row = &m->rows[m->n_rows++];
        row->program = text(r, f, "program");
        row->region = text(r, f, "region");
        char *role = text(r, f, "role");
        row->test = role && strcmp(role, "test") == 0;
        row->optimised = json_is_true(json_object_get(f, "optimised"));
        row->measured = real(r, f, "measured");
        row->estimated = real(r, f, "estimated");
        row->left_out = real(r, f, "left_out");
        row->without_events = real(r, f, "without_events");
        free(role);
    }
}

static void read_all(struct reader *r, const json_t *o, struct schedule_model *m)
{
    const char *format = 0;
    r->status = json_need_string(o, "format", &format, r->path, r->e);
    if (!r->status && strcmp(format, FORMAT) != 0)
        refuse(r, "not a schedule.json ('shimgen tune' writes one): its format is not '" FORMAT "'");
    double version = real(r, o, "version");
    if (version != VERSION)
        refuse(r, "its version is not 2; write it again with this version's 'shimgen tune'");
    m->shim = text(r, o, "shim");
    read_data(r, o, m);
    read_factors(r, o, m);
    for (size_t i = 0; i < 4; i++) {
        const char *name;
        struct regress_errors *errors = errors_of(m, i, &name);
        read_errors(r, o, name, errors, &m->worst_of[i]);
    }
    read_intervals(r, o, m);
    read_rows(r, o, m);
}

enum status schedule_model_read(struct schedule_model **out, const char *path, struct error *e)
{
    json_t *o = 0;
    struct reader r = {path, json_read(&o, path, e), e};
    *out = 0;
    if (r.status)
        return r.status;
    *out = xcalloc(1, sizeof **out);
    read_all(&r, o, *out);
    json_decref(o);
    if (r.status) {
        schedule_model_free(*out);
        *out = 0;
    }
    return r.status;
}
