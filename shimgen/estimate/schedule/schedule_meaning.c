/*
 * schedule_meaning.c - expands an IR instruction that becomes several machine instructions (intrinsics and switches)
 * into instructions for which a SHIM file has values.
 */
#include "shimgen/estimate/schedule/schedule.h"

/* Adds an instruction: the file's values, or those of its stand-in. */
static void add_instruction(struct code *c, const struct schedule *s, enum ir_opcode opcode, enum bound bound)
{
    struct cycles pitch, latency;
    costs_of_instruction(&pitch, &latency, s->est->costs, opcode);
    c->slots += (float)s->issue;
    c->pitch += (float)cycles_pick(&pitch, bound);
    c->latency += (float)cycles_pick(&latency, bound);
}

bool schedule_meaning(struct code *c, const struct schedule *s, const struct ir_key *key, struct map *units,
                      enum bound bound)
{
    const enum ir_opcode *does = ir_key_does(key);
    if (!does)
        return false;
    c->slots = c->pitch = c->latency = 0;
    if (key->opcode == IR_CALL)
        c->unit = (uint32_t)map_number(units, ir_instruction(*does)->name);
    for (; *does != IR_NONE; does++)
        add_instruction(c, s, *does, bound);
    return true;
}
