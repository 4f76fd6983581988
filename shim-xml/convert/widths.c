/* widths.c - operand widths of instructions, and SHIM 2.0's instructions by operation and width. */
#include "shim-xml/convert/widths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "shim-xml/document/instructions.h"
#include "shim-xml/document/text.h"
#include "shim-xml/values/units.h"

/* ---- widths of types ---- */

enum { WIDEST = 65536, OF_POINTER = 64 };

/* Bits of a lane; 0: it has none that SHIM can say. */
static unsigned bits_of(const struct ir_type *t)
{
    unsigned bits = t->kind == IR_TYPE_POINTER ? OF_POINTER : t->bits;
    bool fits = !t->scalable && bits <= WIDEST && (unsigned long)bits * (t->lanes ? t->lanes : 1) <= WIDEST;
    return fits ? bits : 0;
}

static void find_widths(struct shimxml_widths *out, const struct ir_key *key)
{
    const struct ir_instruction *in = ir_instruction(key->opcode);
    int lanes = key->type.lanes ? (int)key->type.lanes : 1, bits = (int)bits_of(&key->type) * lanes;
    int halves = in->other.bits || in->other.halves ? in->other.halves : 2;
    int other = in->other.bits * lanes + halves * bits / 2;
    other = other ? other : 1;
    *out = (struct shimxml_widths){.lanes = (int)key->type.lanes,
                                   .input = in->other.result ? bits : other,
                                   .output = in->other.result ? other : bits};
    if (key->opcode == IR_LOAD)
        out->input = OF_POINTER; /* an address */
}

bool shimxml_widths_of(struct shimxml_widths *out, const char *key)
{
    struct ir_key k = ir_key(key);
    if (!bits_of(&k.type) || k.name)
        return false;
    find_widths(out, &k);
    return true;
}

/* ---- what a model says of an instruction, by width ---- */

struct sum {
    double count;
    struct shimxml_range value;
};
struct form {
    struct shimxml_widths widths;
    struct sum pitch, latency;
    double most;     /* count of the commonest key */
    size_t variable; /* of that */
};
typedef VEC(struct form) forms_t;

static struct form *form_of(forms_t *forms, const struct shimxml_widths *w)
{
    for (size_t i = 0; i < forms->n; i++)
        if (memcmp(&forms->at[i].widths, w, sizeof *w) == 0)
            return &forms->at[i];
    vec_push(forms, (struct form){.widths = *w, .variable = MODEL_NONE});
    return &forms->at[forms->n - 1];
}

static void add_key(struct form *f, const struct model_key *k)
{
    struct sum *s = k->key.dependent ? &f->latency : &f->pitch;
    s->count += k->count;
    s->value.best += k->count * k->value.best;
    s->value.typical += k->count * k->value.typical;
    s->value.worst += k->count * k->value.worst;
    if (k->count > f->most) {
        f->most = k->count;
        f->variable = k->variable;
    }
}

/* The commonest form first, though the model may have nothing of it. */
static void find_forms(forms_t *forms, const struct model *m, const char *name)
{
    enum ir_opcode opcode = ir_opcode(name, strlen(name));
    struct shimxml_widths w = {0, 0, 0};
    instruction_bits(name, &w.input, &w.output);
    form_of(forms, &w);
    for (size_t i = 0; m && i < m->n_keys; i++) {
        const struct model_key *k = &m->keys[i];
        if (k->count > 0 && opcode && k->key.opcode == opcode && shimxml_widths_of(&w, k->text))
            add_key(form_of(forms, &w), k);
    }
}

/* ---- into the document ---- */

/* Of a width that has values of one kind only, dependent or not, they stand for both, as in merge; of one that has none
 * the file's of the instruction as a whole stay. */
static void set_range(struct shimxml_node *performance, const char *part, const struct sum *own, const struct sum *twin)
{
    struct shimxml_node *n = shimxml_child(performance, part);
    const struct sum *s = own->count > 0 ? own : twin;
    if (!n || !(s->count > 0))
        return;
    shimxml_set_number(n, "best", s->value.best / s->count);
    shimxml_set_number(n, "typical", s->value.typical / s->count);
    shimxml_set_number(n, "worst", s->value.worst / s->count);
}

/* A unit for each variable of the model, whether dependent or not. */
static char *unit_name(const struct model *m, const struct form *f)
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
                     const struct form *f)
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
    set_range(shimxml_child(n, "Performance"), "Pitch", &f->pitch, &f->latency);
    set_range(shimxml_child(n, "Performance"), "Latency", &f->latency, &f->pitch);
}

static void add_instruction(struct converting *c, struct shimxml_node *set, const struct shimxml_node *from)
{
    forms_t forms = {0};
    const char *name = shimxml_get(from, "name");
    find_forms(&forms, c->model, name ? name : "");
    for (size_t i = 0; i < forms.n; i++)
        add_form(c, set, from, &forms.at[i]);
    vec_release(&forms);
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
