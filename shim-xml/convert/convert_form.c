/* convert_form.c - converts between the two forms of SHIM 2.0: that of the Editor and that of the schema. */
#include <stdlib.h>
#include <string.h>

#include "shim-xml/convert/convert.h"
#include "shim-xml/document/clocks.h"
#include "shim-xml/document/instruction_widths.h"

/* ---- to the schema's form ---- */

/* Removes the '#' from references that the schema declares as plain text. */
static void make_bare(struct shimxml_node *n)
{
    static const char *const loose[] = {"operatingPointRef", "frequencyDomainRef", "voltageDomainRef"};
    for (size_t i = 0; i < sizeof loose / sizeof *loose; i++) {
        const char *value = shimxml_get(n, loose[i]);
        if (value && *value == '#')
            shimxml_set(n, loose[i], value + 1);
    }
}

/* Gives the unit a name. Without one it is the only unit, or one of several that nothing tells apart. */
static void name_unit(struct shimxml_node *unit)
{
    size_t before = 0;
    if (shimxml_get(unit, "name"))
        return;
    for (const struct shimxml_node *n = shimxml_child(unit->parent, "FunctionalUnit"); n != unit;
         n = shimxml_next(n, "FunctionalUnit"))
        before++;
    shimxml_set(unit, "name", "Core");
    if (before)
        shimxml_setf(unit, "name", "Core_%zu", before);
}

static void say_operation(struct shimxml_node *n)
{
    int input, output;
    const char *name = instruction_name(n);
    if (!name)
        return;
    instruction_bits(name, &input, &output);
    if (!shimxml_get(n, "operation"))
        shimxml_set(n, "operation", name);
    if (!shimxml_get(n, "inputBitWidth"))
        shimxml_setf(n, "inputBitWidth", "%d", input);
    if (!shimxml_get(n, "outputBitWidth"))
        shimxml_setf(n, "outputBitWidth", "%d", output);
}

static void copy_any(struct converting *c, struct shimxml_node *parent, const struct shimxml_node *from);

static void copy_children(struct converting *c, struct shimxml_node *n, const struct shimxml_node *from)
{
    const struct schema_element *spec = n->name->spec;
    for (const struct schema_child *k = spec->children; k->name; k++)
        convert_children(c, n, from, k->name, copy_any);
    for (const struct shimxml_node *k = shimxml_child(from, 0); k; k = shimxml_next(k, 0))
        if (schema_child_rank(spec, shimxml_name(k)) == SCHEMA_NO_RANK)
            convert_leave_out_tree(c, k);
    convert_children(c, n, from, 0, 0);
}

static bool is_empty_group(const struct shimxml_node *n)
{
    return shimxml_is(n, "ContentionGroupSet") && !shimxml_child(n, "ContentionGroup");
}

static void copy_element(struct converting *c, struct shimxml_node *parent, const struct shimxml_node *from)
{
    struct shimxml_node *n = convert_element(c, parent, from);
    make_bare(n);
    copy_children(c, n, from);
    if (shimxml_is(n, "FunctionalUnit"))
        name_unit(n);
    else if (shimxml_is(n, "Instruction"))
        say_operation(n);
}

static void copy_text(struct converting *c, struct shimxml_node *parent, const struct shimxml_node *from)
{
    char *text = shimxml_text(from);
    shimxml_set_text(convert_append(c, parent, shimxml_name(from)), text);
    free(text);
}

/* The reader limits the depth. */
static void copy_any(struct converting *c, struct shimxml_node *parent, const struct shimxml_node *from)
{
    enum schema_type text = from->name->spec ? from->name->spec->text : TYPE_none;
    if (text == TYPE_IDREF && shimxml_target(from, 0))
        convert_reference(c, parent, shimxml_name(from), shimxml_target(from, 0));
    else if (text == TYPE_IDREF || text == TYPE_string)
        copy_text(c, parent, from);
    else if (shimxml_is(from, "CommunicationSet"))
        convert_communications(c, parent, from);
    else if (!is_empty_group(from))
        copy_element(c, parent, from);
}

static bool has_clocks(const struct shimxml_node *system)
{
    const struct shimxml_node *set = shimxml_child(system, "FrequencyVoltageSet");
    return set && shimxml_child(set, "FrequencyDomain") && shimxml_child(set, "OperatingPointSet");
}

/* Adds the clocks, which the schema requires. Existing ones are kept if they are sufficient. */
static void add_system(struct converting *c, struct shimxml_node *root, const struct shimxml_node *from)
{
    static const char *const before[] = {"ComponentSet", "CommunicationSet", "AddressSpaceSet"};
    struct shimxml_node *system = convert_element(c, root, from);
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        convert_children(c, system, from, before[i], copy_any);
    if (has_clocks(from)) {
        convert_children(c, system, from, "FrequencyVoltageSet", copy_any);
    } else {
        const struct shimxml_node *n = shimxml_child(from, "FrequencyVoltageSet");
        for (n = shimxml_child(n, 0); n; n = shimxml_next(n, 0))
            convert_leave_out_tree(c, n);
        vec_push(&c->clocks, clock_of(shimxml_root(c->from)));
        convert_add_frequencies(c, system);
    }
    convert_children(c, system, from, "ContentionGroupSet", copy_any);
    convert_children(c, system, from, 0, 0);
}

