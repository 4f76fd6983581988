/*
 * import.c - reads the latency CSV of the published SHIM 2.0 tools into a document's processing units. The lines `#
 * grouping` and `# performance` begin its two parts. Rows are `variable,opcode,...` in the first part and `name[,input
 * bits,output bits],typical[,best,worst]` in the second.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/key.h"
#include "base/str.h"
#include "shim-xml/document/instruction_widths.h"
#include "shim-xml/document/notes.h"
#include "shim-xml/document/text.h"
#include "shim-xml/values/seal.h"
#include "shim-xml/values/units.h"

enum { FIELDS = 256, SIZE_LIMIT = 16 << 20, VALUES_LIMIT = 1000000 };

struct value {
    char *name;                         /* name of the instruction, without _d */
    const char *part;                   /* "Pitch" or "Latency" */
    const char *input, *output;         /* bits; NULL: not given. These and the next ones are borrowed from the text */
    const char *typical, *best, *worst; /* as written; NULL: not given */
    unsigned long line;
};
struct table {
    struct str text;
    struct map groups;   /* variable -> index in members */
    VEC(char *) members; /* such as "add\nsub\n" */
    VEC(struct value) values;
    struct map last;    /* name -> 1 + the latest of its values */
    VEC(size_t) before; /* for each value, 1 + the previous one of the same name; 0: none */
};

static void table_release(struct table *t)
{
    for (size_t i = 0; i < t->members.n; i++)
        free(t->members.at[i]);
    for (size_t i = 0; i < t->values.n; i++)
        free(t->values.at[i].name);
    vec_release(&t->members);
    vec_release(&t->values);
    vec_release(&t->before);
    map_release(&t->last);
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
    size_t before = 0;
    one.name = xstrdup(name);
    map_get(&t->last, name, &before);
    vec_push(&t->before, before);
    vec_push(&t->values, one);
    map_put(&t->last, name, t->values.n);
}

/* Names go into XML, so they must be UTF-8 without control characters. */
static enum status check_names(char **fields, size_t n, struct loc at, struct error *e)
{
    for (size_t i = 0; i < n; i++) {
        char *clean = text_printable(fields[i], strlen(fields[i]));
        bool same = strcmp(clean, fields[i]) == 0;
        enum status s = same ? OK : error_set(e, ERR_INPUT, at, "'%.60s' is not a name: it is not plain UTF-8", clean);
        free(clean);
        if (s)
            return s;
    }
    return OK;
}

/* Cuts the mark of dependence off the end of a name. Returns false if there is none. */
static bool cut_dependent(char *name)
{
    size_t n;
    bool dependent = ir_dependent(name, &n);
    name[n] = 0;
    return dependent;
}

static enum status take_group(struct table *t, char **fields, size_t n, struct loc at, struct error *e)
{
    struct str members = STR_INIT;
    if (check_names(fields, n, at, e))
        return ERR_INPUT;
    if (n < 2)
        return error_set(e, ERR_INPUT, at, "a group needs a name and instructions: variable,opcode,...");
    if (map_get(&t->groups, fields[0], 0))
        return error_set(e, ERR_INPUT, at, "group '%.60s' is there twice", fields[0]);
    for (size_t i = 1; i < n; i++) {
        cut_dependent(fields[i]); /* the row of values says which form it is */
        str_addf(&members, "%s\n", fields[i]);
    }
    map_put(&t->groups, fields[0], t->members.n);
    vec_push(&t->members, str_detach(&members));
    return OK;
}

static enum status check_number(const char *text, struct loc at, struct error *e)
{
    double v;
    if (schema_bad_value(TYPE_float, text) || !parse_double(text, &v) || !isfinite(v))
        return error_set(e, ERR_INPUT, at, "'%.60s' is not a number of cycles", text);
    if (v < 0 || v > (double)FLT_MAX)
        return error_set(e, ERR_INPUT, at, "%.60s cycles: SHIM's readers cannot use such a value", text);
    return OK;
}

static enum status check_bits(const char *text, struct loc at, struct error *e)
{
    if (schema_bad_value(TYPE_uint, text))
        return error_set(e, ERR_INPUT, at, "'%.60s' is not a number of bits", text);
    return OK;
}

