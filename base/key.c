/* key.c - keys of instructions: the one parser of them, and of the types in them. */
#include "base/key.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"

/* ---- types ---- */

enum { MOST_BITS = 1 << 23 }; /* LLVM's widest integer */

static const struct {
    const char *name, *in_vector;
    enum ir_type_kind kind;
    unsigned bits;
} scalars[] = {{"half", "f16", IR_TYPE_FLOAT, 16},     {"bfloat", "bf16", IR_TYPE_BFLOAT, 16},
               {"float", "f32", IR_TYPE_FLOAT, 32},    {"double", "f64", IR_TYPE_FLOAT, 64},
               {"x86_fp80", "f80", IR_TYPE_FLOAT, 80}, {"fp128", "f128", IR_TYPE_FLOAT, 128},
               {"ppc_fp128", NULL, IR_TYPE_PAIR, 128}, {"ptr", "ptr", IR_TYPE_POINTER, 0},
               {"agg", NULL, IR_TYPE_AGGREGATE, 0}};

static bool is(const char *word, const char *text, size_t n)
{
    return word && strncmp(word, text, n) == 0 && !word[n];
}

/* Reads a number of at most n characters that starts at 1 and has no leading zeros. 0: there is none. */
static unsigned number(const char *text, size_t n, unsigned most, size_t *length)
{
    unsigned value = 0;
    *length = 0;
    if (!n || *text == '0')
        return 0;
    for (; *length < n && text[*length] >= '0' && text[*length] <= '9'; ++*length) {
        value = value * 10 + (unsigned)(text[*length] - '0');
        if (value > most)
            return 0;
    }
    return value;
}

static struct ir_type scalar(const char *text, size_t n)
{
    size_t length;
    if (n > 1 && *text == 'i') {
        unsigned bits = number(text + 1, n - 1, MOST_BITS, &length);
        if (bits && length == n - 1)
            return (struct ir_type){.kind = IR_TYPE_INTEGER, .bits = bits};
    }
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++)
        if (is(scalars[i].name, text, n) || is(scalars[i].in_vector, text, n))
            return (struct ir_type){.kind = scalars[i].kind, .bits = scalars[i].bits};
    return (struct ir_type){.kind = n ? IR_TYPE_OTHER : IR_TYPE_NONE};
}

struct ir_type ir_type(const char *text, size_t n)
{
    bool scalable = n > 3 && memcmp(text, "nxv", 3) == 0;
    size_t before = scalable ? 3 : 1, length = 0;
    unsigned lanes =
        n > before && (scalable || *text == 'v') ? number(text + before, n - before, MOST_BITS, &length) : 0;
    if (!lanes)
        return scalar(text, n);
    struct ir_type t = scalar(text + before + length, n - before - length);
    if (t.kind == IR_TYPE_NONE || t.kind == IR_TYPE_OTHER || t.kind == IR_TYPE_AGGREGATE)
        return (struct ir_type){.kind = IR_TYPE_OTHER};
    t.lanes = lanes;
    t.scalable = scalable;
    return t;
}

static char *scalar_text(const struct ir_type *t)
{
    if (t->kind == IR_TYPE_INTEGER)
        return xasprintf("i%u", t->bits);
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++) {
        const char *name = t->lanes ? scalars[i].in_vector : scalars[i].name;
        if (name && scalars[i].kind == t->kind && scalars[i].bits == t->bits)
            return xstrdup(name);
    }
    return NULL;
}

char *ir_type_text(const struct ir_type *t)
{
    char *element = scalar_text(t);
    if (!element || !t->lanes)
        return element;
    char *text = xasprintf("%s%u%s", t->scalable ? "nxv" : "v", t->lanes, element);
    free(element);
    return text;
}

/* ---- keys ---- */

static const char *const forms[] = {
    [IR_PLAIN] = "",           [IR_CONDITIONAL] = "cond",  [IR_UNCONDITIONAL] = "uncond",
    [IR_DIRECT] = "direct",    [IR_INDIRECT] = "indirect", [IR_ASM] = "asm",
    [IR_LIBRARY] = "library.", [IR_INTRINSIC] = "llvm."};
enum { FORMS = sizeof forms / sizeof *forms };

const char *ir_form_word(enum ir_form form)
{
    return forms[form];
}

/* The form of the instruction by the text after its opcode. A word of `forms` that ends in '.' must be followed by a
 * name. */
