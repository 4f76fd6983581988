/*
 * schedule_division.c - divisions by constants, which become a high multiplication and shifts; for powers of two only
 * shifts. Signed ones need more instructions to round towards 0. Remainders also multiply and subtract, by variables too
 * where the target has no instruction for them.
 */
#include <math.h>

#include "shimgen/estimate/schedule/schedule.h"

struct recipe {
    unsigned instructions;
    double latency;
    double pitch; /* of its multiplications */
};

static double simple(const struct schedule *s, enum ir_opcode opcode, enum bound bound)
{
    struct cycles pitch, latency;
    costs_of_instruction(&pitch, &latency, s->est->costs, opcode);
    return cycles_pick(&latency, bound);
}

/* Adds a multiplication of this type. */
static void multiply(struct recipe *r, const struct schedule *s, const char *type, bool high, enum bound bound)
{
    struct cycles pitch, latency;
    costs_of_typed(&pitch, &latency, s->est->costs, IR_MUL, type);
    r->instructions++;
    r->latency += cycles_pick(&latency, bound) + (high ? cycles_pick(&pitch, bound) : 0);
    r->pitch += cycles_pick(&pitch, bound) * (high ? 2 : 1);
}

/* udiv: lsr; urem: and; sdiv: add, cmp, csel, asr; srem: and, negs, and, csneg. */
static struct recipe by_power(const struct schedule *s, enum ir_opcode opcode, enum bound bound)
{
    double add = simple(s, IR_ADD, bound), shift = simple(s, IR_LSHR, bound);
    switch (opcode) {
    case IR_UDIV:
        return (struct recipe){1, shift, 0};
    case IR_UREM:
        return (struct recipe){1, simple(s, IR_AND, bound), 0};
    case IR_SDIV:
        return (struct recipe){4, 2 * add + shift, 0};
    default:
        return (struct recipe){4, 3 * add, 0};
    }
}

/* udiv: umull, lsr; sdiv: smull, lsr, asr, add; a remainder, then: mul, sub, or msub. */
static struct recipe by_number(const struct schedule *s, enum ir_opcode opcode, unsigned bits,
                               const struct target *target, enum bound bound)
{
    bool has_sign = opcode == IR_SDIV || opcode == IR_SREM, remains = opcode == IR_UREM || opcode == IR_SREM;
    bool fuses = target_has(target, TARGET_FUSES_PRODUCT);
    bool wide = bits > 32, as_word = !wide && target_has(target, TARGET_WIDENS_PRODUCT);
    struct recipe r = {1, simple(s, IR_LSHR, bound), 0};
    multiply(&r, s, as_word ? "i32" : "i64", wide, bound); /* for 32 bits, both halves are in one register */
    if (has_sign) {
        r.instructions += fuses && wide ? 1 : 2; /* its addition includes the shift of the sign */
        r.latency += simple(s, IR_ADD, bound);
    }
    if (remains) {
        multiply(&r, s, wide ? "i64" : "i32", false, bound);
        r.instructions += fuses ? 0 : 1;
        r.latency += fuses ? 0 : simple(s, IR_SUB, bound);
    }
    return r;
}

/* Not every target has a high multiplication of vectors: a multiplication, a shift, and one instruction between. */
static struct recipe of_vector(const struct schedule *s, enum bound bound)
{
    return (struct recipe){3, simple(s, IR_MUL, bound) + simple(s, IR_LSHR, bound), 0};
}

/* A product of two variables has the bits of both, so dividing it gives a long quotient, and dividers produce a few
 * bits per step. The division is longer by the difference between the type's worst and typical value. */
static void divide_product(struct code *c, const struct schedule *s, uint32_t i)
{
    const struct irprof_instruction *in = &s->p->instructions[i];
    const struct ir_key *key = schedule_key(s, i);
    uint32_t of = in->n_operands == 2 ? s->p->operands[in->first_operand].producer : IRPROF_NONE;
    bool product = of != IRPROF_NONE && schedule_key(s, of)->opcode == IR_MUL && s->p->instructions[of].n_operands == 2;
    if (!product || key->type.lanes || key->type.bits != 64)
        return;
    bool has_sign = key->opcode == IR_SDIV || key->opcode == IR_SREM;
    struct cycles pitch, latency;
    costs_of_instruction(&pitch, &latency, s->est->costs, has_sign ? IR_SDIV : IR_UDIV);
    c->pitch += (float)(pitch.worst - pitch.typical);
    c->latency += (float)(latency.worst - latency.typical);
}

/* A remainder by division: a product is subtracted as soon as the quotient is there. Compilers take divisions to be much
 * shorter than they are (LLVM's model of the Cortex-A53: 4 cycles), so little stands between the two. Whatever comes
 * later waits for the subtraction, too. */
static void subtract_product(struct code *c, const struct schedule *s, const struct ir_key *key, enum bound bound)
{
    struct cycles pitch, latency;
    costs_of_typed(&pitch, &latency, s->est->costs, IR_MUL, key->type.bits > 32 ? "i64" : "i32");
    c->slots = (float)(2 * s->issue);
    c->holds = (float)fmax(0, (double)c->latency - cycles_pick(&latency, bound) - s->issue);
}

static bool is_remainder(const struct ir_key *key)
{
    return (key->opcode == IR_UREM || key->opcode == IR_SREM) && !key->type.lanes && key->type.bits <= 64;
}

void schedule_division(struct code *c, const struct schedule *s, uint32_t i, bool optimised,
                       const struct target *target, enum bound bound)
{
    const struct ir_key *key = schedule_key(s, i);
    unsigned constants = s->p->instructions[i].constants;
    bool kept = !optimised && target_has(target, TARGET_KEEPS_DIVISION);
    bool divides = key->class == IR_CLASS_DIVISION && (kept || !(constants & IRPROF_CONSTANT));
    if (divides && !schedule_quotient(c, s, i, bound) && !(constants & IRPROF_CONSTANT))
        divide_product(c, s, i);
    if (divides && is_remainder(key) && !s->out_of_order && target_has(target, TARGET_NO_REMAINDER))
        subtract_product(c, s, key, bound);
    if (key->class != IR_CLASS_DIVISION || !(constants & IRPROF_CONSTANT) || kept || key->type.bits > 64)
        return;
    struct recipe r = key->type.lanes                    ? of_vector(s, bound)
                      : constants & IRPROF_CONSTANT_EASY ? by_power(s, key->opcode, bound)
                                                         : by_number(s, key->opcode, key->type.bits, target, bound);
    c->slots = (float)(r.instructions * s->issue);
    c->pitch = (float)fmax(c->slots, r.pitch);
    c->latency = (float)r.latency;
}
