/* merge_two.c - merges the values of a fitted model into the instructions of SHIM 2.0, width by width. */
#include "shim-xml/values/merge_two.h"

#include <stdlib.h>
#include <string.h>

#include "shim-xml/document/instruction_widths.h"
#include "shim-xml/values/model_widths.h"

static void set_range(struct shimxml_node *performance, const char *which, const struct shimxml_range *v)
{
    struct shimxml_node *n = shimxml_need(performance, which);
    shimxml_set_number(n, "best", v->best);
    shimxml_set_number(n, "typical", v->typical);
    shimxml_set_number(n, "worst", v->worst);
}

/* A new instruction gets both, since the schema requires both. */
static void set_values(struct shimxml_node *instruction, const struct shimxml_range *pitch,
                       const struct shimxml_range *latency, const struct shimxml_units *which)
{
    bool is_new = !shimxml_child(instruction, "Performance");
    struct shimxml_node *performance = shimxml_need(instruction, "Performance");
    if (is_new || unit_part_is_wanted(which, "Pitch"))
        set_range(performance, "Pitch", pitch);
    if (is_new || unit_part_is_wanted(which, "Latency"))
        set_range(performance, "Latency", latency);
}

static struct shimxml_node *first_unit(struct shimxml_node *set)
{
    struct shimxml_node *units = shimxml_need(set, "FunctionalUnitSet"), *unit = shimxml_child(units, "FunctionalUnit");
    if (unit)
        return unit;
    unit = shimxml_add(units, "FunctionalUnit");
    shimxml_set(unit, "name", "Core");
    return unit;
}

static struct shimxml_node *add_instruction(struct shimxml_node *set, const char *name, const struct shimxml_widths *w)
{
    struct shimxml_node *n = shimxml_add(first_unit(set), "Instruction");
    shimxml_set(n, "name", name);
    shimxml_set(n, "operation", name);
    shimxml_setf(n, "inputBitWidth", "%d", w->input);
    shimxml_setf(n, "outputBitWidth", "%d", w->output);
    if (w->lanes)
        shimxml_setf(n, "SIMDWidth", "%d", w->lanes);
    return n;
}

/* ---- one name ---- */

static bool has_widths(const struct shimxml_node *i, const struct shimxml_widths *w)
{
    double lanes = shimxml_number(i, "SIMDWidth");
    return shimxml_number(i, "inputBitWidth") == w->input && shimxml_number(i, "outputBitWidth") == w->output &&
           (lanes > 1 ? lanes == w->lanes : w->lanes <= 1);
}

/* The instructions of a set by name, since there are many. */
struct present {
    struct map index; /* name -> 1 + its first instruction */
    VEC(struct shimxml_node *) at;
    VEC(size_t) next; /* 1 + the next one of the same name; 0: none */
};

static void take_present(struct present *p, struct shimxml_node *set)
{
    for (struct shimxml_node *i = 0; (i = shimxml_following(set, i, "Instruction"));) {
        size_t first = 0;
        if (!instruction_name(i))
            continue;
        map_get(&p->index, instruction_name(i), &first);
        vec_push(&p->at, i);
        vec_push(&p->next, first);
        map_put(&p->index, instruction_name(i), p->at.n);
    }
}

static bool fill_form(const struct present *p, size_t first, const struct width_value *v,
                      const struct shimxml_units *which)
{
    bool found = false;
    for (size_t k = first; k; k = p->next.at[k - 1]) {
        if (!has_widths(p->at.at[k - 1], &v->widths))
            continue;
        set_values(p->at.at[k - 1], &v->pitch, &v->latency, which);
        found = true;
    }
    return found;
}

/* Values for all widths first, then those of widths that programs have shown. */
static void merge_name(struct shimxml_node *set, const struct present *p, const struct model *m,
                       const struct merged_values *values, size_t k, const struct shimxml_units *which)
{
    const char *name = ir_listed(k)->name;
    struct width_value *forms;
    size_t first = 0, n = model_widths(&forms, m, name);
    map_get(&p->index, name, &first);
    for (size_t i = first; i; i = p->next.at[i - 1])
        if (!(shimxml_number(p->at.at[i - 1], "SIMDWidth") > 1))
            set_values(p->at.at[i - 1], &values->pitch[k], &values->latency[k], which);
    if (!first && !forms[0].shown) /* a name without any instruction gets its most common form */
        set_values(add_instruction(set, name, &forms[0].widths), &values->pitch[k], &values->latency[k], which);
    for (size_t i = 0; i < n; i++)
        if (forms[i].shown && !fill_form(p, first, &forms[i], which))
            set_values(add_instruction(set, name, &forms[i].widths), &forms[i].pitch, &forms[i].latency, which);
    free(forms);
}

enum status merge_two(struct shimxml_node *set, const struct model *m, const struct merged_values *values,
                      const struct shimxml_units *which, struct error *e)
{
    const struct shimxml_node *file = shimxml_child(set, "FunctionalUnitSetFile");
    struct present p = {0};
    if (file)
        return error_set(e, ERR_INPUT, AT(doc_of(set)->path, file->line),
                         "the instructions are in another file, '%.200s': a model is merged into instructions that are "
                         "in the description",
                         shimxml_get(file, "src") ? shimxml_get(file, "src") : "");
    take_present(&p, set);
    for (size_t k = 0; k < IR_LISTED; k++)
        merge_name(set, &p, m, values, k, which);
    map_release(&p.index);
    vec_release(&p.at);
    vec_release(&p.next);
    return OK;
}
