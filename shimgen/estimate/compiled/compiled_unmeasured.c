/* compiled_unmeasured.c - finds instructions whose figures nobody measured, step by step, and names them. */
#include "shimgen/estimate/compiled/compiled_unmeasured.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "irprof/codegen/mnemonic.h"
#include "sim/core/wide.h"

/* Largest number that the note names, if they have a relevant share of the executed instructions or of the cycles. The
 * others are summarised; JSON has all of them. */
enum { NAMED = 10 };
static const double worth_a_name = 0.001;

/* ---- which ones ---- */

/* Does the class lack figures? In a file that was measured, or made from another model, a class that is `like` another
 * one has none of its own; in a handwritten file, `like` is a figure. [unknown] figures are unknown in any file. */
static bool lacks(const struct iss_model *m, enum iss_class c)
{
    bool found = m->origin.source || m->origin.measured;
    return c == ISS_UNKNOWN || m->assumed[c] || m->like[c] == 1 + ISS_UNKNOWN || (m->like[c] && found);
}

/* The first class for which an instruction lacks figures; ISS_CLASS_N: none. */
static enum iss_class lacking(const struct iss_model *m, const struct iss_op *op)
{
    enum iss_class classes[ISS_WIDE_CLASSES] = {(enum iss_class)op->class};
    unsigned n = m->window.reorder ? iss_wide_classes(op, classes) : 1;
    for (unsigned i = 0; i < n; i++)
        if (lacks(m, classes[i]))
            return classes[i];
    return ISS_CLASS_N;
}

/* ---- the list ---- */

void unmeasured_release(struct unmeasured_list *l)
{
    for (size_t i = 0; i < l->kinds.n; i++)
        free(l->kinds.at[i].word);
    vec_release(&l->kinds);
}

static void add_kind(struct unmeasured_list *to, const struct unmeasured_kind *k, double times)
{
    size_t i = 0;
    while (i < to->kinds.n && !(to->kinds.at[i].op == k->op && to->kinds.at[i].lacking == k->lacking &&
                                strcmp(to->kinds.at[i].word, k->word) == 0))
        i++;
    if (i == to->kinds.n)
        vec_push(&to->kinds, (struct unmeasured_kind){xstrdup(k->word), k->op, k->lacking, 0, 0});
    to->kinds.at[i].executed += times * k->executed;
    to->kinds.at[i].cycles += times * k->cycles;
}

void unmeasured_join(struct unmeasured_list *to, const struct unmeasured_list *from, double times)
{
    for (size_t i = 0; i < from->kinds.n; i++)
        add_kind(to, &from->kinds.at[i], times);
    to->executed += times * from->executed;
}

/* ---- code of a function ---- */

struct namer {
    const struct elf *elf;
    const struct elf_function *code;
    const char *triple;
    struct mnemonics *mnemonics; /* made when first needed, since most code needs none */
};

/* The bytes in the order of memory. */
static char *hexadecimal(const uint8_t *bytes, size_t n)
{
    struct str text = STR_INIT;
    str_add(&text, "0x");
    for (size_t i = 0; i < n; i++)
        str_addf(&text, "%02x", bytes[i]);
    return str_detach(&text);
}

static char *name_of(struct namer *n, const struct iss_step *s)
{
    enum { LONGEST = 15 }; /* bytes of an x86-64 instruction */
    uint64_t left = n->code->address + n->code->size - s->address;
    size_t most = left < LONGEST ? (size_t)left : LONGEST;
    const uint8_t *bytes = elf_bytes(n->elf, s->address, most);
    char *word = NULL;
    if (!n->mnemonics)
        n->mnemonics = mnemonics_new(n->triple, "", "");
    for (size_t at = 0, size = 1; bytes && n->mnemonics && size && at < most && (!word || !*word); at += size) {
        free(word); /* only a prefix */
        size = mnemonics_read(n->mnemonics, bytes + at, most - at, s->address + at, &word);
    }
    return word ? word : bytes ? hexadecimal(bytes, s->op.size < most ? s->op.size : most) : xstrdup("?");
}

