/* conditions.c - writes and reads measurement-conditions.json. */
#include "boards/measure/conditions.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/map.h"
#include "base/str.h"
#include "boards/measure/series.h"

#define FORMAT   "shimgen-measurement-conditions"
#define CHECKSUM "checksum"

/* One table for initialising, releasing, writing and reading all members. */
#define MEMBER(name)                                                                                                   \
    {                                                                                                                  \
#name, offsetof(struct conditions, name)                                                                       \
    }
struct member {
    const char *name;
    size_t offset;
};
static const struct member texts[] = {
    MEMBER(board),        MEMBER(date),        MEMBER(cpu),          MEMBER(architecture), MEMBER(kernel),
    MEMBER(hypervisor),   MEMBER(cycle_event), MEMBER(cycle_nature), MEMBER(clock_source), MEMBER(cache),
    MEMBER(cache_method), MEMBER(priority),    MEMBER(memory)};
static const struct member reals[] = {MEMBER(cycle_hz), MEMBER(clock_hz), MEMBER(overhead_cycles), MEMBER(core_width)};
static const struct member lists[] = {MEMBER(events_left_out), MEMBER(notes)};
#define TALLY(name)                                                                                                    \
    {                                                                                                                  \
#name, offsetof(struct measured_program, name)                                                                 \
    }
static const struct member counts[] = {TALLY(launches), TALLY(disturbed),  TALLY(by_switch), TALLY(by_interrupt),
                                       TALLY(by_fault), TALLY(by_sharing), TALLY(by_outlier)};
#define COUNT(a) (sizeof(a) / sizeof *(a))

static char **text_at(const struct conditions *c, size_t i)
{
    return (char **)((char *)c + texts[i].offset);
}
static double *real_at(const struct conditions *c, size_t i)
{
    return (double *)((char *)c + reals[i].offset);
}
static char ***list_at(const struct conditions *c, size_t i)
{
    return (char ***)((char *)c + lists[i].offset);
}

void conditions_init(struct conditions *c)
{
    *c = (struct conditions){.core = -1};
    for (size_t i = 0; i < COUNT(texts); i++)
        *text_at(c, i) = xstrdup("");
}

void conditions_release(struct conditions *c)
{
    for (size_t i = 0; i < COUNT(texts); i++)
        free(*text_at(c, i));
    for (size_t i = 0; i < COUNT(lists); i++) {
        for (char **t = *list_at(c, i); t && *t; t++)
            free(*t);
        free(*list_at(c, i));
    }
    *c = (struct conditions){0};
}

static void set(char **to, const char *text)
{
    free(*to);
    *to = xstrdup(text ? text : "");
}

void measurements_describe(struct measurements *m, const struct board *b, const struct board_machine *machine,
                           const struct findings *f, const char *date)
{
    struct conditions *c = &m->conditions;
    set(&c->board, b->name);
    set(&c->date, date);
    set(&c->cpu, machine->cpu);
    set(&c->architecture, machine->architecture);
    set(&c->kernel, machine->kernel);
    set(&c->hypervisor, machine->hypervisor);
    set(&c->clock_source, machine->clock_source);
    c->clock_hz = machine->clock_hz;
    for (size_t i = 0; f && i < f->n; i++)
        if (f->at[i].severity != FINDING_NOTE)
            add_note(m, xasprintf("%s: %s; %s", f->at[i].what, f->at[i].consequence, f->at[i].remedy));
}

/* ---- writing ---- */

static void put_real(json_t *object, const char *name, double value)
{
    if (isfinite(value))
        json_object_set_new(object, name, json_real(value));
}

/* JSON is UTF-8; a name that is not UTF-8 would be lost. */
static enum status check_text(const char *text, const char *path, struct error *e)
{
    json_t *value = json_string(text);
    json_decref(value);
    if (!value)
        return error_set(e, ERR_INPUT, AT_FILE(path), "the name '%s' is not UTF-8; rename the program or the region",
                         text);
    return OK;
}

static enum status check_names(const struct measurements *m, const char *path, struct error *e)
{
    enum status s = OK;
    for (size_t i = 0; i < m->rows.n && !s; i++) {
        s = check_text(m->rows.at[i].program, path, e);
        if (!s)
            s = check_text(m->rows.at[i].region, path, e);
        if (!s)
            s = check_text(m->rows.at[i].event, path, e);
    }
    return s;
}

