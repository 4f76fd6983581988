/* units.c - selects processing units by name, architecture and id. */
#include "shim-xml/values/units.h"

#include <string.h>

#include "base/str.h"

bool unit_is(const struct shimxml_node *n)
{
    const char *type = shimxml_is(n, "MasterComponent") ? shimxml_get(n, "masterType") : 0;
    return type && strcmp(type, "PU") == 0 && shimxml_get(n, "name");
}

static bool fits(const char *glob, const char *text)
{
    return !glob || glob_match(glob, text ? text : "");
}

bool unit_is_wanted(const struct shimxml_node *unit, const struct shimxml_units *which)
{
    return fits(which->name, shimxml_get(unit, "name")) && fits(which->arch, shimxml_get(unit, "arch")) &&
           fits(which->id, shimxml_get(unit, "id"));
}

bool unit_part_is_wanted(const struct shimxml_units *which, const char *part)
{
    return !which->only || strcmp(which->only, part) == 0;
}

/* Lists what exists: the units' names, and with `which` also their architectures and ids. */
static void list_units(struct str *out, const struct shimxml_node *root, const struct shimxml_units *which)
{
    const struct shimxml_node *n = 0;
    while (out->len < 500 && (n = shimxml_following(root, n, "MasterComponent"))) {
        if (!unit_is(n))
            continue;
        const char *arch = which->arch ? shimxml_get(n, "arch") : 0, *id = which->id ? shimxml_get(n, "id") : 0;
        str_addf(out, "%s%.60s", out->len ? ", " : "", shimxml_get(n, "name"));
        if (arch)
            str_addf(out, " (%.60s)", arch);
        if (id)
            str_addf(out, " [%.60s]", id);
    }
}

enum status unit_none(const struct shimxml_doc *d, const struct shimxml_units *which, struct error *e)
{
    struct str units = STR_INIT, wanted = STR_INIT;
    list_units(&units, shimxml_root(d), which);
    if (which->name)
        str_addf(&wanted, " %snamed '%s'", which->arch ? "" : "is ", which->name);
    if (which->id)
        str_addf(&wanted, "%s %s the id '%s'", which->name ? " and" : "", which->arch ? "with" : "has", which->id);
    enum status s;
    if (!units.len)
        s = error_set(e, ERR_INPUT, AT_FILE(d->path), "there is no processing unit (MasterComponent of masterType PU)");
    else if (!which->arch)
        s = error_set(e, ERR_INPUT, AT_FILE(d->path), "no processing unit%s; there are: %s", str_text(&wanted),
                      str_text(&units));
    else
        s = error_set(e, ERR_INPUT, AT_FILE(d->path), "no processing unit%s has the architecture '%s'; there are: %s",
                      str_text(&wanted), which->arch, str_text(&units));
    str_release(&units);
    str_release(&wanted);
    return s;
}

struct shimxml_node *unit_instructions(struct shimxml_node *unit)
{
    struct shimxml_node *set = shimxml_child(unit, "CommonInstructionSet");
    if (set)
        return set;
    set = shimxml_add(unit, "CommonInstructionSet");
    shimxml_set(set, "name", "LLVM Instructions");
    return set;
}

void unit_comment(struct shimxml_node *set, const char *text, const struct shimxml_units *which)
{
    for (struct shimxml_node *n = which->only ? 0 : set->first, *next; n; n = next) {
        next = n->next;
        if (n->type == NODE_COMMENT && strncmp(n->u.text, MERGE_MARK, strlen(MERGE_MARK)) == 0)
            shimxml_remove(n);
    }
    shimxml_comment(set, set->first, text);
}

void shimxml_say_source(struct shimxml_doc *d, const char *text, const struct shimxml_units *which)
{
    static const struct shimxml_units all = {0};
    static const char indent[] = "                         "; /* column after the mark, where sets usually stand */
    struct shimxml_node *root = shimxml_root(d);
    struct str comment = STR_INIT;
    str_add(&comment, MERGE_MARK);
    for (const char *at = text; *at; at++)
        str_addf(&comment, "%c%s", *at, *at == '\n' ? indent : "");
    str_add(&comment, " ");
    for (struct shimxml_node *n = shimxml_following(root, 0, 0); n; n = shimxml_following(root, n, 0))
        if (unit_is(n) && unit_is_wanted(n, which ? which : &all))
            unit_comment(unit_instructions(n), str_text(&comment), which ? which : &all);
    str_release(&comment);
}

static void copy_range(struct shimxml_node *to, const struct shimxml_node *from, const char *part)
{
    static const char *const values[] = {"best", "typical", "worst"};
    struct shimxml_node *n = shimxml_need(to, part);
    const struct shimxml_node *given = shimxml_child(from, part);
    for (size_t i = 0; given && i < 3; i++)
        shimxml_set(n, values[i], shimxml_get(given, values[i]));
}

void unit_copy_values(struct shimxml_node *to, const struct shimxml_node *from, const struct shimxml_units *which)
{
    bool is_new = !shimxml_child(to, 0);
    if (is_new || unit_part_is_wanted(which, "Pitch"))
        copy_range(to, from, "Pitch");
    if (is_new || unit_part_is_wanted(which, "Latency"))
        copy_range(to, from, "Latency");
}
