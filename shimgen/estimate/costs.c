/* costs.c - instruction costs of a core, with stand-ins where the SHIM file has none. */
#include "shimgen/estimate/costs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "shim-xml/shimxml.h"

void cycles_add(struct cycles *sum, const struct cycles *c, double times)
{
    sum->best += times * c->best;
    sum->typical += times * c->typical;
    sum->worst += times * c->worst;
}

double cycles_pick(const struct cycles *c, enum bound bound)
{
    return bound == BOUND_BEST ? c->best : bound == BOUND_TYPICAL ? c->typical : c->worst;
}

void cycles_charge(struct cycles *c, enum bound bound, double cycles)
{
    *(bound == BOUND_BEST ? &c->best : bound == BOUND_TYPICAL ? &c->typical : &c->worst) += cycles;
}

/* ---- what a SHIM file says ---- */

struct cycles cycles_completed(struct cycles c)
{
    if (isnan(c.best))
        c.best = c.typical;
    if (isnan(c.worst))
        c.worst = c.typical;
    return c;
}

void costs_add(struct costs *c, const char *instruction, struct cycles pitch, struct cycles latency)
{
    if (map_get(&c->names, instruction, 0))
        return;
    size_t i = map_number(&c->names, instruction);
    c->pitch = xreallocarray(c->pitch, i + 1, sizeof *c->pitch);
    c->latency = xreallocarray(c->latency, i + 1, sizeof *c->latency);
    c->pitch[i] = cycles_completed(pitch);
    c->latency[i] = cycles_completed(latency);
}

void costs_copy(struct costs *to, const struct costs *from)
{
    *to = *from;
    to->core = xstrdup(from->core);
    to->interval = from->interval ? xstrdup(from->interval) : 0;
    to->warning = from->warning ? xstrdup(from->warning) : 0;
    to->names = (struct map){0};
    for (size_t i = 0; i < from->names.n; i++)
        map_number(&to->names, from->names.keys[i]);
    to->pitch = xmemdup(from->pitch, from->names.n * sizeof *from->pitch);
    to->latency = xmemdup(from->latency, from->names.n * sizeof *from->latency);
}

void costs_release(struct costs *c)
{
    map_release(&c->names);
    free(c->pitch);
    free(c->latency);
    free(c->core);
    free(c->interval);
    free(c->warning);
    *c = (struct costs){0};
}

/* ---- widths: in SHIM 2.0 an instruction may occur several times, each for another width ---- */

char *costs_form(const char *instruction, const struct shimxml_widths *w)
{
    return xasprintf("%s:%d>%d*%d", instruction, w->input, w->output, w->lanes);
}

/* The file's value for the width of a key's type. Returns false if there is none. */
static bool cost_of_width(struct key_cost *k, const struct costs *c)
{
    struct shimxml_widths w;
    size_t i;
    bool known = shimxml_widths_of(&w, k->key.text);
    char *form = known ? costs_form(k->instruction, &w) : 0;
    known = known && map_get(&c->names, form, &i);
    free(form);
    if (!known)
        return false;
    k->pitch = c->pitch[i];
    k->latency = c->latency[i];
    return true;
}

void costs_list_free(struct costs *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        costs_release(&list[i]);
    free(list);
}

/* ---- what the values tell about the core ---- */

bool costs_has(const struct costs *c, enum ir_opcode opcode, size_t *i)
{
    if (map_get(&c->names, ir_instruction(opcode)->name, i))
        return true;
    for (size_t k = 0; k < IR_LISTED; k++)
        if (ir_listed(k)->opcode == opcode && ir_listed(k)->spelling && map_get(&c->names, ir_listed(k)->name, i))
            return true;
    return false;
}

double costs_issue(const struct costs *c)
{
    double least = INFINITY;
    for (int op = IR_NONE + 1; op < IR_OPCODES; op++) {
        size_t at;
        enum ir_class class = ir_instruction((enum ir_opcode)op)->class;
        if ((class == IR_CLASS_SUM || class == IR_CLASS_LOGIC) && costs_has(c, (enum ir_opcode)op, &at) &&
            c->pitch[at].typical > 0)
            least = fmin(least, c->pitch[at].typical);
    }
    return isinf(least) ? 1 : least;
}

bool costs_out_of_order(const struct costs *c)
{
    size_t at;
    return costs_has(c, IR_ADD, &at) && c->latency[at].typical >= 3 * costs_issue(c);
}

/* ---- what each key costs ---- */

/* What replaces an instruction that the file lacks. IR_NOTHING: it makes no code; IR_NONE: nothing does. */
static enum ir_opcode stand_in(enum ir_opcode opcode, const struct costs *c)
{
    const enum ir_opcode *like = ir_instruction(opcode)->like;
    while (*like != IR_NONE && *like != IR_NOTHING && !costs_has(c, *like, 0))
        like++;
    return *like;
}

