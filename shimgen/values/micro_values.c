/* micro_values.c - best, typical and worst values of SHIM's instructions, from microbenchmarks. */
#include "shimgen/values/micro_values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/file.h"
#include "base/key.h"

/* Does the key belong to the instruction? Intrinsics and library functions are calls in LLVM, but do not cost what a
 * call does. */
static bool is_of(const struct ir_key *k, enum ir_opcode opcode)
{
    return k->opcode == opcode && (opcode != IR_CALL || k->form == IR_DIRECT || k->form == IR_INDIRECT);
}

/* Is its type one that C programs use all the time? A key without a type counts as such. */
static bool is_common(const struct ir_key *k)
{
    switch (k->type.kind) {
    case IR_TYPE_NONE:
    case IR_TYPE_POINTER:
        return !k->type.lanes;
    case IR_TYPE_INTEGER:
        return !k->type.lanes && (k->type.bits == 1 || k->type.bits == 8 || k->type.bits == 16 || k->type.bits == 32 ||
                                  k->type.bits == 64);
    case IR_TYPE_FLOAT:
        return !k->type.lanes && (k->type.bits == 32 || k->type.bits == 64);
    default:
        return false;
    }
}

struct search {
    const struct micro_table *t;
    const char *event;
    enum ir_opcode opcode;
    enum micro_quantity quantity;
};

static bool counts(const struct search *s, const struct micro_row *r)
{
    struct ir_key k = ir_key(r->key);
    return r->even && r->use != MICRO_APART && r->quantity == s->quantity && strcmp(r->event, s->event) == 0 &&
           is_of(&k, s->opcode);
}

static const struct micro_row *typical_row(const struct search *s)
{
    const struct micro_row *common = 0, *any = 0, *own = 0;
    for (size_t i = 0; i < s->t->rows.n; i++) {
        const struct micro_row *r = &s->t->rows.at[i];
        if (r->use != MICRO_TYPICAL || !counts(s, r))
            continue;
        struct ir_key k = ir_key(r->key);
        any = any ? any : r;
        if (!own && strcmp(r->key, ir_instruction(s->opcode)->key) == 0)
            own = r;
        if (!common && is_common(&k))
            common = r;
    }
    return own ? own : common ? common : any;
}

static void find_range(struct micro_value *v, const struct search *s)
{
    struct ir_key typical = ir_key(v->typical_of->key);
    bool common = is_common(&typical);
    v->best_of = v->worst_of = v->typical_of;
    for (size_t i = 0; i < s->t->rows.n; i++) {
        const struct micro_row *r = &s->t->rows.at[i];
        struct ir_key k = ir_key(r->key);
        if (!counts(s, r) || (common && !is_common(&k)))
            continue;
        if (r->value < v->best_of->value)
            v->best_of = r;
        if (r->value > v->worst_of->value)
            v->worst_of = r;
    }
    v->best = v->best_of->value;
    v->typical = v->typical_of->value;
    v->worst = v->worst_of->value;
}

static bool measured(struct micro_value *v, struct search s, enum micro_quantity quantity)
{
    s.quantity = quantity;
    v->typical_of = typical_row(&s);
    if (!v->typical_of)
        return false;
    find_range(v, &s);
    v->evidence = v->typical_of->instructions == 0 ? MICRO_NO_CODE
                  : quantity == v->quantity        ? MICRO_MEASURED
                                                   : MICRO_OTHER;
    return true;
}

static bool inherited(struct micro_value *v, enum ir_opcode opcode)
{
    const struct ir_instruction *in = ir_instruction(opcode);
    v->like = in->no_case ? ir_instruction(in->like[0])->name : NULL;
    v->evidence = MICRO_INHERITED;
    v->best = v->typical = v->worst = NAN;
    return v->like;
}

void micro_values_find(struct micro_values *out, const struct micro_table *t, const char *event)
{
    *out = (struct micro_values){0};
    for (size_t k = 0; k < IR_LISTED; k++) {
        struct search s = {.t = t, .event = event, .opcode = ir_listed(k)->opcode};
        for (int q = MICRO_LATENCY; q <= MICRO_PITCH; q++) {
            enum micro_quantity quantity = (enum micro_quantity)q;
            struct micro_value v = {.instruction = ir_listed(k)->name, .quantity = quantity};
            if (measured(&v, s, quantity) || measured(&v, s, quantity == MICRO_PITCH ? MICRO_LATENCY : MICRO_PITCH) ||
                inherited(&v, s.opcode))
                vec_push(&out->at, v);
        }
    }
}

void micro_values_release(struct micro_values *v)
{
    vec_release(&v->at);
}

const struct micro_value *micro_values_of(const struct micro_values *v, const char *instruction,
                                          enum micro_quantity quantity)
{
    for (size_t i = 0; i < v->at.n; i++)
        if (v->at.at[i].quantity == quantity && strcmp(v->at.at[i].instruction, instruction) == 0)
            return &v->at.at[i];
    return 0;
}

char *micro_value_source(const struct micro_value *v)
{
    switch (v->evidence) {
    case MICRO_MEASURED:
        return xstrdup("No program had them; measured by microbenchmarks");
    case MICRO_OTHER:
        return xstrdup("No program had them; the other of pitch and latency was measured by microbenchmarks");
    case MICRO_NO_CODE:
        return xstrdup("No program had them; their microbenchmarks show that they make no code");
    case MICRO_INHERITED:
        break;
    }
    return xasprintf("Neither programs nor microbenchmarks have them; taken over from %s", v->like);
}

enum status micro_values_write(const struct micro_values *v, const char *path, struct error *e)
{
    struct outfile o;
    enum status s = outfile_open(&o, path, e);
    if (s)
        return s;
    fputs("instruction,quantity,best,typical,worst,like,source\n", o.f);
    for (size_t i = 0; i < v->at.n; i++) {
        const struct micro_value *x = &v->at.at[i];
        char *source = micro_value_source(x);
        fprintf(o.f, "%s,%s,", x->instruction, micro_quantity_name(x->quantity));
        if (x->like)
            fprintf(o.f, ",,,%s,", x->like);
        else
            fprintf(o.f, "%.6g,%.6g,%.6g,,", x->best, x->typical, x->worst);
        csv_put(o.f, source);
        fputc('\n', o.f);
        free(source);
    }
    return outfile_commit(&o, e);
}