static json_t *row_json(const struct measurement *r)
{
    json_t *o = json_pack("{s:s, s:s, s:s}", "program", r->program, "region", r->region, "event", r->event);
    put_real(o, "half_width", r->half_width);
    put_real(o, "minimum", r->minimum);
    put_real(o, "mean", r->mean);
    put_real(o, "mean_stddev", r->mean_stddev);
    json_object_set_new(o, "dropped", json_integer(r->dropped));
    put_real(o, "entries", r->entries);
    put_real(o, "overhead", r->overhead);
    return o;
}

static json_t *program_json(const struct measured_program *p)
{
    json_t *o = json_pack("{s:s}", "program", p->program);
    for (size_t i = 0; i < COUNT(counts); i++)
        json_object_set_new(o, counts[i].name, json_integer(*(const unsigned *)((const char *)p + counts[i].offset)));
    put_real(o, "wall_s", p->wall_s);
    put_real(o, "core_per_tick", p->core_per_tick);
    return o;
}

/* The checksum of all members except itself. It does not depend on the layout of the text. */
static char *checksum(const json_t *o)
{
    json_t *rest = json_copy((json_t *)o);
    json_object_del(rest, CHECKSUM);
    char *text = json_dumps(rest, JSON_COMPACT | JSON_REAL_PRECISION(17));
    char *sum = xasprintf("%016" PRIx64, hash_text(HASH_START, text ? text : ""));
    free(text);
    json_decref(rest);
    return sum;
}

enum status conditions_write(const struct measurements *m, const char *path, struct error *e)
{
    const struct conditions *c = &m->conditions;
    enum status s = check_names(m, path, e);
    if (s)
        return s;
    json_t *o = json_pack("{s:s, s:i}", "format", FORMAT, "version", 1);
    for (size_t i = 0; i < COUNT(texts); i++)
        json_object_set_new(o, texts[i].name, json_string(*text_at(c, i)));
    for (size_t i = 0; i < COUNT(reals); i++)
        put_real(o, reals[i].name, *real_at(c, i));
    json_object_set_new(o, "core", json_integer(c->core));
    json_object_set_new(o, "runs", json_integer(c->runs));
    json_object_set_new(o, "precision", json_real(c->precision));
    for (size_t i = 0; i < COUNT(lists); i++) {
        json_t *list = json_array();
        for (char **t = *list_at(c, i); t && *t; t++)
            json_array_append_new(list, json_string(*t));
        json_object_set_new(o, lists[i].name, list);
    }
    json_t *programs = json_array(), *rows = json_array();
    for (size_t i = 0; i < m->programs.n; i++)
        json_array_append_new(programs, program_json(&m->programs.at[i]));
    for (size_t i = 0; i < m->rows.n; i++)
        json_array_append_new(rows, row_json(&m->rows.at[i]));
    json_object_set_new(o, "programs", programs);
    json_object_set_new(o, "measurements", rows);
    char *sum = checksum(o);
    json_put_text(o, CHECKSUM, sum);
    s = json_write(o, path, e);
    free(sum);
    json_decref(o);
    return s;
}

/* ---- reading ---- */

/* Older files have no checksum, nor have files from which it was removed. */
static enum status check_sum(const json_t *o, const char *path, struct error *e)
{
    const json_t *written = json_object_get(o, CHECKSUM);
    char *sum = checksum(o);
    enum status s = OK;
    if (written && (!json_is_string(written) || strcmp(json_string_value(written), sum) != 0))
        s = error_set(e, ERR_INPUT, AT_FILE(path),
                      "it was changed or damaged since it was written, its '" CHECKSUM "' says; measure again, or take "
                      "that member out if the change is meant");
    free(sum);
    return s;
}

static double real_or(const json_t *o, const char *name, double otherwise)
{
    const json_t *v = json_object_get(o, name);
    return json_is_number(v) ? json_number_value(v) : otherwise;
}

static enum status read_count(const json_t *o, const char *name, unsigned *to, const char *path, struct error *e)
{
    double value;
    enum status s = json_need_number(o, name, &value, path, e);
    if (s)
        return s;
    if (value < 0 || value > 1e9 || value != floor(value))
        return error_set(e, ERR_INPUT, AT_FILE(path), "member '%s' is %g; a count is wanted", name, value);
    *to = (unsigned)value;
    return OK;
}

static bool has_rows(const struct measurements *m, const char *program)
{
    for (size_t i = 0; i < m->rows.n; i++)
        if (strcmp(m->rows.at[i].program, program) == 0)
            return true;
    return false;
}

