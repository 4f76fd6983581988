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

enum { WIDEST = 65536 };

/* "i64", "double", "ptr" ...; 0: it has none. */
static int bits_of_scalar(const char *type)
{
    static const struct {
        const char *name;
        int bits;
    } types[] = {{"half", 16},   {"bfloat", 16}, {"float", 32}, {"f16", 16},      {"f32", 32},
                 {"double", 64}, {"f64", 64},    {"ptr", 64},   {"x86_fp80", 80}, {"fp128", 128}};
    char *end;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(type, types[i].name) == 0)
            return types[i].bits;
    if (*type != 'i' || type[1] < '1' || type[1] > '9')
        return 0;
    unsigned long n = strtoul(type + 1, &end, 10);
    return *end || n > WIDEST ? 0 : (int)n;
}

/* The same of lists too, "v4i32", and their lanes; 0: of what is no list. */
static int bits_of(const char *type, int *lanes)
{
    char *end;
    *lanes = 0;
    if (*type != 'v' || type[1] < '1' || type[1] > '9')
        return bits_of_scalar(type);
    unsigned long n = strtoul(type + 1, &end, 10);
    unsigned long element = (unsigned long)bits_of_scalar(end);
    if (!element || n > WIDEST || n * element > WIDEST)
        return 0;
    *lanes = (int)n;
    return (int)(n * element);
}

/* What a key's type is the type of (docs/formats/profile.md): of the result, but for the first ones of the operand. */
bool shimxml_widths_of(struct shimxml_widths *out, const char *instruction, const char *type)
{
    enum { OF_OPERAND = 4 };
    static const struct {
        const char *name;
        int other;  /* bits of a lane of the other side; 0: by the type's: */
        int halves; /* so many halves of it */
    } sides[] = {{"icmp", 1, 0},    {"fcmp", 1, 0},    {"fptosi", 32, 0}, {"fptoui", 32, 0},
                 {"uitofp", 32, 0}, {"sitofp", 32, 0}, {"zext", 0, 1},    {"sext", 0, 1},
                 {"fpext", 0, 1},   {"trunc", 0, 4},   {"fptrunc", 0, 4}};
    int bits = bits_of(type, &out->lanes);
    out->input = out->output = bits;
    if (strcmp(instruction, "load") == 0)
        out->input = 64; /* an address */
    for (size_t i = 0; bits && i < sizeof sides / sizeof *sides; i++) {
        if (strcmp(sides[i].name, instruction) != 0)
            continue;
        int other = sides[i].other * (out->lanes ? out->lanes : 1) + sides[i].halves * bits / 2;
        *(i < OF_OPERAND ? &out->output : &out->input) = other ? other : 1;
    }
    return bits > 0;
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
    struct sum *s = k->dependent ? &f->latency : &f->pitch;
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
    const char *llvm = strcmp(name, "extractivalue") == 0 ? "extractvalue" : name;
    struct shimxml_widths w = {0, 0, 0};
    instruction_bits(name, &w.input, &w.output);
    form_of(forms, &w);
    for (size_t i = 0; m && i < m->n_keys; i++) {
        const struct model_key *k = &m->keys[i];
        if (k->count > 0 && strcmp(k->instruction, llvm) == 0 && shimxml_widths_of(&w, llvm, k->type))
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
    size_t n = strlen(name);
    return xstrndup(name, n > 2 && strcmp(name + n - 2, "_d") == 0 ? n - 2 : n);
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
