/* import.c - the latency CSV of the published SHIM 2.0 tools into the processing units of a document: lines `#
 * grouping` and
 * `# performance` begin its parts, rows `variable,opcode,...` and `name[,input bits,output bits],typical[,best,worst]`.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "shim-xml/units.h"

enum { FIELDS = 256, SIZE_LIMIT = 16 << 20 };

struct value {
    char *name;                         /* of the instruction, without _d */
    const char *part;                   /* "Pitch", "Latency" */
    const char *typical, *best, *worst; /* as written there, NULL: not given; borrowed from the text */
    unsigned long line;
};
struct table {
    struct str text;
    struct map groups;   /* "variable" -> index in members */
    VEC(char *) members; /* "add\nsub\n" */
    VEC(struct value) values;
};

static void table_release(struct table *t)
{
    for (size_t i = 0; i < t->members.n; i++)
        free(t->members.at[i]);
    for (size_t i = 0; i < t->values.n; i++)
        free(t->values.at[i].name);
    vec_release(&t->members);
    vec_release(&t->values);
    map_release(&t->groups);
    str_release(&t->text);
}

/* ---- reading ---- */

static char *trimmed(char *text)
{
    text += strspn(text, " \t\"");
    size_t n = strlen(text);
    while (n && strchr(" \t\r\"", text[n - 1]))
        text[--n] = 0;
    return text;
}

static size_t split(char *line, char **fields)
{
    size_t n = 0;
    for (char *next = line; next && n < FIELDS; n++) {
        fields[n] = next;
        next = strchr(next, ',');
        if (next)
            *next++ = 0;
        fields[n] = trimmed(fields[n]);
    }
    while (n && !*fields[n - 1])
        n--;
    return n;
}

static void add_value(struct table *t, const char *name, const struct value *v)
{
    struct value one = *v;
    one.name = xstrdup(name);
    vec_push(&t->values, one);
}

static enum status take_group(struct table *t, char **fields, size_t n, struct loc at, struct error *e)
{
    struct str members = STR_INIT;
    if (n < 2)
        return error_set(e, ERR_INPUT, at, "a group needs a name and instructions: variable,opcode,...");
    if (map_get(&t->groups, fields[0], 0))
        return error_set(e, ERR_INPUT, at, "group '%.60s' is there twice", fields[0]);
    for (size_t i = 1; i < n; i++)
        str_addf(&members, "%s\n", fields[i]);
    map_put(&t->groups, fields[0], t->members.n);
    vec_push(&t->members, str_detach(&members));
    return OK;
}

static enum status check_number(const char *text, struct loc at, struct error *e)
{
    double v;
    if (schema_bad_value(TYPE_float, text) || !parse_double(text, &v) || !isfinite(v))
        return error_set(e, ERR_INPUT, at, "'%.60s' is no number of cycles", text);
    if (v < 0 || v > (double)FLT_MAX)
        return error_set(e, ERR_INPUT, at, "%.60s cycles: SHIM's readers cannot use such a value", text);
    return OK;
}

static enum status take_performance(struct table *t, char **fields, size_t n, struct loc at, struct error *e)
{
    size_t first = n == 2 ? 1 : n == 4 || n == 6 ? 3 : 0, i, length = strlen(fields[0]);
    if (!first)
        return error_set(e, ERR_INPUT, at,
                         "name,typical or name,input bits,output bits,typical[,best,worst] is expected, not %zu fields",
                         n);
    for (i = first; i < n; i++)
        if (check_number(fields[i], at, e))
            return ERR_INPUT;
    bool dependent = length > 2 && strcmp(fields[0] + length - 2, "_d") == 0;
    struct value v = {.part = dependent ? "Latency" : "Pitch", .typical = fields[first], .line = at.line};
    if (n == 6) {
        v.best = fields[4];
        v.worst = fields[5];
        if (strtod(v.best, 0) > strtod(v.typical, 0) || strtod(v.typical, 0) > strtod(v.worst, 0))
            return error_set(e, ERR_INPUT, at, "best <= typical <= worst is expected, not %s, %s, %s", v.best,
                             v.typical, v.worst);
    }
    if (dependent)
        fields[0][length - 2] = 0;
    if (!map_get(&t->groups, fields[0], &i)) {
        add_value(t, fields[0], &v);
        return OK;
    }
    for (const char *m = t->members.at[i]; *m; m += strcspn(m, "\n") + 1) {
        char *name = xstrndup(m, strcspn(m, "\n"));
        add_value(t, name, &v);
        free(name);
    }
    return OK;
}