static enum status read_program(struct measurements *m, const json_t *o, bool more, const char *path, struct error *e)
{
    const char *name;
    struct measured_program p = {0};
    enum status s = json_need_string(o, "program", &name, path, e);
    if (!s && more && !has_rows(m, name))
        return OK;
    for (size_t i = 0; i < COUNT(counts) && !s; i++)
        s = read_count(o, counts[i].name, (unsigned *)((char *)&p + counts[i].offset), path, e);
    if (s)
        return s;
    p.program = xstrdup(name);
    p.wall_s = real_or(o, "wall_s", NAN);
    p.core_per_tick = real_or(o, "core_per_tick", 0);
    vec_push(&m->programs, p);
    return OK;
}

static enum status read_measurement(struct measurements *m, size_t hint, const json_t *o, bool more, const char *path,
                                    struct error *e)
{
    const char *program, *region, *event;
    enum status s = json_need_string(o, "program", &program, path, e);
    if (!s)
        s = json_need_string(o, "region", &region, path, e);
    if (!s)
        s = json_need_string(o, "event", &event, path, e);
    if (s)
        return s;
    struct measurement *r = hint < m->rows.n ? &m->rows.at[hint] : 0; /* both files have the same order */
    if (!r || strcmp(r->program, program) || strcmp(r->region, region) || strcmp(r->event, event))
        r = (struct measurement *)measurements_find(m, program, region, event);
    if (!r && more)
        return OK;
    if (!r)
        return error_set(e, ERR_INPUT, AT_FILE(path),
                         "%s of region '%s' of '%s' is not in the table of measurements: the two files are not of one "
                         "measurement; measure again",
                         event, region, program);
    r->half_width = real_or(o, "half_width", NAN);
    r->minimum = real_or(o, "minimum", NAN);
    r->mean = real_or(o, "mean", NAN);
    r->mean_stddev = real_or(o, "mean_stddev", NAN);
    r->entries = real_or(o, "entries", NAN);
    r->overhead = real_or(o, "overhead", NAN);
    return read_count(o, "dropped", &r->dropped, path, e);
}

static enum status read_lists(struct measurements *m, const json_t *o, const char *path, struct error *e)
{
    enum status s = OK;
    for (size_t i = 0; i < COUNT(lists) && !s; i++) {
        json_t *list = 0;
        s = json_need_array(o, lists[i].name, &list, path, e);
        if (s)
            break;
        size_t n = json_array_size(list);
        char **to = xcalloc(n + 1, sizeof *to);
        for (size_t k = 0; k < n; k++) {
            const char *text = json_string_value(json_array_get(list, k));
            to[k] = xstrdup(text ? text : "");
        }
        *list_at(&m->conditions, i) = to;
    }
    return s;
}

static enum status read_scalars(struct conditions *c, const json_t *o, const char *path, struct error *e)
{
    enum status s = OK;
    for (size_t i = 0; i < COUNT(texts) && !s; i++) {
        const char *text = 0;
        s = json_need_string(o, texts[i].name, &text, path, e);
        if (!s)
            set(text_at(c, i), text);
    }
    for (size_t i = 0; i < COUNT(reals) && !s; i++)
        s = json_need_number(o, reals[i].name, real_at(c, i), path, e);
    if (!s)
        s = read_count(o, "runs", &c->runs, path, e);
    c->core = (int)real_or(o, "core", -1);
    c->precision = real_or(o, "precision", 0); /* older tables have none */
    return s;
}

static enum status read_all(struct measurements *m, const json_t *o, bool more, const char *path, struct error *e)
{
    const char *format;
    json_t *programs = 0, *rows = 0;
    enum status s = json_need_string(o, "format", &format, path, e);
    if (!s && strcmp(format, FORMAT) != 0)
        s = error_set(e, ERR_INPUT, AT_FILE(path), "its format is '%s', not '" FORMAT "'", format);
    if (!s && real_or(o, "version", 0) != 1)
        s = error_set(e, ERR_INPUT, AT_FILE(path), "its version is not 1; measure again with this program");
    if (!s)
        s = check_sum(o, path, e);
    if (!s)
        s = read_scalars(&m->conditions, o, path, e);
    if (!s)
        s = read_lists(m, o, path, e);
    if (!s)
        s = json_need_array(o, "programs", &programs, path, e);
    if (!s)
        s = json_need_array(o, "measurements", &rows, path, e);
    for (size_t i = 0; !s && i < json_array_size(programs); i++)
        s = read_program(m, json_array_get(programs, i), more, path, e);
    for (size_t i = 0; !s && i < json_array_size(rows); i++)
        s = read_measurement(m, i, json_array_get(rows, i), more, path, e);
    return s;
}

enum status conditions_read(struct measurements *m, const char *path, bool more, struct error *e)
{
    json_t *o = 0;
    enum status s = json_read(&o, path, e);
    if (s)
        return s;
    s = read_all(m, o, more, path, e);
    json_decref(o);
    return s;
}
