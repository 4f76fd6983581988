/* merge.c - merges the values of a fitted model into the cores of a document. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cli.h"
#include "base/key.h"
#include "base/str.h"
#include "shim-xml/values/merge_two.h"
#include "shim-xml/document/doc.h"
#include "shim-xml/document/text.h"
#include "shim-xml/values/units.h"
#include "shim-xml/values/prior_values.h"
#include "shim-xml/values/seal.h"

/* What a model gives an instruction. It is computed once and written to every core. */
struct cost {
    struct shimxml_range value;
    enum model_source source;
    const struct given_value *given; /* set if the value comes from a table; NULL: from the model */
};
struct costs {
    struct cost pitch[IR_LISTED], latency[IR_LISTED];
};

static size_t find_instruction(const char *name)
{
    return name ? ir_listed_index(name) : IR_LISTED;
}

/* Values that programs have shown take precedence over those of a table, and those over values that the model only
 * assumes. */
static void find_cost(struct cost *c, const struct model *m, const struct given_values *given, size_t k, bool latency)
{
    enum ir_opcode opcode = ir_listed(k)->opcode;
    c->source = model_value(&c->value, m, opcode, latency);
    c->given = c->source == MODEL_MEASURED ? 0 : values_find(given, ir_instruction(opcode)->name, latency);
    if (c->given && !c->given->like)
        c->value = c->given->value;
}

/* `like`: takes the value at the end of the chain. values_read has checked that the chain ends. */
static void take_likes(struct cost *costs)
{
    for (size_t k = 0; k < IR_LISTED; k++) {
        const struct cost *c = &costs[k];
        while (c->given && c->given->like)
            c = &costs[find_instruction(c->given->like)];
        costs[k].value = c->value;
    }
}

static void find_costs(struct costs *c, const struct model *m, const struct given_values *given)
{
    for (size_t k = 0; k < IR_LISTED; k++) {
        find_cost(&c->pitch[k], m, given, k, false);
        find_cost(&c->latency[k], m, given, k, true);
    }
    take_likes(c->pitch);
    take_likes(c->latency);
}

/* Single-precision rounding keeps best <= typical <= worst, since it is monotone. */
static void set_range(struct shimxml_node *performance, const char *which, const struct shimxml_range *v)
{
    struct shimxml_node *n = shimxml_need(performance, which);
    static const char *const values[] = {"best", "typical", "worst"};
    for (size_t i = 0; i < 3; i++) /* writes them in this order, whichever existed */
        shimxml_set(n, values[i], 0);
    shimxml_set_number(n, "best", v->best);
    shimxml_set_number(n, "typical", v->typical);
    shimxml_set_number(n, "worst", v->worst);
}

static void set_instruction(struct shimxml_node *instruction, const struct costs *c, size_t k,
                            const struct shimxml_units *which)
{
    bool is_new = !shimxml_child(instruction, "Performance"); /* the schema requires both values in a new one */
    struct shimxml_node *performance = shimxml_need(instruction, "Performance");
    if (is_new || unit_part_is_wanted(which, "Pitch"))
        set_range(performance, "Pitch", &c->pitch[k].value);
    if (is_new || unit_part_is_wanted(which, "Latency"))
        set_range(performance, "Latency", &c->latency[k].value);
}

/* Updates existing entries (all of a duplicated name) and adds missing ones. Entries that are not LLVM instructions
 * stay. */
static void merge_instructions(struct shimxml_node *set, const struct costs *c, const struct shimxml_units *which)
{
    bool present[IR_LISTED] = {false};
    for (struct shimxml_node *i = shimxml_child(set, "Instruction"); i; i = shimxml_next(i, "Instruction")) {
        size_t k = find_instruction(shimxml_get(i, "name"));
        if (k == IR_LISTED)
            continue;
        set_instruction(i, c, k, which);
        present[k] = true;
    }
    for (size_t k = 0; k < IR_LISTED; k++) {
        if (present[k])
            continue;
        struct shimxml_node *i = shimxml_add(set, "Instruction");
        shimxml_set(i, "name", ir_listed(k)->name);
        set_instruction(i, c, k, which);
    }
}

/* ---- where the values come from, as a comment: SHIM 1.0 has no other place ---- */

#define INDENT "                         "

typedef bool chosen(const struct cost *c, const void *what);

static bool is_of_source(const struct cost *c, const void *what)
{
    return !c->given && c->source == *(const enum model_source *)what;
}

static bool is_given_by(const struct cost *c, const void *what)
{
    return c->given && strcmp(c->given->source, what) == 0;
}

static void list_costs(struct str *text, const struct costs *c, chosen *which, const void *what, const char *sentence)
{
    struct str names = STR_INIT;
    for (size_t k = 0; k < IR_LISTED; k++) {
        if (which(&c->pitch[k], what))
            str_addf(&names, " %s", ir_listed(k)->name);
        if (which(&c->latency[k], what))
            str_addf(&names, " %s" IR_DEPENDENT, ir_listed(k)->name);
    }
    if (names.len)
        str_addf(text, "\n" INDENT "%s:%s.", sentence, str_text(&names));
    str_release(&names);
}

static void list_source(struct str *text, const struct costs *c, enum model_source wanted, const char *sentence)
{
    list_costs(text, c, is_of_source, &wanted, sentence);
}

/* Adds a sentence for each of the table's sources, in the table's order. */
static void list_given(struct str *text, const struct costs *c, const struct given_values *given)
{
    for (size_t i = 0; given && i < given->at.n; i++) {
        const char *source = given->at.at[i].source;
        bool first = true;
        for (size_t k = 0; k < i && first; k++)
            first = strcmp(given->at.at[k].source, source) != 0;
        if (!first)
            continue;
        char *sentence = text_printable(source, 200);
        list_costs(text, c, is_given_by, source, sentence);
        free(sentence);
    }
}

