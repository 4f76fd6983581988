/*
 * decode_aarch64.h - between the files of the A64 decoder: fields of the word, and putting an op together. Registers
 * stand in fixed fields and are read there (Arm Architecture Reference Manual, C4 "A64 instruction set encoding"): what
 * capstone 4 says of the operands of aliases (cmp, mov, lsl) is that of the instruction after them, with the operands
 * at other places. Capstone says whether the word is an instruction at all, and which vector instruction it is.
 */
#ifndef SIM_CORE_DECODE_AARCH64_H
#define SIM_CORE_DECODE_AARCH64_H

#include "sim/core/op.h"

#include <capstone/capstone.h>

static inline uint32_t bits(uint32_t word, unsigned high, unsigned low)
{
    return word >> low & (UINT32_MAX >> (31 - (high - low)));
}

static inline int64_t signed_bits(uint32_t word, unsigned high, unsigned low)
{
    uint32_t top = 31 - high;
    return (int32_t)(word << top) >> (top + low);
}

static inline void source(struct iss_op *op, unsigned reg, enum iss_need need)
{
    if (op->n_sources < ISS_SOURCES) {
        op->source[op->n_sources].reg = (uint8_t)reg;
        op->source[op->n_sources++].need = (uint8_t)need;
    }
}

static inline void dest(struct iss_op *op, unsigned reg)
{
    if (op->n_dests < ISS_DESTS)
        op->dest[op->n_dests++] = (uint8_t)reg;
}

/* Register 31 is the stack pointer in some places, zero in the others. */
static inline void source_or_zero(struct iss_op *op, unsigned reg, enum iss_need need)
{
    source(op, reg == 31 ? ISS_REG_NONE : reg, need);
}

static inline void dest_or_zero(struct iss_op *op, unsigned reg)
{
    dest(op, reg == 31 ? ISS_REG_NONE : reg);
}

static inline unsigned rd(uint32_t w)
{
    return w & 31;
}
static inline unsigned rn(uint32_t w)
{
    return w >> 5 & 31;
}
static inline unsigned ra(uint32_t w)
{
    return w >> 10 & 31;
}
static inline unsigned rm(uint32_t w)
{
    return w >> 16 & 31;
}

static inline unsigned fp(unsigned reg)
{
    return ISS_REG_FP + reg;
}

/* decode_aarch64_memory.c, decode_aarch64_fp.c: what the word is beyond its class is filled in. */
void iss_a64_load_store(struct iss_op *op, uint32_t w);
void iss_a64_scalar_fp(struct iss_op *op, uint32_t w);
void iss_a64_vector(struct iss_op *op, uint32_t w, const cs_insn *insn);

#endif
