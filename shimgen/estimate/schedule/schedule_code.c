/* schedule_code.c - what IR instructions become: how many instructions of the target, and how long each takes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "shimgen/estimate/schedule/schedule.h"

/* Number of 16-byte registers of a value. Vectors of long integers cannot be multiplied as a whole. */
static double pieces_of(const struct ir_key *k)
{
    enum { REGISTER = 128, POINTER = 64 };
    const struct ir_type *t = &k->type;
    unsigned bits = t->kind == IR_TYPE_POINTER ? POINTER : t->bits;
    if (t->lanes && !t->scalable) {
        double registers = fmax(1, ceil(t->lanes * (double)bits / REGISTER));
        return t->kind == IR_TYPE_INTEGER && bits == 64 && k->opcode == IR_MUL ? 4 * registers : registers;
    }
    bool wide = t->kind == IR_TYPE_INTEGER && !t->lanes && bits == 128;
    return !wide ? 1 : k->opcode == IR_MUL ? 4 : 2; /* all products of the halves, except that of the upper ones */
}

/* Vector operations share pipes, whatever they do, so in a core that issues in order they take turns. */
static bool shares_vector_unit(const struct schedule *s, const struct ir_key *k)
{
    bool computes = k->opcode != IR_LOAD && k->opcode != IR_STORE && k->opcode != IR_PHI;
    return !s->out_of_order && computes && k->type.lanes && !k->type.scalable;
}

/* The code of a key by itself. A value of the key's own is for all of its pieces. */
static struct code key_code(const struct schedule *s, size_t i, struct map *units, enum bound bound)
{
    const struct key_cost *k = &s->est->keys.at[i];
    const struct ir_key *key = &k->key;
    double pieces = pieces_of(key), times = k->own ? 1 : pieces;
    struct code c = {.slots = (float)s->issue, .unit = (uint32_t)map_number(units, k->instruction)};
    bool means = schedule_meaning(&c, s, key, units, bound);
    c.slots *= (float)pieces;
    c.pitch *= (float)pieces;
    if (k->own || !means) {
        c.pitch = (float)(cycles_pick(&k->pitch, bound) * times);
        c.latency = (float)cycles_pick(&k->latency, bound);
    }
    if (shares_vector_unit(s, key))
        c.unit = (uint32_t)map_number(units, "vector");
    c.barrier = (key->opcode == IR_CALL && key->form != IR_INTRINSIC) || key->opcode == IR_INVOKE;
    c.load = key->opcode == IR_LOAD;
    c.store = key->opcode == IR_STORE;
    return c;
}

static struct code *key_codes(const struct schedule *s, enum bound bound)
{
    struct code *codes = xcalloc(s->p->n_keys, sizeof *codes);
    struct map units = {0};
    for (size_t i = 0; i < s->p->n_keys; i++)
        codes[i] = key_code(s, i, &units, bound);
    map_release(&units);
    return codes;
}

static bool is_access(const struct ir_key *k)
{
    return k->opcode == IR_LOAD || k->opcode == IR_STORE;
}

static void adapt(const struct schedule *s, struct code *c, uint32_t i, bool optimised, bool loops)
{
    const struct irprof_instruction *in = &s->p->instructions[i];
    unsigned char fold = s->folds[i];
    bool compares = fold == IRPROF_FOLD_COMPARE && !(in->constants & IRPROF_CONSTANT_EASY);
    bool jumps = !optimised && schedule_key(s, i)->form == IR_UNCONDITIONAL;
    if (fold != IRPROF_FOLD_NOT && !compares && !jumps) {
        c->slots = c->pitch = c->latency = 0;
        return;
    }
    if (in->constants & IRPROF_CONSTANT_GLOBAL && !(optimised && loops)) /* computed before the loop */
        c->slots += (float)s->issue;
    if (!optimised && c->store && in->constants & IRPROF_CONSTANT)
        c->slots += (float)s->issue;
}

static float more(double by)
{
    return by > 0 ? (float)by - 1 : 0;
}

