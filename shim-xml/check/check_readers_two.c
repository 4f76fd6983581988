/* check_readers_two.c - rule by rule: can the published tools for SHIM 2.0 work with a document? */
#include <stdlib.h>
#include <string.h>

#include "shim-xml/check/check_readers.h"
#include "shim-xml/document/clocks.h"

enum reader_rule {
#define READER(id, severity, name, wants, otherwise) id,
#include "shim-xml/check/readers2.def"
#undef READER
    READERS
};

static const struct shimxml_verdict rules[READERS] = {
#define READER(id, severity, name, wants, otherwise) {name, severity, wants, otherwise, 0, 0, 0},
#include "shim-xml/check/readers2.def"
#undef READER
};

static const char *const known[READERS] = {
    [TWO_SCHEMA] = SCHEMA_RULES,
    [TWO_FORM] = "root namespace editor-form",
    [TWO_REFERENCES] = "dangling-reference reference-kind",
};

static void check_core(struct shimxml_verdict *v, const struct shimxml_node *n, bool *unit)
{
    const char *type = shimxml_get(n, "masterType");
    const struct shimxml_node *point = shimxml_target(n, "operatingPointRef");
    if (!type || strcmp(type, "PU") != 0)
        return;
    *unit = true;
    if (!shimxml_is(point, "OperatingPoint") || !(clock_of(point) > 0))
        readers_break(&v[TWO_FREQUENCY], shimxml_line(n),
                      point ? "its OperatingPoint has no frequency" : "it names no OperatingPoint");
}

static void check_units(struct shimxml_verdict *v, const struct shimxml_node *n)
{
    const struct shimxml_node *first = shimxml_child(n, "FunctionalUnit");
    if (first && shimxml_next(first, "FunctionalUnit"))
        readers_break(v, shimxml_line(n), "several FunctionalUnits");
}

static void check_part(struct shimxml_verdict *v, const struct shimxml_node *n)
{
    static const char *const parts[] = {"CustomInstruction", "VendorExtension", "PowerConsumerRef"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (shimxml_is(n, parts[i]))
            readers_break(v, shimxml_line(n), parts[i]);
    if (shimxml_get(n, "SIMDWidth"))
        readers_break(v, shimxml_line(n), "SIMDWidth");
}

static bool is_bare(const struct shimxml_node *n)
{
    const char *value = 0;
    for (size_t i = 0; shimxml_attribute(n, i, &value); i++)
        if (*value == '#')
            return false;
    char *text = n->has_text ? shimxml_text(n) : 0;
    bool bare = !text || *text != '#';
    free(text);
    return bare;
}

static void look(struct shimxml_verdict *v, const struct shimxml_node *n, bool *unit)
{
    if (!is_bare(n))
        readers_break(&v[TWO_REFERENCES], shimxml_line(n), "a reference that is not a bare id");
    if (shimxml_is(n, "MasterComponent"))
        check_core(v, n, unit);
    else if (shimxml_is(n, "FunctionalUnitSet"))
        check_units(&v[TWO_UNITS], n);
    else if (shimxml_is(n, "CustomInstruction"))
        readers_break(&v[TWO_UNITS], shimxml_line(n), "CustomInstruction");
    else if (shimxml_is(n, "Instruction") && shimxml_get(n, "operation"))
        readers_break(&v[TWO_OPERATION], shimxml_line(n), "an operation");
    else if (shimxml_is(n, "SubSpace") && !shimxml_child(n, "MasterSlaveBindingSet"))
        readers_break(&v[TWO_SPACES], shimxml_line(n), "a SubSpace without a MasterSlaveBindingSet");
    if (shimxml_number(n, "size") > INT32_MAX)
        readers_break(&v[TWO_SIZES], shimxml_line(n), shimxml_get(n, "size"));
    check_part(&v[TWO_PARTS], n);
}

void readers_check_two(const struct shimxml_doc *d, struct shimxml_verdicts *out)
{
    const struct shimxml_node *root = shimxml_root(d);
    bool unit = false;
    *out = (struct shimxml_verdicts){.at = xmemdup(rules, sizeof rules), .n = READERS};
    readers_take_findings(out->at, READERS, known, d);
    for (const struct shimxml_node *n = root; n; n = shimxml_following(root, n, 0))
        look(out->at, n, &unit);
    if (!unit)
        readers_break(&out->at[TWO_UNIT], shimxml_line(root), "there is none");
    if (!shimxml_following(root, 0, "AddressSpaceSet"))
        readers_break(&out->at[TWO_SPACES], shimxml_line(root), "there is no AddressSpaceSet");
}
