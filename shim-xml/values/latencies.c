/* latencies.c - writes instruction values as the latency CSV of the SHIM 2.0 tools. */
#include "shim-xml/values/latencies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/key.h"
#include "base/str.h"
#include "shim-xml/document/instruction_widths.h"

/* ---- rows ---- */

/* ",32,32,1.0,0.5,2.0". Missing limits become the typical value, since the tools want all three or one. */
static void add_values(struct str *out, const struct shimxml_node *range, const char *bits)
{
    static const char *const values[] = {"typical", "best", "worst"};
    str_add(out, bits);
    for (size_t i = 0; i < 3; i++) {
        const char *value = shimxml_get(range, values[i]);
        str_addf(out, ",%s", value ? value : shimxml_get(range, "typical"));
    }
}

/* ",32,64": the instruction's own widths, else those of its most common form. */
static char *bits_of(const struct shimxml_node *i)
{
    int input, output;
    double own_input = shimxml_number(i, "inputBitWidth"), own_output = shimxml_number(i, "outputBitWidth");
    instruction_bits(instruction_name(i), &input, &output);
    return xasprintf(",%.0f,%.0f", own_input >= 0 && own_input < 1e9 ? own_input : input,
                     own_output >= 0 && own_output < 1e9 ? own_output : output);
}

static enum status check_range(const struct shimxml_node *i, const char *part, struct loc at, struct error *e)
{
    static const char *const values[] = {"best", "typical", "worst"};
    const struct shimxml_node *range = shimxml_child(shimxml_child(i, "Performance"), part);
    for (size_t k = 0; k < 3; k++) {
        const char *value = range ? shimxml_get(range, values[k]) : 0;
        if (value ? schema_bad_value(TYPE_float, value) || !isfinite(shimxml_number(range, values[k])) : k == 1)
            return error_set(e, ERR_INPUT, at, "instruction '%.60s' has no finite typical Pitch and Latency",
                             instruction_name(i));
    }
    return OK;
}

/* Names are not quoted in such a table, and their ends have a meaning. */
static enum status check_instruction(const struct shimxml_node *i, const struct shimxml_doc *d, struct error *e)
{
    const char *name = instruction_name(i);
    size_t n;
    struct loc at = AT(d->path, i->line);
    if (!*name || strpbrk(name, ",\"\r\n\t #") || ir_dependent(name, &n))
        return error_set(e, ERR_INPUT, at, "'%.60s' is a name that this table cannot hold", name);
    enum status s = check_range(i, "Pitch", at, e);
    return s ? s : check_range(i, "Latency", at, e);
}

/* ---- variables: instructions that cost the same ---- */

struct variable {
    char *pitch, *latency;   /* the rows without their names */
    VEC(const char *) names; /* borrowed */
};
struct variables {
    struct map index; /* what distinguishes them: costs, or name and widths */
    struct map names; /* of all instructions */
    VEC(struct variable) at;
};

static void add_instruction(struct variables *all, const struct shimxml_node *i, bool groups)
{
    const struct shimxml_node *p = shimxml_child(i, "Performance");
    struct str pitch = STR_INIT, latency = STR_INIT;
    char *bits = bits_of(i);
    add_values(&pitch, shimxml_child(p, "Pitch"), bits);
    add_values(&latency, shimxml_child(p, "Latency"), bits);
    char *key = groups ? xasprintf("%s\n%s", str_text(&pitch), str_text(&latency))
                       : xasprintf("%s\n%s", instruction_name(i), bits); /* of duplicates, the first */
    size_t k = all->at.n;
    bool known = map_get(&all->index, key, &k);
    if (!known) {
        map_put(&all->index, key, k);
        vec_push(&all->at, (struct variable){0});
        all->at.at[k].pitch = str_detach(&pitch);
        all->at.at[k].latency = str_detach(&latency);
    }
    if (!known || groups)
        vec_push(&all->at.at[k].names, instruction_name(i));
    map_put(&all->names, instruction_name(i), 1);
    str_release(&pitch);
    str_release(&latency);
    free(key);
    free(bits);
}

/* A name for a group that no instruction has. */
static char *name_of(const struct variables *all, size_t k)
{
    const struct variable *v = &all->at.at[k];
    if (v->names.n == 1)
        return xstrdup(v->names.at[0]);
    char *name = xasprintf("group%zu", k + 1);
    while (map_get(&all->names, name, 0)) {
        char *longer = xasprintf("%s_", name);
        free(name);
        name = longer;
    }
    return name;
}

/* Writes a row for the Pitch and one for the Latency. Performance2SHIM gives a group what its row lists, and an
 * instruction needs both. */
static void put_group(const struct variables *all, size_t k, FILE *f)
{
    static const char *const marks[] = {"", IR_DEPENDENT};
    const struct variable *v = &all->at.at[k];
    char *name = name_of(all, k);
    for (size_t m = 0; m < sizeof marks / sizeof *marks; m++) {
        fprintf(f, "%s%s", name, marks[m]);
        for (size_t i = 0; i < v->names.n; i++)
            fprintf(f, ",%s%s", v->names.at[i], marks[m]);
        fputc('\n', f);
    }
    free(name);
}

static void put_all(const struct variables *all, bool groups, FILE *f)
{
    if (groups)
        fputs("# grouping\n", f);
    for (size_t k = 0; groups && k < all->at.n; k++)
        if (all->at.at[k].names.n > 1)
            put_group(all, k, f);
    fputs("# performance\n", f);
    for (size_t k = 0; k < all->at.n; k++) {
        char *name = name_of(all, k);
        fprintf(f, "%s%s\n%s" IR_DEPENDENT "%s\n", name, all->at.at[k].pitch, name, all->at.at[k].latency);
        free(name);
    }
}

/* ---- the whole table ---- */

static enum status put_unit(const struct shimxml_node *unit, const struct shimxml_doc *d, bool groups, FILE *f,
                            struct error *e)
{
    struct variables all = {0};
    enum status s = OK;
    for (const struct shimxml_node *i = 0; !s && (i = instruction_next(unit, i));) {
        if (!instruction_name(i) || shimxml_number(i, "SIMDWidth") > 1)
            continue;
        s = check_instruction(i, d, e);
        if (!s)
            add_instruction(&all, i, groups);
    }
    if (!s)
        put_all(&all, groups, f);
    for (size_t k = 0; k < all.at.n; k++) {
        free(all.at.at[k].pitch);
        free(all.at.at[k].latency);
        vec_release(&all.at.at[k].names);
    }
    vec_release(&all.at);
    map_release(&all.index);
    map_release(&all.names);
    return s;
}

enum status latencies_put(const struct shimxml_doc *d, const struct shimxml_units *which, bool groups, FILE *f,
                          struct error *e)
{
    const struct shimxml_node *n = 0;
    while ((n = shimxml_following(shimxml_root(d), n, "MasterComponent")))
        if (unit_is(n) && unit_is_wanted(n, which) && instruction_next(n, 0))
            return put_unit(n, d, groups, f, e);
    if (which->name || which->arch || which->id)
        return unit_none(d, which, e);
    return error_set(e, ERR_INPUT, AT_FILE(d->path), "no processing unit has instruction values");
}