/* When a result is ready by use: a load's sooner if it is not used as an address, others' later if used as an
 * address. */
static void add_uses(struct schedule *s, enum bound bound)
{
    const struct costs *costs = s->est->costs;
    struct cycles pitch, latency;
    costs_of_instruction(&pitch, &latency, costs, IR_ADD);
    float address = more(costs->address_use) * (float)cycles_pick(&latency, bound);
    for (size_t i = 0; i < s->p->n_instructions; i++) {
        struct code *c = &s->code[i];
        memset(c->later, 0, sizeof c->later);
        c->reads_late = schedule_key(s, (uint32_t)i)->form == IR_CONDITIONAL ? (float)cycles_pick(&latency, bound) : 0;
        if (c->slots <= 0)
            continue;
        if (c->load)
            c->later[USE_VALUE] = c->latency * more(costs->load_use);
        else
            c->later[USE_ADDRESS] = address;
    }
}

void schedule_code(struct schedule *s, enum bound bound)
{
    const struct irprof_profile *p = s->p;
    struct code *codes = key_codes(s, bound);
    for (size_t i = 0; i < p->n_segments; i++) {
        const struct irprof_segment *segment = &p->segments[i];
        bool optimised = s->optimised[segment->function];
        const struct target *target = schedule_target_of(p, segment->function);
        for (uint32_t k = segment->first_instruction; k < segment->first_instruction + segment->n_instructions; k++) {
            s->code[k] = codes[p->instructions[k].key];
            schedule_division(&s->code[k], s, k, optimised, target, bound);
            adapt(s, &s->code[k], k, optimised, segment->loop != IRPROF_NONE);
            schedule_vector(&s->code[k], s, k, bound);
            schedule_library(&s->code[k], s, k, bound);
            schedule_sizes(&s->code[k], s, k, (uint32_t)i, bound);
        }
    }
    free(codes);
    schedule_address(s);
    schedule_target(s, bound);
    schedule_pairs(s);
    add_uses(s, bound);
}

/* Is the code optimised? An alloca that is only loaded and stored is the first thing that an optimiser removes. */
void schedule_optimised(struct schedule *s)
{
    const struct irprof_profile *p = s->p;
    enum { ACCESSED = 1, ELSE = 2 };
    unsigned char *used = xcalloc(p->n_instructions, 1);
    for (uint32_t i = 0; i < p->n_instructions; i++) {
        const struct irprof_instruction *in = &p->instructions[i];
        bool accesses = is_access(schedule_key(s, i));
        for (size_t k = in->first_operand; k < in->first_operand + in->n_operands; k++) {
            const struct irprof_operand *o = &p->operands[k];
            if (o->producer != IRPROF_NONE)
                used[o->producer] |= accesses && o->address ? ACCESSED : ELSE;
        }
    }
    for (size_t f = 0; f < p->n_functions; f++)
        s->optimised[f] = true;
    for (size_t i = 0; i < p->n_segments; i++) {
        const struct irprof_segment *g = &p->segments[i];
        for (uint32_t k = g->first_instruction; k < g->first_instruction + g->n_instructions; k++)
            if (schedule_key(s, k)->opcode == IR_ALLOCA && used[k] == ACCESSED)
                s->optimised[g->function] = false;
    }
    free(used);
}

void schedule_variables(struct schedule *s)
{
    const struct irprof_profile *p = s->p;
    for (uint32_t i = 0; i < p->n_instructions; i++) {
        const struct irprof_instruction *in = &p->instructions[i];
        bool access = is_access(schedule_key(s, i));
        s->variable[i] = IRPROF_NONE;
        for (size_t k = in->first_operand; access && k < in->first_operand + in->n_operands; k++) {
            const struct irprof_operand *o = &p->operands[k];
            if (o->address && o->producer != IRPROF_NONE && schedule_key(s, o->producer)->opcode == IR_ALLOCA)
                s->variable[i] = o->producer;
        }
    }
}