void unmeasured_add(struct unmeasured_list *to, const struct machine_function *f, const struct flow *flow,
                    const struct step_costs *costs, const struct elf *elf, const struct iss_model *model,
                    const char *triple)
{
    struct namer n = {.elf = elf, .code = f->symbol, .triple = *triple ? triple : model->architecture};
    for (size_t i = 0; i < f->n; i++) {
        const struct node *node = &f->nodes[i];
        double times = flow->nodes[i];
        to->executed += times * (double)node->n;
        for (size_t k = 0; k < node->n && times > 0; k++) {
            const struct iss_step *s = &node->steps[k];
            enum iss_class class = lacking(model, &s->op);
            if (class == ISS_CLASS_N)
                continue;
            char *word = name_of(&n, s);
            struct unmeasured_kind one = {word, (enum iss_class)s->op.class, class, times,
                                          costs->cycles[s - f->code->steps]};
            add_kind(to, &one, 1);
            free(word);
        }
    }
    mnemonics_free(n.mnemonics);
}

/* ---- as text ---- */

static int by_shares(const void *a, const void *b)
{
    const struct unmeasured *x = a, *y = b;
    double of_x = x->cycles + x->executed, of_y = y->cycles + y->executed;
    if (of_x < of_y || of_x > of_y)
        return of_x < of_y ? 1 : -1;
    return strcmp(x->instruction, y->instruction);
}

/* What replaces its figures. */
static char *instead(const struct iss_model *m, enum iss_class c)
{
    if (c == ISS_UNKNOWN)
        return xstrdup("unknown");
    return xstrdup(m->like[c] ? iss_class_names[m->like[c] - 1] : "assumed");
}

static char *kind_name(const struct unmeasured_kind *k)
{
    if (k->op == ISS_UNKNOWN)
        return xasprintf("%s (not decoded)", k->word);
    if (k->op == k->lacking)
        return xasprintf("%s (%s)", k->word, iss_class_names[k->op]);
    return xasprintf("%s (%s, its %s)", k->word, iss_class_names[k->op], iss_class_names[k->lacking]);
}

static void add_words(struct str *to, const struct unmeasured *u)
{
    const char *as = strcmp(u->as, "assumed") == 0 ? "figures assumed" : "as ";
    str_addf(to, "%s%s %s%s: %.2g %% of the instructions executed, %.2g %% of the estimate", to->len ? "; " : "",
             u->instruction, as, strcmp(u->as, "assumed") == 0 ? "" : u->as, 100 * u->executed, 100 * u->cycles);
}

static bool is_worth_a_name(const struct unmeasured *u)
{
    return u->cycles >= worth_a_name || u->executed >= worth_a_name;
}

static void note(struct estimate *out, const struct iss_model *m)
{
    struct str text = STR_INIT;
    double executed = 0, cycles = 0;
    size_t n = 0;
    while (n < out->n_unmeasured && n < NAMED && (!n || is_worth_a_name(&out->unmeasured[n])))
        add_words(&text, &out->unmeasured[n++]);
    for (size_t i = n; i < out->n_unmeasured; i++) {
        executed += out->unmeasured[i].executed;
        cycles += out->unmeasured[i].cycles;
    }
    if (out->n_unmeasured > n)
        str_addf(&text, "; %zu more: %.2g %% and %.2g %%", out->n_unmeasured - n, 100 * executed, 100 * cycles);
    estimate_note(out, "instructions of which the timing of %s has no figures, and takes others: %s", m->name,
                  str_text(&text));
    str_release(&text);
}

void unmeasured_tell(struct estimate *out, const struct unmeasured_list *l, const struct iss_model *model, double total)
{
    out->n_unmeasured = l->kinds.n;
    if (!l->kinds.n)
        return;
    out->unmeasured = xcalloc(l->kinds.n, sizeof *out->unmeasured);
    for (size_t i = 0; i < l->kinds.n; i++) {
        const struct unmeasured_kind *k = &l->kinds.at[i];
        out->unmeasured[i] =
            (struct unmeasured){kind_name(k), instead(model, k->lacking),
                                l->executed > 0 ? k->executed / l->executed : 0, total > 0 ? k->cycles / total : 0};
        if (k->op == ISS_UNKNOWN)
            out->doubts |= 1u << DOUBT_CODE;
    }
    qsort(out->unmeasured, out->n_unmeasured, sizeof *out->unmeasured, by_shares);
    note(out, model);
}