/* Reads name,typical or name,input bits,output bits,typical[,best,worst]. */
static enum status read_fields(struct value *v, char **fields, size_t n, struct loc at, struct error *e)
{
    size_t first = n == 2 ? 1 : n == 4 || n == 6 ? 3 : 0;
    if (!first)
        return error_set(e, ERR_INPUT, at,
                         "name,typical or name,input bits,output bits,typical[,best,worst] is expected, not %zu fields",
                         n);
    for (size_t i = 1; i < n; i++)
        if (i < first ? check_bits(fields[i], at, e) : check_number(fields[i], at, e))
            return ERR_INPUT;
    v->input = first == 3 ? fields[1] : 0;
    v->output = first == 3 ? fields[2] : 0;
    v->typical = fields[first];
    v->best = n == 6 ? fields[4] : 0;
    v->worst = n == 6 ? fields[5] : 0;
    if (n == 6 && (strtod(v->best, 0) > strtod(v->typical, 0) || strtod(v->typical, 0) > strtod(v->worst, 0)))
        return error_set(e, ERR_INPUT, at, "best <= typical <= worst is expected, not %s, %s, %s", v->best, v->typical,
                         v->worst);
    return OK;
}

static enum status take_performance(struct table *t, char **fields, size_t n, struct loc at, struct error *e)
{
    struct value v = {.line = at.line};
    enum status s = check_names(fields, 1, at, e);
    if (!s)
        s = read_fields(&v, fields, n, at, e);
    if (s)
        return s;
    size_t i;
    bool is_group = map_get(&t->groups, fields[0], &i), dependent = cut_dependent(fields[0]);
    is_group = is_group || map_get(&t->groups, fields[0], &i);
    v.part = dependent ? "Latency" : "Pitch";
    if (!is_group) {
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

enum part { NOTHING, GROUPING, PERFORMANCE }; /* parts of the table */

/* The part that begins with "# grouping" or "# performance". Other comments change nothing. */
static enum part part_of_remark(const char *text, enum part before)
{
    return strncmp(text, "grouping", 8) == 0 ? GROUPING : strncmp(text, "performance", 11) == 0 ? PERFORMANCE : before;
}

static enum status take_row(struct table *t, enum part part, char *text, struct loc at, struct error *e)
{
    char *fields[FIELDS];
    size_t n = split(text, fields);
    if (!n)
        return OK;
    if (!*fields[0])
        return error_set(e, ERR_INPUT, at, "the row has no name");
    if (t->values.n > VALUES_LIMIT)
        return error_set(e, ERR_INPUT, at, "more than a million values: no machine has so many instructions");
    return part == GROUPING ? take_group(t, fields, n, at, e) : take_performance(t, fields, n, at, e);
}

static enum status table_read(struct table *t, const char *path, struct error *e)
{
    enum part part = NOTHING;
    enum status s = file_read(&t->text, path, SIZE_LIMIT, e);
    if (!s && strlen(str_text(&t->text)) != t->text.len)
        return error_set(e, ERR_INPUT, AT_FILE(path), "not a table: it holds a NUL byte");
    unsigned long number = 0;
    for (char *line = s ? 0 : t->text.s, *next; !s && line && *line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        number++;
        char *text = trimmed(line);
        if (*text == '#')
            part = part_of_remark(trimmed(text + 1), part);
        else
            s = take_row(t, part, text, AT(path, number), e);
    }
    if (!s && !t->values.n)
        s = error_set(e, ERR_INPUT, AT_FILE(path), "there is no row of values after '# performance'");
    return s;
}

/* ---- writing into the document ---- */

static void give(struct shimxml_node *performance, const struct value *v)
{
    struct shimxml_node *n = shimxml_need(performance, v->part);
    shimxml_set(n, "best", v->best);
    shimxml_set(n, "typical", v->typical);
    shimxml_set(n, "worst", v->worst);
}

static bool same_bits(const struct shimxml_node *i, const char *attribute, const char *bits)
{
    return !bits || shimxml_number(i, attribute) == strtod(bits, 0);
}

/* Is the instruction meant by the row? In SHIM 2.0 its widths must be the row's, if that has any, and it must not be on
 * vectors. SHIM 1.0 has no widths. */
static bool is_meant(const struct shimxml_node *i, const struct value *v)
{
    const char *name = instruction_name(i);
    return name && strcmp(name, v->name) == 0 && !(shimxml_number(i, "SIMDWidth") > 1) &&
           (doc_of(i)->schema == &schema1 ||
            (same_bits(i, "inputBitWidth", v->input) && same_bits(i, "outputBitWidth", v->output)));
}

/* A unit's entries by name, so that a long table need not be searched for each of them. */
struct entries {
    struct map index;
    VEC(struct shimxml_node *) at;
    VEC(size_t) next; /* 1 + the next one of the same name; 0: none */
};

static void add_entry(struct entries *all, struct shimxml_node *i)
{
    size_t first = 0;
    if (!instruction_name(i))
        return;
    map_get(&all->index, instruction_name(i), &first);
    vec_push(&all->at, i);
    vec_push(&all->next, first);
    map_put(&all->index, instruction_name(i), all->at.n);
}

static bool give_all_called(const struct entries *all, const struct value *v)
{
    bool found = false;
    size_t k = 0;
    map_get(&all->index, v->name, &k);
    for (; k; k = all->next.at[k - 1]) {
        if (!is_meant(all->at.at[k - 1], v))
            continue;
        give(shimxml_need(all->at.at[k - 1], "Performance"), v);
        found = true;
    }
    return found;
}

static bool same_or_none(const char *a, const char *b)
{
    return !a || !b || strcmp(a, b) == 0;
}

/* A new instruction needs both values, since the schema requires both. */
static const struct value *other_part(const struct table *t, const struct value *v, bool widths)
{
    size_t k = 0;
    map_get(&t->last, v->name, &k);
    for (; k; k = t->before.at[k - 1]) {
        const struct value *o = &t->values.at[k - 1];
        if (o->part != v->part && strcmp(o->name, v->name) == 0 &&
            (!widths || (same_or_none(o->input, v->input) && same_or_none(o->output, v->output))))
            return o;
    }
    return 0;
}

static enum status give_all(struct shimxml_node *unit, struct entries *all, const struct table *t, const char *path,
                            struct error *e)
{
    for (size_t i = 0; i < t->values.n; i++) {
        const struct value *v = &t->values.at[i], *other;
        if (give_all_called(all, v))
            continue;
        other = other_part(t, v, doc_of(unit)->schema == &schema2);
        if (!other)
            return error_set(e, ERR_INPUT, AT(path, v->line),
                             "'%.60s' is new in '%.60s' and has no %s: give both '%.60s' and '%.60s" IR_DEPENDENT "'",
                             v->name, shimxml_get(unit, "name"), strcmp(v->part, "Pitch") == 0 ? "Latency" : "Pitch",
                             v->name, v->name);
        if (note_is_name(v->name))
            note_make_way(unit, v->name);
        struct shimxml_node *n = instruction_add(unit_instructions(unit), v->name, v->input, v->output);
        give(shimxml_need(n, "Performance"), v);
        give(shimxml_need(n, "Performance"), other);
        add_entry(all, n);
    }
    return OK;
}

static enum status give_unit(struct shimxml_node *unit, const struct table *t, const char *path, struct error *e)
{
    struct entries all = {0};
    const struct shimxml_node *file =
        shimxml_child(shimxml_child(unit, "CommonInstructionSet"), "FunctionalUnitSetFile");
    if (file)
        return error_set(e, ERR_INPUT, AT(doc_of(unit)->path, file->line),
                         "the instructions of '%.60s' are in another file, '%.200s': import into that",
                         shimxml_get(unit, "name"), shimxml_get(file, "src") ? shimxml_get(file, "src") : "");
    for (struct shimxml_node *i = 0; (i = instruction_next(unit, i));)
        add_entry(&all, i);
    enum status s = give_all(unit, &all, t, path, e);
    map_release(&all.index);
    vec_release(&all.at);
    vec_release(&all.next);
    return s;
}

/* Doubts about one table for several cores: cores of one architecture may differ, those of different architectures
 * do. */
char *shimxml_import_doubts(const struct shimxml_doc *d, const struct shimxml_units *which)
{
    static const struct shimxml_units all = {0};
    struct map archs = {0};
    struct str text = STR_INIT;
    const struct shimxml_node *n = 0;
    while ((n = shimxml_following(shimxml_root(d), n, "MasterComponent")))
        if (unit_is(n) && unit_is_wanted(n, which ? which : &all))
            map_number(&archs, shimxml_get(n, "arch") ? shimxml_get(n, "arch") : "");
    for (size_t i = 0; archs.n > 1 && i < archs.n; i++) {
        char *arch = text_printable(archs.keys[i], TEXT_LIMIT);
        str_addf(&text, "%s%s", i ? ", " : "", arch);
        free(arch);
    }
    bool several = archs.n > 1;
    map_release(&archs);
    if (several)
        return str_detach(&text);
    str_release(&text);
    return 0;
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
    if (!s && !seals_hold(d)) /* intervals of the old values do not hold for the new ones, unless the table has both */
        intervals_of_values(d, 0, 0, which, units);
    table_release(&t);
    return s;
}
