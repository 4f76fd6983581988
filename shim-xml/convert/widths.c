/* widths.c - converts instructions of SHIM 1.0 to those of SHIM 2.0, by operation and width. */
#include "shim-xml/convert/widths.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "shim-xml/document/text.h"
#include "shim-xml/values/model_widths.h"
#include "shim-xml/values/units.h"

static void set_range(struct shimxml_node *performance, const char *part, const struct shimxml_range *v)
{
    struct shimxml_node *n = shimxml_child(performance, part);
    if (!n)
        return;
    shimxml_set_number(n, "best", v->best);
    shimxml_set_number(n, "typical", v->typical);
    shimxml_set_number(n, "worst", v->worst);
}

/* The unit's name: one unit for each variable of the model, dependent or not. */
static char *unit_name(const struct model *m, const struct width_value *f)
{
    const char *name = f->variable != MODEL_NONE ? m->variables[f->variable].name : "Core";
    size_t n;
    ir_dependent(name, &n);
    return xstrndup(name, n);
}

static struct shimxml_node *unit_called(const struct converting *c, struct shimxml_node *set, const char *name)
{
    struct shimxml_node *units = shimxml_child(set, "FunctionalUnitSet"), *n;
    if (!units)
        units = convert_append(c, set, "FunctionalUnitSet");
    for (n = shimxml_child(units, "FunctionalUnit"); n; n = shimxml_next(n, "FunctionalUnit"))
        if (strcmp(shimxml_get(n, "name"), name) == 0)
            return n;
    n = convert_append(c, units, "FunctionalUnit");
    shimxml_set(n, "name", name);
    return n;
}

static void add_form(struct converting *c, struct shimxml_node *set, const struct shimxml_node *from,
                     const struct width_value *f)
{
    char *unit = unit_name(c->model, f);
    struct shimxml_node *n = convert_element(c, unit_called(c, set, unit), from);
    const char *name = shimxml_get(from, "name");
    free(unit);
    shimxml_set(n, "operation", name ? name : "");
    shimxml_setf(n, "inputBitWidth", "%d", f->widths.input);
    shimxml_setf(n, "outputBitWidth", "%d", f->widths.output);
    if (f->widths.lanes)
        shimxml_setf(n, "SIMDWidth", "%d", f->widths.lanes);
    convert_children(c, n, from, "Performance", convert_tree);
    if (!f->shown) /* the file's own value, for the instruction as a whole */
        return;
    set_range(shimxml_child(n, "Performance"), "Pitch", &f->pitch);
    set_range(shimxml_child(n, "Performance"), "Latency", &f->latency);
}

static void add_instruction(struct converting *c, struct shimxml_node *set, const struct shimxml_node *from)
{
    struct width_value *forms;
    const char *name = shimxml_get(from, "name");
    size_t n = model_widths(&forms, c->model, name ? name : "");
    for (size_t i = 0; i < n; i++)
        add_form(c, set, from, &forms[i]);
    free(forms);
}

static void say_where(struct shimxml_node *set, const struct model *m)
{
    char *classes = text_printable(m->classes, 200), *solver = text_printable(m->solver, 200),
         *hash = text_printable(m->data_hash, 200);
    char *text = xasprintf(MERGE_MARK "shim-xml %s, by width, with units called as the variables of classification '%s'"
                                      " with solver '%s' on data %s. ",
                           SHIMGEN_VERSION, classes, solver, hash);
    shimxml_comment(set, 0, text);
    free(text);
    free(classes);
    free(solver);
    free(hash);
}

void widths_add_instructions(struct converting *c, struct shimxml_node *master, const struct shimxml_node *set)
{
    struct shimxml_node *n = convert_element(c, master, set);
    if (c->model)
        say_where(n, c->model);
    convert_children(c, n, set, "Instruction", add_instruction);
    convert_children(c, n, set, 0, 0);
}
