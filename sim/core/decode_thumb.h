/*
 * decode_thumb.h - between the files of the Thumb-2 decoder (Armv7-M with the DSP and the single-precision extension,
 * and what Armv7-A has more of in the same encodings): capstone says which instruction it is and what its operands are;
 * here they become registers of an op.
 */
#ifndef SIM_CORE_DECODE_THUMB_H
#define SIM_CORE_DECODE_THUMB_H

#include "sim/core/op.h"

#include <capstone/capstone.h>

enum { THUMB_SP = 13, THUMB_LR = 14, THUMB_PC = 15 };

/* Capstone 5 has ids of their own for movs in two bytes, for vmrs into the flags and for vmov of constants. */
static inline unsigned thumb_id(const cs_insn *insn)
{
#if CS_API_MAJOR >= 5
    if (insn->id == ARM_INS_MOVS)
        return ARM_INS_MOV;
    if (insn->id == ARM_INS_FMSTAT)
        return ARM_INS_VMRS;
    if (insn->id == ARM_INS_FCONSTS || insn->id == ARM_INS_FCONSTD)
        return ARM_INS_VMOV;
#endif
    return insn->id;
}

static inline bool thumb_is_core(unsigned reg)
{
    return (reg >= ARM_REG_R0 && reg <= ARM_REG_R12) || reg == ARM_REG_SP || reg == ARM_REG_LR || reg == ARM_REG_PC;
}
static inline bool thumb_is_single(unsigned reg)
{
    return reg >= ARM_REG_S0 && reg <= ARM_REG_S31;
}
static inline bool thumb_is_double(unsigned reg)
{
    return reg >= ARM_REG_D0 && reg <= ARM_REG_D31;
}

/* 0-15 of a core register. */
static inline unsigned thumb_number(unsigned reg)
{
    return reg == ARM_REG_SP   ? THUMB_SP
           : reg == ARM_REG_LR ? THUMB_LR
           : reg == ARM_REG_PC ? THUMB_PC
                               : reg - ARM_REG_R0;
}

static inline void thumb_put_source(struct iss_op *op, unsigned reg, enum iss_need need)
{
    if (op->n_sources < ISS_SOURCES) {
        op->source[op->n_sources].reg = (uint8_t)reg;
        op->source[op->n_sources++].need = (uint8_t)need;
    }
}
static inline void thumb_put_dest(struct iss_op *op, unsigned reg)
{
    if (op->n_dests < ISS_DESTS)
        op->dest[op->n_dests++] = (uint8_t)reg;
    else if (reg < 32)
        op->lost |= UINT32_C(1) << reg;
}

/* The two halves of a double are registers of their own; those beyond the sixteenth have no names here. The program
 * counter is a constant. */
static inline void thumb_source(struct iss_op *op, unsigned reg, enum iss_need need)
{
    if (thumb_is_core(reg) && reg != ARM_REG_PC) {
        thumb_put_source(op, thumb_number(reg), need);
    } else if (thumb_is_single(reg)) {
        thumb_put_source(op, ISS_REG_FP + reg - ARM_REG_S0, need);
    } else if (thumb_is_double(reg) && reg - ARM_REG_D0 < 16) {
        thumb_put_source(op, ISS_REG_FP + 2 * (reg - ARM_REG_D0), need);
        thumb_put_source(op, ISS_REG_FP + 2 * (reg - ARM_REG_D0) + 1, need);
    }
}
static inline void thumb_dest(struct iss_op *op, unsigned reg)
{
    if (thumb_is_core(reg) && reg != ARM_REG_PC) {
        thumb_put_dest(op, thumb_number(reg));
    } else if (thumb_is_single(reg)) {
        thumb_put_dest(op, ISS_REG_FP + reg - ARM_REG_S0);
    } else if (thumb_is_double(reg) && reg - ARM_REG_D0 < 16) {
        thumb_put_dest(op, ISS_REG_FP + 2 * (reg - ARM_REG_D0));
        thumb_put_dest(op, ISS_REG_FP + 2 * (reg - ARM_REG_D0) + 1);
    }
}

/* The address of an access: its registers, its constant; what is written back is the last of dest. The place of the
 * memory operand among the operands; -1: there is none. */
int iss_thumb_address(struct iss_op *op, const cs_arm *a);
/* Of a list of op->bytes: where it is, and what is written back. `down`: it ends below the base; `back`: the base follows
 * it. A base after a full list of destinations is lost. */
void iss_thumb_list(struct iss_op *op, unsigned base, bool down, bool back);
void iss_thumb_write_back(struct iss_op *op, const cs_arm *a, int memory);

/* decode_thumb_fp.c: an instruction of the floating-point unit. False: it is none that is known. */
bool iss_thumb_fp(struct iss_op *op, const cs_insn *insn);

#endif
