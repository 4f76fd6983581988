/*
 * schedule_vector.c - what single vector instructions become. Elements are widened or narrowed by a factor of two at a
 * time, register by register. A reduction adds its registers, then the elements of the last one. All of these take
 * turns in the vector unit, which takes at least the time of an addition for each register.
 */
#include <math.h>
#include <string.h>

#include "shimgen/estimate/schedule/schedule.h"

enum { REGISTER = 128 };

static double registers(double lanes, double bits)
{
    return fmax(1, ceil(lanes * bits / REGISTER));
}

/* The type of the instruction's first operand; NULL: not known. */
static const struct ir_type *operand_type(const struct schedule *s, uint32_t i)
{
    const struct irprof_instruction *in = &s->p->instructions[i];
    uint32_t of = in->n_operands ? s->p->operands[in->first_operand].producer : IRPROF_NONE;
    return of == IRPROF_NONE ? 0 : &schedule_key(s, of)->type;
}

/* Sets n instructions, of which `steps` depend on each other. */
static void set(struct code *c, const struct schedule *s, double n, double steps, enum bound bound)
{
    struct cycles pitch, latency;
    costs_of_typed(&pitch, &latency, s->est->costs, IR_ADD, "v4i32");
    c->slots = (float)(n * s->issue);
    c->pitch = (float)(n * cycles_pick(&pitch, bound));
    c->latency = (float)(steps * cycles_pick(&latency, bound));
}

unsigned schedule_widening(const struct schedule *s, uint32_t i)
{
    const struct ir_type *to = &schedule_key(s, i)->type, *from = operand_type(s, i);
    if (schedule_key(s, i)->class != IR_CLASS_EXTENSION || !from || !to->lanes || from->bits < 8)
        return 1;
    return to->bits / from->bits;
}

void schedule_save_step(struct code *c, const struct schedule *s, uint32_t i)
{
    const struct ir_type *to = &schedule_key(s, i)->type;
    float left = c->slots - (float)(registers(to->lanes, to->bits) * s->issue);
    c->pitch *= left > 0 ? left / c->slots : 0;
    c->slots = left > 0 ? left : 0;
}

/* Widens or narrows `lanes` elements by factors of two, until they have `to` bits. */
static void resize(struct code *c, const struct schedule *s, unsigned lanes, unsigned from, unsigned to,
                   enum bound bound)
{
    double n = 0, steps = 0;
    while (from < to) {
        from *= 2;
        n += registers(lanes, from);
        steps++;
    }
    while (from > to) {
        from /= 2;
        n += registers(lanes, from);
        steps++;
    }
    set(c, s, n, steps, bound);
}

/* The unit's time for half a register relative to a whole one: that for one number relative to two. */
static double half(const struct schedule *s, enum bound bound)
{
    struct cycles one, two, latency;
    costs_of_typed(&one, &latency, s->est->costs, IR_FADD, "double");
    costs_of_typed(&two, &latency, s->est->costs, IR_FADD, "v2f64");
    double by = cycles_pick(&one, bound) / fmax(cycles_pick(&two, bound), 1e-9);
    return by < 1 ? fmax(by, 0.5) : 1;
}

/* A reduction of one register that was measured. */
static void reduce(struct code *c, const struct schedule *s, const struct ir_type *of, enum bound bound)
{
    struct cycles pitch, latency, add_pitch, add_latency;
    costs_of_typed(&add_pitch, &add_latency, s->est->costs, IR_ADD, "v4i32");
    costs_of_instruction(&pitch, &latency, s->est->costs, IR_EXTRACTELEMENT);
    double n = registers(of->lanes, of->bits);
    c->slots = (float)((n + 1) * s->issue);
    c->pitch += (float)((n - 1) * cycles_pick(&add_pitch, bound));
    c->latency = (float)((ceil(log2(n)) + 1) * cycles_pick(&add_latency, bound) + cycles_pick(&latency, bound));
}

/* Minimum, maximum and absolute difference: for vectors one instruction per register. */
static bool is_minimum(const struct ir_key *key)
{
    static const char *const names[] = {"smin", "smax", "umin", "umax", "abs"};
    for (size_t k = 0; key->form == IR_INTRINSIC && key->name && k < sizeof names / sizeof *names; k++)
        if (key->n_name == strlen(names[k]) && memcmp(key->name, names[k], key->n_name) == 0 && key->type.bits < 64)
            return true;
    return false;
}

static bool is_reduction(const struct ir_key *key)
{
    return key->opcode == IR_CALL && key->form == IR_INTRINSIC && key->name &&
           strncmp(key->name, "vector.reduce.", strlen("vector.reduce.")) == 0 && key->type.kind == IR_TYPE_INTEGER;
}

void schedule_vector(struct code *c, const struct schedule *s, uint32_t i, enum bound bound)
{
    const struct ir_key *key = schedule_key(s, i);
    const struct ir_type *from = operand_type(s, i), *to = &key->type;
    if (s->out_of_order)
        return;
    if (is_reduction(key) && from && from->lanes && s->est->keys.at[s->p->instructions[i].key].own) {
        reduce(c, s, from, bound);
        return;
    }
    if (!to->lanes || to->scalable || key->opcode == IR_LOAD || key->opcode == IR_STORE || key->opcode == IR_PHI)
        return;
    bool resizes = key->class == IR_CLASS_EXTENSION || key->class == IR_CLASS_TRUNCATION;
    if (resizes && from && from->bits >= 8 && to->bits >= 8 && from->kind == IR_TYPE_INTEGER) {
        resize(c, s, to->lanes, from->bits, to->bits, bound);
        return;
    }
    if (!(c->slots > 0) || s->est->keys.at[s->p->instructions[i].key].own)
        return;
    bool halves = to->lanes * to->bits <= REGISTER / 2;
    if (is_minimum(key))
        set(c, s, registers(to->lanes, to->bits), 1, bound);
    struct cycles pitch, latency;
    costs_of_typed(&pitch, &latency, s->est->costs, IR_ADD, "v4i32");
    c->pitch = fmaxf(c->pitch, c->slots / (float)s->issue * (float)cycles_pick(&pitch, bound));
    bool unknown = key->class == IR_CLASS_COMPARE || key->class == IR_CLASS_FCOMPARE || key->class == IR_CLASS_SELECT ||
                   key->class == IR_CLASS_EXTENSION;
    if (halves)
        c->pitch *= (float)half(s, bound);
    if (unknown)
        c->latency = fmaxf(c->latency, (float)cycles_pick(&latency, bound));
}
