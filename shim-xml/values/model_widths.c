/* model_widths.c - operand widths of keys, and what a model says about an instruction by width. */
#include "shim-xml/values/model_widths.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "shim-xml/document/instruction_widths.h"

/* ---- widths of types ---- */

enum { WIDEST = 65536, OF_POINTER = 64 };

/* Bits of a lane; 0: none that SHIM can express. */
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

/* ---- an instruction by width ---- */

struct sum {
    double count;
    struct shimxml_range value;
};
struct form {
    struct shimxml_widths widths;
    struct sum pitch, latency;
    double most;     /* count of the most common key */
    size_t variable; /* the variable of that key */
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

/* Finds the forms of a name, the most common first, even if the model has no value for it. */
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

/* If a width only has values of one kind, dependent or not, they stand for both, as in merge. */
static struct shimxml_range mean_of(const struct sum *own, const struct sum *twin)
{
    const struct sum *s = own->count > 0 ? own : twin;
    if (!(s->count > 0))
        return (struct shimxml_range){0, 0, 0};
    return (struct shimxml_range){s->value.best / s->count, s->value.typical / s->count, s->value.worst / s->count};
}

size_t model_widths(struct width_value **out, const struct model *m, const char *name)
{
    forms_t forms = {0};
    VEC(struct width_value) values = {0};
    find_forms(&forms, m, name);
    for (size_t i = 0; i < forms.n; i++) {
        const struct form *f = &forms.at[i];
        vec_push(&values,
                 (struct width_value){f->widths, f->pitch.count > 0 || f->latency.count > 0,
                                      mean_of(&f->pitch, &f->latency), mean_of(&f->latency, &f->pitch), f->variable});
    }
    vec_release(&forms);
    *out = values.at;
    return values.n;
}