static enum ir_form form_of(enum ir_class class, const char *rest, size_t n)
{
    int first = class == IR_CLASS_CALL ? IR_DIRECT : IR_CONDITIONAL, end = class == IR_CLASS_CALL ? FORMS : IR_DIRECT;
    for (int i = first; i < end; i++) {
        size_t k = strlen(forms[i]);
        bool named = forms[i][k - 1] == '.';
        if (n >= k && memcmp(rest, forms[i], k) == 0 && (n > k) == named)
            return (enum ir_form)i;
    }
    return IR_PLAIN;
}

/* Parses "fma.double". If the last part is a type, it is not part of the name. */
static void parse_name(struct ir_key *k, const char *name, size_t n)
{
    k->name = name;
    k->n_name = n;
    const char *dot = k->form == IR_INTRINSIC ? memrchr(name, '.', n) : NULL;
    if (!dot)
        return;
    struct ir_type type = ir_type(dot + 1, (size_t)(name + n - dot - 1));
    if (type.kind == IR_TYPE_NONE || type.kind == IR_TYPE_OTHER)
        return;
    k->type = type;
    k->n_name = (size_t)(dot - name);
}

struct ir_key ir_key(const char *text)
{
    struct ir_key k = {.text = text};
    k.dependent = ir_dependent(text, &k.n_key);
    size_t dot = strcspn(text, ".");
    k.n_instruction = dot < k.n_key ? dot : k.n_key;
    k.opcode = ir_opcode(text, k.n_instruction);
    k.class = ir_instruction(k.opcode)->class;
    const char *rest = text + k.n_instruction + (dot < k.n_key);
    size_t n = (size_t)(text + k.n_key - rest);
    if (k.class == IR_CLASS_CALL || k.opcode == IR_BR)
        k.form = form_of(k.class, rest, n);
    else
        k.type = ir_type(rest, n);
    if (k.form >= IR_LIBRARY)
        parse_name(&k, rest + strlen(forms[k.form]), n - strlen(forms[k.form]));
    if (k.form == IR_INTRINSIC)
        k.class = ir_intrinsic_class(k.name, k.n_name);
    return k;
}

struct ir_key *ir_keys(char *const *texts, size_t n)
{
    struct ir_key *keys = xcalloc(n, sizeof *keys);
    for (size_t i = 0; i < n; i++)
        keys[i] = ir_key(texts[i]);
    return keys;
}

const enum ir_opcode *ir_key_does(const struct ir_key *k)
{
    return ir_does(k->opcode, k->form == IR_INTRINSIC ? k->name : NULL, k->n_name);
}

char *ir_key_plain(const struct ir_key *k)
{
    return xstrndup(k->text, k->n_key);
}

char *ir_key_instruction(const struct ir_key *k)
{
    return xstrndup(k->text, k->n_instruction);
}

char *ir_key_rest(const struct ir_key *k)
{
    size_t from = k->n_instruction + (k->n_instruction < k->n_key);
    return xstrndup(k->text + from, k->n_key - from);
}

/* ---- names ---- */

bool ir_dependent(const char *name, size_t *n)
{
    size_t length = strlen(name), mark = strlen(IR_DEPENDENT);
    bool dependent = length > mark && strcmp(name + length - mark, IR_DEPENDENT) == 0;
    *n = length - (dependent ? mark : 0);
    return dependent;
}

char *ir_marked(const char *name, size_t n, bool dependent)
{
    return xasprintf("%.*s%s", (int)n, name, dependent ? IR_DEPENDENT : "");
}

unsigned ir_key_branches(const struct ir_key *k)
{
    if (k->opcode == IR_SWITCH)
        return IR_SWITCH_BRANCHES;
    return k->form == IR_CONDITIONAL || k->form == IR_INDIRECT || k->opcode == IR_INDIRECTBR;
}

char *ir_library_key(const char *function)
{
    return xasprintf("%s.%s%s", ir_instruction(IR_CALL)->name, forms[IR_LIBRARY], function);
}

char *ir_call_key(const struct ir_key *k, enum ir_form form)
{
    return xasprintf("%s.%s%.*s", ir_instruction(IR_CALL)->name, forms[form], (int)k->n_name, k->name);
}

char *ir_library_key_of(const struct ir_key *k)
{
    if (k->opcode != IR_CALL || k->form != IR_INTRINSIC)
        return NULL;
    const char *dot = memchr(k->name, '.', k->n_name);
    size_t n = dot ? (size_t)(dot - k->name) : k->n_name;
    bool single = !dot && k->type.kind == IR_TYPE_FLOAT && k->type.bits == 32 && !k->type.lanes;
    char *function = xasprintf("%.*s%s", (int)n, k->name, single ? "f" : "");
    char *key = ir_library_key(function);
    free(function);
    return key;
}