static void add_percent(struct str *text, const char *what, double error)
{
    if (isfinite(error))
        str_addf(text, " %s %.3g %%.", what, 100 * error);
}

/* Names come from the model file. A comment must not contain "--" or control characters. */
static char *provenance(const struct model *m, const struct costs *c, const struct given_values *given)
{
    char *classes = text_printable(m->classes, 200), *solver = text_printable(m->solver, 200),
         *hash = text_printable(m->data_hash, 200);
    struct str text = STR_INIT;
    str_addf(&text,
             MERGE_MARK "shim-xml %s, fitted with classification '%s' and solver '%s' on data %s."
                        "\n" INDENT "Latency: an operand is the result of the instruction before; Pitch: any other."
                        "\n" INDENT "best and worst: 5 %% and 95 %% of a bootstrap over the programs.",
             SHIMGEN_VERSION, classes, solver, hash);
    add_percent(&text, "Mean absolute error on programs left out of the fit", m->held_out);
    add_percent(&text, "On the programs fitted on", m->training);
    list_given(&text, c, given);
    list_source(&text, c, MODEL_CLASS,
                "Without evidence of their own, with the value of their class (" IR_DEPENDENT ": the latency)");
    list_source(&text, c, MODEL_TWIN, "With evidence for the other of pitch and latency only, taken for both");
    list_source(&text, c, MODEL_ALL, "Without evidence even for their class, with the mean of all");
    str_add(&text, " ");
    free(classes);
    free(solver);
    free(hash);
    char *out = str_detach(&text);
    for (char *p = out; (p = strstr(p, "--"));)
        p[1] = '_';
    return out;
}

/* ---- everything together ---- */

static enum status merge_by_width(struct shimxml_node *set, const struct model *m, const struct costs *c,
                                  const struct shimxml_units *which, struct error *e)
{
    struct merged_values values;
    for (size_t k = 0; k < IR_LISTED; k++) {
        values.pitch[k] = c->pitch[k].value;
        values.latency[k] = c->latency[k].value;
    }
    return merge_two(set, m, &values, which, e);
}

static enum status merge_units(struct shimxml_node *root, const struct model *m, const struct given_values *given,
                               const struct shimxml_units *which, size_t *merged, struct error *e)
{
    struct costs c;
    enum status s = OK;
    find_costs(&c, m, given);
    char *text = provenance(m, &c, given);
    for (struct shimxml_node *n = shimxml_following(root, 0, 0); n && !s; n = shimxml_following(root, n, 0)) {
        if (!unit_is(n) || !unit_is_wanted(n, which))
            continue;
        struct shimxml_node *set = unit_instructions(n);
        seal_remove(n);
        if (doc_of(root)->schema == &schema2)
            s = merge_by_width(set, m, &c, which, e);
        else
            merge_instructions(set, &c, which);
        unit_comment(set, text, which);
        ++*merged;
    }
    free(text);
    return s;
}

/* SHIM 2.0 must be in the schema's form; the Editor's is converted first. */
static enum status is_mergeable(const struct shimxml_doc *d, struct error *e)
{
    if (doc_is_editors(d))
        return error_set(e, ERR_INPUT, AT_FILE(d->path),
                         "it is in the SHIM Editor's form: 'shim-xml convert --to 2.0' gives it that of the schema");
    if (shimxml_is(shimxml_root(d), d->schema->root))
        return OK;
    return error_set(e, ERR_INPUT, AT_FILE(d->path),
                     "not a SHIM file: the root is '%s', not SystemConfiguration or shim:Shim",
                     shimxml_name(shimxml_root(d)));
}

enum status shimxml_merge(struct shimxml_doc *d, const char *model_path, const struct shimxml_units *which,
                          struct error *e)
{
    return shimxml_merge_values(d, model_path, 0, which, e);
}

enum status shimxml_merge_values(struct shimxml_doc *d, const char *model_path, const char *values_path,
                                 const struct shimxml_units *which, struct error *e)
{
    static const struct shimxml_units all = {0};
    which = which ? which : &all;
    struct shimxml_node *root = shimxml_root(d);
    if (is_mergeable(d, e))
        return ERR_INPUT;
    struct model *m = 0;
    struct given_values *given = 0;
    enum status s = model_read(&m, model_path, e);
    if (!s && values_path)
        s = values_read(&given, values_path, e);
    size_t merged = 0;
    if (!s)
        s = merge_units(root, m, given, which, &merged, e);
    if (!s)
        s = merged ? method_of_values(d, "operand", which, merged, e) : unit_none(d, which, e);
    if (!s)
        intervals_of_model(d, m->intervals, m->n_intervals, which, merged);
    values_free(given);
    model_free(m);
    return s;
}

void shimxml_set_clock(struct shimxml_doc *d, double hz)
{
    struct shimxml_node *root = shimxml_root(d);
    bool given = false;
    for (struct shimxml_node *n = shimxml_following(root, 0, 0); n; n = shimxml_following(root, n, 0))
        if (shimxml_is(n, "ClockFrequency") && (n->parent == root || unit_is(n->parent))) {
            shimxml_set_number(n, "clockValue", hz);
            given = given || n->parent == root;
        }
    if (!given)
        shimxml_set_number(shimxml_add(root, "ClockFrequency"), "clockValue", hz); /* the last child in the schema */
}