static enum status table_read(struct table *t, const char *path, struct error *e)
{
    enum { NOTHING, GROUPING, PERFORMANCE } part = NOTHING;
    enum status s = file_read(&t->text, path, SIZE_LIMIT, e);
    if (!s && strlen(str_text(&t->text)) != t->text.len)
        return error_set(e, ERR_INPUT, AT_FILE(path), "not a table: it holds a NUL byte");
    unsigned long number = 0;
    for (char *line = s ? 0 : t->text.s, *next; !s && line && *line; line = next) {
        char *fields[FIELDS];
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        number++;
        struct loc at = AT(path, number);
        char *text = trimmed(line);
        if (*text == '#') {
            text = trimmed(text + 1);
            part = strncmp(text, "grouping", 8) == 0       ? GROUPING
                   : strncmp(text, "performance", 11) == 0 ? PERFORMANCE
                                                           : part;
            continue;
        }
        size_t n = split(text, fields);
        if (!n)
            continue;
        if (!*fields[0])
            s = error_set(e, ERR_INPUT, at, "the row has no name");
        else if (part == GROUPING)
            s = take_group(t, fields, n, at, e);
        else
            s = take_performance(t, fields, n, at, e);
    }
    if (!s && !t->values.n)
        s = error_set(e, ERR_INPUT, AT_FILE(path), "there is no row of values behind '# performance'");
    return s;
}

/* ---- into the document ---- */

static void give(struct shimxml_node *performance, const struct value *v)
{
    struct shimxml_node *n = shimxml_need(performance, v->part);
    shimxml_set(n, "best", v->best);
    shimxml_set(n, "typical", v->typical);
    shimxml_set(n, "worst", v->worst);
}

static bool give_all_called(struct shimxml_node *set, const struct value *v)
{
    bool found = false;
    struct shimxml_node *i = shimxml_child(set, "Instruction");
    for (; i; i = shimxml_next(i, "Instruction")) {
        const char *name = shimxml_get(i, "name");
        if (!name || strcmp(name, v->name) != 0)
            continue;
        give(shimxml_need(i, "Performance"), v);
        found = true;
    }
    return found;
}

/* What is new needs both values, since the schema wants both. */
static const struct value *other_part(const struct table *t, const struct value *v)
{
    for (size_t i = 0; i < t->values.n; i++)
        if (t->values.at[i].part != v->part && strcmp(t->values.at[i].name, v->name) == 0)
            return &t->values.at[i];
    return 0;
}

static enum status give_unit(struct shimxml_node *unit, const struct table *t, const char *path, struct error *e)
{
    struct shimxml_node *set = unit_instructions(unit);
    for (size_t i = 0; i < t->values.n; i++) {
        const struct value *v = &t->values.at[i], *other;
        if (give_all_called(set, v))
            continue;
        other = other_part(t, v);
        if (!other)
            return error_set(e, ERR_INPUT, AT(path, v->line),
                             "'%.60s' is new in '%.60s' and has no %s: give both '%.60s' and '%.60s_d'", v->name,
                             shimxml_get(unit, "name"), strcmp(v->part, "Pitch") == 0 ? "Latency" : "Pitch", v->name,
                             v->name);
        struct shimxml_node *n = shimxml_add(set, "Instruction");
        shimxml_set(n, "name", v->name);
        give(shimxml_need(n, "Performance"), v);
        give(shimxml_need(n, "Performance"), other);
    }
    return OK;
}

enum status shimxml_import(struct shimxml_doc *d, const char *path, const struct shimxml_units *which, struct error *e)
{
    static const struct shimxml_units all = {0};
    which = which ? which : &all;
    struct table t = {.text = STR_INIT};
    enum status s = table_read(&t, path, e);
    size_t units = 0;
    struct shimxml_node *n = 0;
    while (!s && (n = shimxml_following(shimxml_root(d), n, "MasterComponent"))) {
        if (!unit_is(n) || !unit_is_wanted(n, which))
            continue;
        s = give_unit(n, &t, path, e);
        units++;
    }
    if (!s && !units)
        s = unit_none(d, which, e);
    table_release(&t);
    return s;
}
