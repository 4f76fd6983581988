/* expand_rvc.c - expands compressed RISC-V instructions: the bits of a constant are collected, and the full instruction
 * is written. Functions are named like the manual's formats. */
#include "sim/core/expand_rvc.h"

/* Bits hi..lo of c, shifted so that the lowest stands at bit `to`. */
static uint32_t bits(uint32_t c, unsigned hi, unsigned lo, unsigned to)
{
    return (c >> lo & ((2u << (hi - lo)) - 1)) << to;
}

static int32_t sign_extend(uint32_t value, unsigned width)
{
    uint32_t sign = 1u << (width - 1);
    return (int32_t)((value ^ sign) - sign);
}

/* ---- Full formats ---- */

enum { LOAD = 0x03, LOAD_FP = 0x07, OP_IMM = 0x13, OP_IMM_32 = 0x1b, STORE = 0x23, STORE_FP = 0x27, OP = 0x33 };
enum { LUI = 0x37, OP_32 = 0x3b, BRANCH = 0x63, JALR = 0x67, JAL = 0x6f };
enum { RA = 1, SP = 2, WORD = 2, DOUBLE = 3 /* funct3 of loads and stores */ };

static uint32_t i_type(uint32_t opcode, uint32_t funct3, uint32_t rd, uint32_t rs1, int32_t imm)
{
    return (uint32_t)imm << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
static uint32_t s_type(uint32_t opcode, uint32_t funct3, uint32_t rs1, uint32_t rs2, uint32_t imm)
{
    return imm >> 5 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (imm & 31) << 7 | opcode;
}
static uint32_t r_type(uint32_t opcode, uint32_t funct3, uint32_t funct7, uint32_t rd, uint32_t rs1, uint32_t rs2)
{
    return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
static uint32_t b_type(uint32_t funct3, uint32_t rs1, int32_t imm)
{
    uint32_t i = (uint32_t)imm;
    return bits(i, 12, 12, 31) | bits(i, 10, 5, 25) | rs1 << 15 | funct3 << 12 | bits(i, 4, 1, 8) | bits(i, 11, 11, 7) |
           BRANCH;
}
static uint32_t j_type(uint32_t rd, int32_t imm)
{
    uint32_t i = (uint32_t)imm;
    return bits(i, 20, 20, 31) | bits(i, 10, 1, 21) | bits(i, 11, 11, 20) | bits(i, 19, 12, 12) | rd << 7 | JAL;
}

/* ---- Quadrant 0: loads and stores of the popular registers
 * -----------------------------------------------------------
 */

static uint32_t quadrant_0(uint32_t c)
{
    uint32_t rs1 = 8 + bits(c, 9, 7, 0), r = 8 + bits(c, 4, 2, 0);
    uint32_t w = bits(c, 12, 10, 3) | bits(c, 6, 6, 2) | bits(c, 5, 5, 6); /* offset of a word */
    uint32_t d = bits(c, 12, 10, 3) | bits(c, 6, 5, 6);                    /* of 64 bits */
    uint32_t sp = bits(c, 12, 11, 4) | bits(c, 10, 7, 6) | bits(c, 6, 6, 2) | bits(c, 5, 5, 3);
    switch (c >> 13) {
    case 0:
        return sp ? i_type(OP_IMM, 0, r, SP, (int32_t)sp) : 0;
    case 1:
        return i_type(LOAD_FP, DOUBLE, r, rs1, (int32_t)d);
    case 2:
        return i_type(LOAD, WORD, r, rs1, (int32_t)w);
    case 3:
        return i_type(LOAD, DOUBLE, r, rs1, (int32_t)d);
    case 5:
        return s_type(STORE_FP, DOUBLE, rs1, r, d);
    case 6:
        return s_type(STORE, WORD, rs1, r, w);
    case 7:
        return s_type(STORE, DOUBLE, rs1, r, d);
    }
    return 0;
}

/* ---- Quadrant 1: arithmetic, jumps, branches
 * -------------------------------------------------------------------------
 */

static uint32_t arithmetic(uint32_t c, int32_t imm)
{
    static const uint8_t funct3[8] = {0, 4, 6, 7, 0, 0}; /* sub xor or and; subw addw */
    uint32_t rd = 8 + bits(c, 9, 7, 0), rs2 = 8 + bits(c, 4, 2, 0);
    uint32_t shift = bits(c, 12, 12, 5) | bits(c, 6, 2, 0), which = bits(c, 12, 12, 2) | bits(c, 6, 5, 0);
    switch (bits(c, 11, 10, 0)) {
    case 0:
        return i_type(OP_IMM, 5, rd, rd, (int32_t)shift);
    case 1:
        return i_type(OP_IMM, 5, rd, rd, (int32_t)(shift | 0x400));
    case 2:
        return i_type(OP_IMM, 7, rd, rd, imm);
    }
    if (which > 5)
        return 0;
    return r_type(which & 4 ? OP_32 : OP, funct3[which], which == 0 || which == 4 ? 0x20 : 0, rd, rd, rs2);
}

static uint32_t quadrant_1(uint32_t c)
{
    uint32_t rd = bits(c, 11, 7, 0), rs1 = 8 + bits(c, 9, 7, 0);
    int32_t imm = sign_extend(bits(c, 12, 12, 5) | bits(c, 6, 2, 0), 6);
    int32_t sp =
        sign_extend(bits(c, 12, 12, 9) | bits(c, 6, 6, 4) | bits(c, 5, 5, 6) | bits(c, 4, 3, 7) | bits(c, 2, 2, 5), 10);
    int32_t jump = sign_extend(bits(c, 12, 12, 11) | bits(c, 11, 11, 4) | bits(c, 10, 9, 8) | bits(c, 8, 8, 10) |
                                   bits(c, 7, 7, 6) | bits(c, 6, 6, 7) | bits(c, 5, 3, 1) | bits(c, 2, 2, 5),
                               12);
    int32_t branch = sign_extend(
        bits(c, 12, 12, 8) | bits(c, 11, 10, 3) | bits(c, 6, 5, 6) | bits(c, 4, 3, 1) | bits(c, 2, 2, 5), 9);
    switch (c >> 13) {
    case 0:
        return i_type(OP_IMM, 0, rd, rd, imm);
    case 1:
        return rd ? i_type(OP_IMM_32, 0, rd, rd, imm) : 0;
    case 2:
        return i_type(OP_IMM, 0, rd, 0, imm);
    case 3:
        if (rd == SP)
            return sp ? i_type(OP_IMM, 0, SP, SP, sp) : 0;
        return imm ? (uint32_t)imm << 12 | rd << 7 | LUI : 0;
    case 4:
        return arithmetic(c, imm);
    case 5:
        return j_type(0, jump);
    }
    return b_type(c >> 13 & 1, rs1, branch);
}

/* ---- Quadrant 2: relative to the stack pointer; moves, jumps to registers
 * --------------------------------------------
 */

static uint32_t move_or_jump(uint32_t c)
{
    uint32_t rd = bits(c, 11, 7, 0), rs2 = bits(c, 6, 2, 0), link = bits(c, 12, 12, 0);
    if (rs2)
        return r_type(OP, 0, 0, rd, link ? rd : 0, rs2); /* add, or mv */
    if (!rd)
        return link ? 0x00100073 : 0; /* ebreak */
    return i_type(JALR, 0, link ? RA : 0, rd, 0);
}

static uint32_t quadrant_2(uint32_t c)
{
    uint32_t rd = bits(c, 11, 7, 0), rs2 = bits(c, 6, 2, 0), shift = bits(c, 12, 12, 5) | rs2;
    uint32_t load_w = bits(c, 12, 12, 5) | bits(c, 6, 4, 2) | bits(c, 3, 2, 6);
    uint32_t load_d = bits(c, 12, 12, 5) | bits(c, 6, 5, 3) | bits(c, 4, 2, 6);
    uint32_t store_w = bits(c, 12, 9, 2) | bits(c, 8, 7, 6), store_d = bits(c, 12, 10, 3) | bits(c, 9, 7, 6);
    switch (c >> 13) {
    case 0:
        return i_type(OP_IMM, 1, rd, rd, (int32_t)shift);
    case 1:
        return i_type(LOAD_FP, DOUBLE, rd, SP, (int32_t)load_d);
    case 2:
        return rd ? i_type(LOAD, WORD, rd, SP, (int32_t)load_w) : 0;
    case 3:
        return rd ? i_type(LOAD, DOUBLE, rd, SP, (int32_t)load_d) : 0;
    case 4:
        return move_or_jump(c);
    case 5:
        return s_type(STORE_FP, DOUBLE, SP, rs2, store_d);
    case 6:
        return s_type(STORE, WORD, SP, rs2, store_w);
    }
    return s_type(STORE, DOUBLE, SP, rs2, store_d);
}

uint32_t iss_expand_rvc(uint16_t c)
{
    switch (c & 3) {
    case 0:
        return quadrant_0(c);
    case 1:
        return quadrant_1(c);
    case 2:
        return quadrant_2(c);
    }
    return 0;
}
