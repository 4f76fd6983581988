/*
 * schedule_library.c - arithmetic for which 64-bit processors have no instructions: 128-bit floating point, and
 * division of 128-bit integers. Compilers call functions of their own library (__addtf3, __udivti3).
 */
#include "shimgen/estimate/schedule/schedule.h"

struct routine {
    enum ir_opcode opcode;
    unsigned instructions;
};

/* Instructions in libgcc 12 for AArch64, counted by qemu on ordinary numbers. Integer divisions take 33 to 73,
 * depending on operands; the mean of six pairs is 51. */
static const struct routine of_floats[] = {{IR_FADD, 100},  {IR_FSUB, 100},  {IR_FMUL, 190},   {IR_FDIV, 205},
                                           {IR_FCMP, 30},   {IR_FPEXT, 22},  {IR_FPTRUNC, 67}, {IR_SITOFP, 22},
                                           {IR_UITOFP, 22}, {IR_FPTOSI, 50}, {IR_FPTOUI, 50},  {IR_NONE, 0}};
static const struct routine of_integers[] = {{IR_UDIV, 51}, {IR_SDIV, 51}, {IR_UREM, 51}, {IR_SREM, 51}, {IR_NONE, 0}};

static bool is_quad(const struct ir_key *k)
{
    return k->type.kind == IR_TYPE_FLOAT && k->type.bits == 128 && !k->type.lanes;
}

/* Is it 128-bit floating point, or a conversion from it? */
static bool takes_quad(const struct schedule *s, uint32_t i)
{
    const struct irprof_instruction *in = &s->p->instructions[i];
    bool converts = schedule_key(s, i)->class == IR_CLASS_CONVERSION;
    uint32_t from = in->n_operands ? s->p->operands[in->first_operand].producer : IRPROF_NONE;
    return is_quad(schedule_key(s, i)) || (converts && from != IRPROF_NONE && is_quad(schedule_key(s, from)));
}

static unsigned instructions_of(const struct routine *r, enum ir_opcode opcode)
{
    while (r->opcode != IR_NONE && r->opcode != opcode)
        r++;
    return r->instructions;
}

static unsigned routine_of(const struct schedule *s, uint32_t i)
{
    const struct ir_key *key = schedule_key(s, i);
    if (takes_quad(s, i))
        return instructions_of(of_floats, key->opcode);
    bool wide = key->type.kind == IR_TYPE_INTEGER && key->type.bits == 128 && !key->type.lanes;
    return wide ? instructions_of(of_integers, key->opcode) : 0;
}

void schedule_library(struct code *c, const struct schedule *s, uint32_t i, enum bound bound)
{
    unsigned n = routine_of(s, i);
    if (!n || s->est->keys.at[s->p->instructions[i].key].own)
        return;
    struct cycles pitch, latency, add_pitch, add_latency;
    costs_of_instruction(&pitch, &latency, s->est->costs, IR_CALL);
    costs_of_instruction(&add_pitch, &add_latency, s->est->costs, IR_ADD);
    /* every second instruction waits for the previous one */
    double each = (cycles_pick(&add_pitch, bound) + cycles_pick(&add_latency, bound)) / 2;
    c->slots = (float)s->issue;
    c->pitch = (float)(cycles_pick(&pitch, bound) + n * each);
    c->latency = (float)(cycles_pick(&latency, bound) + n * each);
    c->barrier = true;
}