static void add_root(struct converting *c, struct shimxml_node *top, const struct shimxml_node *from)
{
    struct shimxml_node *root = convert_root_of_two(c, top, from);
    for (const struct schema_child *k = root->name->spec->children; k->name; k++)
        convert_children(c, root, from, k->name, strcmp(k->name, "SystemConfiguration") == 0 ? add_system : copy_any);
    for (const struct shimxml_node *k = shimxml_child(from, 0); k; k = shimxml_next(k, 0))
        if (schema_child_rank(root->name->spec, shimxml_name(k)) == SCHEMA_NO_RANK)
            convert_leave_out_tree(c, k);
    convert_children(c, root, from, 0, 0);
}

void convert_to_schema(struct converting *c)
{
    convert_children(c, &c->to->top, &c->from->top, schema2.root, add_root);
    convert_children(c, &c->to->top, &c->from->top, 0, 0);
}

/* ---- to the form that the Editor loads ---- */

/* The Editor's model does not have it, and the Editor stops loading. */
static bool stops_editor(const struct shimxml_node *n)
{
    return shimxml_is(n, "CustomInstruction") || shimxml_is(n, "VendorExtension") ||
           shimxml_is(n, "PowerConsumerRef") || (shimxml_is(n, "Instruction") && shimxml_number(n, "SIMDWidth") > 1);
}

static void say_left_out(struct converting *c, const struct shimxml_node *n)
{
    if (shimxml_is(n, "Instruction"))
        convert_leave_out(c, "Instruction on vectors: the SHIM Editor knows no SIMDWidth");
    else
        convert_leave_out_tree(c, n);
}

static void mark_reference(struct shimxml_node *n, const char *attribute, const char *id)
{
    shimxml_setf(n, attribute, "#%s", id);
}

static struct shimxml_node *add_set(const struct shimxml_doc *d, struct shimxml_node *all,
                                    const struct shimxml_node *point)
{
    const char *name = shimxml_get(point, "name"), *id = shimxml_get(point, "id");
    struct str own = STR_INIT;
    str_addf(&own, "%s_Set", id ? id : "OperatingPoint");
    while (shimxml_by_id(d, str_text(&own)))
        str_addch(&own, '_');
    struct shimxml_node *set = shimxml_add(all, "OperatingPointSet");
    shimxml_set(set, "name", name ? name : str_text(&own));
    shimxml_set(set, "id", str_text(&own));
    str_release(&own);
    return set;
}

/* The Editor refers to a set of points, of which the first counts. So any other point gets a set of its own. */
static struct shimxml_node *set_of(const struct shimxml_doc *d, struct shimxml_node *point)
{
    struct shimxml_node *set = shimxml_parent(point);
    if (!shimxml_is(set, "OperatingPointSet") || shimxml_child(set, "OperatingPoint") == point)
        return set;
    set = add_set(d, shimxml_parent(set), point);
    shimxml_remove(point);
    struct shimxml_node *copy = shimxml_add(set, "OperatingPoint");
    const char *value = 0, *name;
    for (size_t i = 0; (name = shimxml_attribute(point, i, &value)); i++)
        shimxml_set(copy, name, value);
    return set;
}

static const char *id_of_reference(const struct shimxml_doc *d, const char *attribute, const char *value)
{
    struct shimxml_node *target = shimxml_by_id(d, value);
    if (strcmp(attribute, "operatingPointRef") == 0 && shimxml_is(target, "OperatingPoint"))
        target = set_of(d, target);
    return target && shimxml_get(target, "id") ? shimxml_get(target, "id") : value;
}

static void mark_references(const struct shimxml_doc *d, struct shimxml_node *n)
{
    for (size_t i = 0; i < n->n_attributes; i++) {
        const struct attribute *a = &n->u.attributes[i];
        if (a->name->reference && a->name->plain && *a->value != '#')
            mark_reference(n, a->name->local, id_of_reference(d, a->name->local, a->value));
    }
    if (n->name->spec && n->name->spec->text == TYPE_IDREF) {
        char *id = shimxml_text(n), *marked = xasprintf("#%s", id);
        shimxml_set_text(n, marked);
        free(id);
        free(marked);
    }
}

static void change(const struct shimxml_doc *d, struct shimxml_node *n)
{
    mark_references(d, n);
    if (shimxml_number(n, "size") > 0)
        convert_fit_size(n);
    if (shimxml_is(n, "SubSpace"))
        shimxml_need(n, "MasterSlaveBindingSet");
    if (!shimxml_is(n, "Instruction"))
        return;
    shimxml_set(n, "name", instruction_name(n));
    shimxml_set(n, "operation", 0); /* it is a number in the Editor's model */
    shimxml_set(n, "SIMDWidth", 0);
}

void convert_to_editors(struct converting *c)
{
    struct shimxml_node *root = shimxml_root(c->to), *system = shimxml_child(root, "SystemConfiguration");
    VEC(struct shimxml_node *) all = {0};
    for (struct shimxml_node *n = shimxml_following(root, 0, 0); n; n = shimxml_following(root, n, 0))
        if (stops_editor(n))
            vec_push(&all, n);
    for (size_t i = 0; i < all.n; i++) {
        say_left_out(c, all.at[i]);
        shimxml_remove(all.at[i]);
    }
    vec_release(&all);
    if (system)
        shimxml_need(system, "AddressSpaceSet");
    for (struct shimxml_node *n = shimxml_following(root, 0, 0); n; n = shimxml_following(root, n, 0))
        change(c->to, n);
}
