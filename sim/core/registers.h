/*
 * registers.h - the integer registers' values, as far as they follow from constants and from what was loaded. qemu 7.2
 * lets a plugin read no registers; two things need their values: the time of a division, and whether a branch to the
 * instruction after it was taken. A value that does not follow is unknown, and the model's typical figure is taken.
 */
#ifndef SIM_CORE_REGISTERS_H
#define SIM_CORE_REGISTERS_H

#include "sim/core/op.h"

struct iss_values {
    uint64_t reg[32];
    uint32_t known; /* a bit for each */
    bool flags_known;
    uint8_t flags_value; /* enum iss_value of the instruction that set them: addition, subtraction, and */
    uint8_t flags_width;
    uint64_t a, b; /* its operands */
};

/* Nothing is known. */
static inline void iss_values_reset(struct iss_values *v)
{
    v->known = 0;
    v->flags_known = false;
}

/* `op` is executed; `loaded`: what it read from memory, not extended; NULL: not known. */
void iss_values_step(struct iss_values *v, const struct iss_op *op, const uint64_t *loaded);

/* Of a division: significant bits of its quotient's magnitude; -1: not known. Asked before the step. */
int iss_values_quotient_bits(const struct iss_values *v, const struct iss_op *op);

/* Is the op's condition met? 1, 0; -1: not known. Asked before the step. */
int iss_values_condition(const struct iss_values *v, const struct iss_op *op);

#endif