/* The mean over all instructions. Forms by width, keys and functions are left out. */
static struct cycles mean_of(const struct costs *c, const struct cycles *at)
{
    struct cycles sum = {0}, mean = {0};
    size_t n = 0;
    for (size_t i = 0; i < c->names.n; i++) {
        if (strpbrk(c->names.keys[i], ":."))
            continue;
        cycles_add(&sum, &at[i], 1);
        n++;
    }
    if (n)
        cycles_add(&mean, &sum, 1.0 / (double)n);
    return mean;
}

const char *costs_of_instruction(struct cycles *pitch, struct cycles *latency, const struct costs *c,
                                 enum ir_opcode opcode)
{
    size_t i;
    bool known = opcode != IR_NONE && costs_has(c, opcode, &i);
    enum ir_opcode like = known || opcode == IR_NONE ? opcode : stand_in(opcode, c);
    *pitch = *latency = (struct cycles){0};
    if (like == IR_NOTHING)
        return "nothing";
    if (like == IR_NONE) {
        *pitch = mean_of(c, c->pitch);
        *latency = mean_of(c, c->latency);
        return "the mean of all";
    }
    if (!known)
        costs_has(c, like, &i);
    *pitch = c->pitch[i];
    *latency = c->latency[i];
    return known ? 0 : ir_instruction(like)->name;
}

void costs_of_typed(struct cycles *pitch, struct cycles *latency, const struct costs *c, enum ir_opcode opcode,
                    const char *type)
{
    size_t i;
    char *name = xasprintf("%s.%s", ir_instruction(opcode)->name, type);
    costs_of_instruction(pitch, latency, c, opcode);
    if (map_get(&c->names, name, &i)) {
        *pitch = c->pitch[i];
        *latency = c->latency[i];
    }
    free(name);
}

static bool cost_of_name(struct key_cost *k, const struct costs *c, const char *name)
{
    size_t i;
    if (!map_get(&c->names, name, &i))
        return false;
    k->pitch = c->pitch[i];
    k->latency = c->latency[i];
    return true;
}

/* Returns "fadd.v4f32" for "fadd.v8f32" or "fadd.v2f32": the 16-byte register of such elements. NULL: not such a
 * vector. */
static char *register_name(const struct ir_key *k)
{
    enum { REGISTER = 128 };
    struct ir_type t = k->type;
    bool numbers = t.kind == IR_TYPE_INTEGER || t.kind == IR_TYPE_FLOAT;
    if (k->name || !t.lanes || t.scalable || !numbers || t.bits > REGISTER)
        return 0;
    t.lanes = REGISTER / t.bits;
    char *type = ir_type_text(&t), *name = xasprintf("%.*s.%s", (int)k->n_instruction, k->text, type);
    free(type);
    return name;
}

/* Takes the value of the key itself, if the file has it: "mul.i64", "call.llvm.ctpop.i32", "call.library.sin". Returns
 * false if not. */
static bool cost_of_key(struct key_cost *k, const struct costs *c)
{
    char *name = ir_key_plain(&k->key), *same = register_name(&k->key), *function = ir_library_key_of(&k->key);
    k->own = cost_of_name(k, c, name);
    bool known = k->own || (same && cost_of_name(k, c, same)) || (function && cost_of_name(k, c, function));
    free(name);
    free(same);
    free(function);
    return known;
}

/* Treats a C library function that the file lacks as a call. Returns false if the key is not one. */
static bool cost_of_library(struct key_cost *k, const struct costs *c)
{
    if (k->key.opcode != IR_CALL || k->key.form != IR_LIBRARY)
        return false;
    free(k->instruction);
    k->instruction = ir_key_plain(&k->key);
    if (!cost_of_key(k, c)) {
        costs_of_instruction(&k->pitch, &k->latency, c, IR_CALL);
        k->assumed = "the call alone";
    }
    return true;
}

void key_costs_init(struct key_costs *k, const struct irprof_profile *p, const struct costs *c)
{
    k->n = p->n_keys;
    k->at = xcalloc(k->n, sizeof *k->at);
    for (size_t i = 0; i < k->n; i++) {
        struct key_cost *x = &k->at[i];
        x->key = ir_key(p->keys[i]);
        x->instruction = ir_key_instruction(&x->key);
        if (!cost_of_library(x, c) && !cost_of_key(x, c) && !cost_of_width(x, c))
            x->assumed = costs_of_instruction(&x->pitch, &x->latency, c, x->key.opcode);
    }
}

void key_costs_release(struct key_costs *k)
{
    for (size_t i = 0; i < k->n; i++)
        free(k->at[i].instruction);
    free(k->at);
    *k = (struct key_costs){0};
}
