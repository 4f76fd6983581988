/*
 * decode_aarch64.c - A64 instructions. Registers stand in fixed fields of the word and are read there (Arm Architecture
 * Reference Manual, C4 "A64 instruction set encoding"): what capstone 4 says of the operands of aliases (cmp, mov, lsl)
 * is that of the instruction behind them, with the operands at other places. Capstone says whether the word is an
 * instruction at all, and which vector instruction it is.
 */
#include "op.h"

#include <capstone/capstone.h>
#include <string.h>

/* ---- putting an op together ---- */

static uint32_t bits(uint32_t word, unsigned high, unsigned low)
{
    return word >> low & (UINT32_MAX >> (31 - (high - low)));
}

static int64_t signed_bits(uint32_t word, unsigned high, unsigned low)
{
    uint32_t top = 31 - high;
    return (int32_t)(word << top) >> (top + low);
}

static void source(struct iss_op *op, unsigned reg, enum iss_need need)
{
    if (op->n_sources < ISS_SOURCES) {
        op->source[op->n_sources].reg = (uint8_t)reg;
        op->source[op->n_sources++].need = (uint8_t)need;
    }
}

static void dest(struct iss_op *op, unsigned reg)
{
    if (op->n_dests < ISS_DESTS)
        op->dest[op->n_dests++] = (uint8_t)reg;
}

/* Register 31 is the stack pointer in some places, zero in the others. */
static void source_or_zero(struct iss_op *op, unsigned reg, enum iss_need need)
{
    source(op, reg == 31 ? ISS_REG_NONE : reg, need);
}

static void dest_or_zero(struct iss_op *op, unsigned reg)
{
    dest(op, reg == 31 ? ISS_REG_NONE : reg);
}

static unsigned rd(uint32_t w)
{
    return w & 31;
}
static unsigned rn(uint32_t w)
{
    return w >> 5 & 31;
}
static unsigned ra(uint32_t w)
{
    return w >> 10 & 31;
}
static unsigned rm(uint32_t w)
{
    return w >> 16 & 31;
}

/* ---- data processing, immediate ---- */

static void add_immediate(struct iss_op *op, uint32_t w)
{
    bool flags = bits(w, 29, 29);
    op->class = flags && rd(w) == 31 ? ISS_COMPARE : ISS_ALU;
    source(op, rn(w), ISS_NEED_OPERAND);
    if (flags)
        dest_or_zero(op, rd(w));
    else
        dest(op, rd(w));
    if (flags)
        dest(op, ISS_REG_FLAGS);
    op->value = bits(w, 30, 30) ? ISS_VALUE_SUB : ISS_VALUE_ADD;
    op->constant = (int64_t)bits(w, 21, 10) << (bits(w, 22, 22) ? 12 : 0);
}

/* The bit masks of logical immediates: an element of 2 to 64 bits with a run of ones, turned, repeated. */
static uint64_t mask_immediate(uint32_t w)
{
    unsigned n = bits(w, 22, 22), turn = bits(w, 21, 16), ones = bits(w, 15, 10);
    unsigned length = n ? 64 : 32;
    while (!n && length > 2 && (ones & length))
        length /= 2;
    uint64_t all = length == 64 ? UINT64_MAX : (UINT64_C(1) << length) - 1;
    unsigned run = (ones & (length - 1)) + 1;
    uint64_t element = run == 64 ? UINT64_MAX : (UINT64_C(1) << run) - 1;
    turn &= length - 1;
    if (turn)
        element = (element >> turn | element << (length - turn)) & all;
    for (; length < 64; length *= 2)
        element |= element << length;
    return element;
}

static void logic_immediate(struct iss_op *op, uint32_t w)
{
    static const uint8_t values[] = {ISS_VALUE_AND, ISS_VALUE_OR, ISS_VALUE_XOR, ISS_VALUE_AND};
    unsigned opc = bits(w, 30, 29);
    op->class = opc == 3 && rd(w) == 31 ? ISS_COMPARE : opc == 1 && rn(w) == 31 ? ISS_MOVE_IMM : ISS_ALU;
    source_or_zero(op, rn(w), ISS_NEED_OPERAND);
    if (opc == 3) {
        dest_or_zero(op, rd(w));
        dest(op, ISS_REG_FLAGS);
    } else {
        dest(op, rd(w));
    }
    op->value = values[opc];
    op->constant = (int64_t)mask_immediate(w);
}

static void move_wide(struct iss_op *op, uint32_t w)
{
    unsigned opc = bits(w, 30, 29), shift = bits(w, 22, 21) * 16;
    uint64_t value = (uint64_t)bits(w, 20, 5) << shift;
    op->class = ISS_MOVE_IMM;
    if (opc == 3)
        source_or_zero(op, rd(w), ISS_NEED_OPERAND);
    dest_or_zero(op, rd(w));
    op->value = opc == 3 ? ISS_VALUE_INSERT : ISS_VALUE_CONSTANT;
    op->shift = (uint8_t)shift;
    op->constant = opc == 0 ? (int64_t)~value : opc == 3 ? (int64_t)bits(w, 20, 5) : (int64_t)value;
}

/* What of bit fields are shifts and extensions is followed, the rest is not. */
static void bit_field(struct iss_op *op, uint32_t w)
{
    unsigned opc = bits(w, 30, 29), r = bits(w, 21, 16), s = bits(w, 15, 10), top = op->width - 1;
    op->class = ISS_SHIFT;
    source_or_zero(op, rn(w), ISS_NEED_SHIFTED);
    if (opc == 1)
        source_or_zero(op, rd(w), ISS_NEED_SHIFTED);
    dest_or_zero(op, rd(w));
    if (opc == 1)
        return;
    if (s == top) {
        op->value = opc == 0 ? ISS_VALUE_SAR : ISS_VALUE_SHR;
        op->constant = r;
    } else if (r == 0) {
        op->value = opc == 0 ? ISS_VALUE_SIGN : ISS_VALUE_ZERO;
        op->shift = (uint8_t)(s + 1);
    } else if (opc == 2 && s + 1 == r) {
        op->value = ISS_VALUE_SHL;
        op->constant = top - s;
    }
}

static void immediate(struct iss_op *op, uint32_t w, uint64_t address)
{
    op->width = bits(w, 31, 31) ? 64 : 32;
    switch (bits(w, 25, 23)) {
    case 0:
    case 1: /* adr, adrp */
        op->class = ISS_MOVE_IMM;
        dest_or_zero(op, rd(w));
        op->width = 64;
        op->value = ISS_VALUE_CONSTANT;
        op->constant = signed_bits(w, 23, 5) * 4 + (int64_t)bits(w, 30, 29);
        op->constant = bits(w, 31, 31) ? (int64_t)(address & ~UINT64_C(4095)) + op->constant * 4096
                                       : (int64_t)address + op->constant;
        return;
    case 2:
        add_immediate(op, w);
        return;
    case 4:
        logic_immediate(op, w);
        return;
    case 5:
        move_wide(op, w);
        return;
    case 6:
        bit_field(op, w);
        return;
    case 7: /* extr; ror is extr of one register twice */
        op->class = ISS_SHIFT;
        source_or_zero(op, rn(w), ISS_NEED_SHIFTED);
        source_or_zero(op, rm(w), ISS_NEED_SHIFTED);
        dest_or_zero(op, rd(w));
        return;
    default:
        op->class = ISS_UNKNOWN;
    }
}

/* ---- data processing, registers ---- */

/* Logic, and addition of a register that is shifted by a constant. */
static void shifted_register(struct iss_op *op, uint32_t w)
{
    bool add = bits(w, 24, 24), negated = bits(w, 21, 21);
    unsigned opc = bits(w, 30, 29), amount = bits(w, 15, 10);
    bool flags = add ? opc & 1 : opc == 3, compare = flags && rd(w) == 31;
    if (amount)
        op->class = compare ? ISS_COMPARE_SHIFTED : ISS_ALU_SHIFTED;
    else
        op->class = compare ? ISS_COMPARE : ISS_ALU;
    source_or_zero(op, rn(w), ISS_NEED_OPERAND);
    source_or_zero(op, rm(w), amount ? ISS_NEED_SHIFTED : ISS_NEED_OPERAND);
    dest_or_zero(op, rd(w));
    if (flags)
        dest(op, ISS_REG_FLAGS);
    static const uint8_t logic[] = {ISS_VALUE_AND, ISS_VALUE_OR, ISS_VALUE_XOR, ISS_VALUE_AND};
    if (bits(w, 23, 22) == 0 && (add || !negated)) {
        op->value = add ? (opc & 2 ? ISS_VALUE_SUB : ISS_VALUE_ADD) : logic[opc];
        op->shift = (uint8_t)amount;
    }
}

static void extended_register(struct iss_op *op, uint32_t w)
{
    unsigned opc = bits(w, 30, 29), extension = bits(w, 15, 13), amount = bits(w, 12, 10);
    bool flags = opc & 1, plain = amount == 0 && (extension & 3) == (op->width == 64 ? 3u : 2u);
    bool compare = flags && rd(w) == 31;
    if (plain)
        op->class = compare ? ISS_COMPARE : ISS_ALU;
    else
        op->class = compare ? ISS_COMPARE_SHIFTED : ISS_ALU_SHIFTED;
    source(op, rn(w), ISS_NEED_OPERAND);
    source_or_zero(op, rm(w), plain ? ISS_NEED_OPERAND : ISS_NEED_SHIFTED);
    if (flags)
        dest_or_zero(op, rd(w));
    else
        dest(op, rd(w));
    if (flags)
        dest(op, ISS_REG_FLAGS);
    if (plain)
        op->value = opc & 2 ? ISS_VALUE_SUB : ISS_VALUE_ADD;
}

static void two_sources(struct iss_op *op, uint32_t w)
{
    unsigned opcode = bits(w, 15, 10);
    bool divide = opcode == 2 || opcode == 3, shift = opcode >> 2 == 2;
    op->class = ISS_UNKNOWN;
    if (divide) {
        op->class = op->width == 64 ? (opcode == 3 ? ISS_SDIV64 : ISS_UDIV64) : opcode == 3 ? ISS_SDIV32 : ISS_UDIV32;
        op->value = opcode == 3 ? ISS_VALUE_SDIV : ISS_VALUE_UDIV;
    } else if (shift) {
        op->class = ISS_SHIFT_REG;
    } else if (opcode >> 3 == 2) {
        op->class = ISS_CRC;
    }
    enum iss_need need = divide ? ISS_NEED_MULTIPLY : shift ? ISS_NEED_OPERAND : ISS_NEED_SHIFTED;
    source_or_zero(op, rn(w), need);
    source_or_zero(op, rm(w), need);
    dest_or_zero(op, rd(w));
}

static void three_sources(struct iss_op *op, uint32_t w)
{
    bool subtract = bits(w, 15, 15), none = ra(w) == 31;
    unsigned kind = bits(w, 23, 21);
    source_or_zero(op, rn(w), ISS_NEED_MULTIPLY);
    source_or_zero(op, rm(w), ISS_NEED_MULTIPLY);
    if (kind != 2 && kind != 6)
        source_or_zero(op, ra(w), ISS_NEED_ACCUMULATE);
    dest_or_zero(op, rd(w));
    if (kind == 0) {
        if (op->width == 32)
            op->class = subtract ? ISS_MSUB32 : none ? ISS_MUL32 : ISS_MADD32;
        else
            op->class = subtract ? (none ? ISS_MNEG64 : ISS_MSUB64) : none ? ISS_MUL64 : ISS_MADD64;
        op->value = subtract ? ISS_VALUE_MSUB : ISS_VALUE_MADD;
    } else if (kind == 2 || kind == 6) {
        op->class = ISS_MUL_HIGH;
    } else {
        op->class = kind == 1 || kind == 5 ? ISS_MUL_WIDE : ISS_UNKNOWN;
    }
}

static void registers(struct iss_op *op, uint32_t w)
{
    unsigned kind = bits(w, 24, 21);
    op->width = bits(w, 31, 31) ? 64 : 32;
    if (!bits(w, 28, 28)) {
        if (bits(w, 24, 24) && bits(w, 21, 21))
            extended_register(op, w);
        else
            shifted_register(op, w);
    } else if (kind & 8) {
        three_sources(op, w);
    } else if (kind == 0) { /* adc, sbc */
        bool flags = bits(w, 29, 29);
        op->class = flags ? ISS_ALU_CARRY : ISS_ALU;
        source_or_zero(op, rn(w), ISS_NEED_OPERAND);
        source_or_zero(op, rm(w), ISS_NEED_OPERAND);
        source(op, ISS_REG_FLAGS, ISS_NEED_FLAGS);
        dest_or_zero(op, rd(w));
        if (flags)
            dest(op, ISS_REG_FLAGS);
    } else if (kind == 2) { /* ccmp, ccmn */
        op->class = ISS_COMPARE_IF;
        source_or_zero(op, rn(w), ISS_NEED_OPERAND);
        if (!bits(w, 11, 11))
            source_or_zero(op, rm(w), ISS_NEED_OPERAND);
        source(op, ISS_REG_FLAGS, ISS_NEED_FLAGS);
        dest(op, ISS_REG_FLAGS);
    } else if (kind == 4) { /* csel and its kin */
        op->class = ISS_SELECT;
        op->value = ISS_VALUE_SELECT;
        op->shift = (uint8_t)(bits(w, 30, 30) * 2 + bits(w, 10, 10));
        op->condition = (uint8_t)(ISS_IF_FLAGS + bits(w, 15, 12));
        source_or_zero(op, rn(w), ISS_NEED_OPERAND);
        source_or_zero(op, rm(w), ISS_NEED_OPERAND);
        source(op, ISS_REG_FLAGS, ISS_NEED_FLAGS);
        dest_or_zero(op, rd(w));
    } else if (kind == 6 && bits(w, 30, 30)) {
        op->class = bits(w, 15, 11) == 2 ? ISS_BITS : ISS_SHIFT; /* clz, cls; reversals */
        source_or_zero(op, rn(w), op->class == ISS_BITS ? ISS_NEED_OPERAND : ISS_NEED_SHIFTED);
        dest_or_zero(op, rd(w));
    } else if (kind == 6) {
        two_sources(op, w);
    } else {
        op->class = ISS_UNKNOWN;
    }
}

/* ---- loads and stores ---- */

static void base(struct iss_op *op, uint32_t w, bool written_back)
{
    source(op, rn(w), ISS_NEED_ADDRESS);
    if (written_back) {
        dest(op, rn(w));
        op->n_address = 1;
    }
}

static unsigned fp(unsigned reg)
{
    return ISS_REG_FP + reg;
}

static void exclusive(struct iss_op *op, uint32_t w)
{
    unsigned size = 1u << bits(w, 31, 30);
    bool ordered = bits(w, 23, 23), load = bits(w, 22, 22), pair = bits(w, 21, 21);
    op->bytes = (uint16_t)(pair ? 2 * size : size);
    if (ordered && pair) { /* cas: Armv8.1 */
        op->class = ISS_ATOMIC;
        op->memory = ISS_READ_MEMORY | ISS_WRITE_MEMORY;
        source_or_zero(op, rm(w), ISS_NEED_DATA);
        source_or_zero(op, rd(w), ISS_NEED_DATA);
        base(op, w, false);
        dest_or_zero(op, rm(w));
        return;
    }
    op->class = load ? ISS_LOAD_EXCLUSIVE : ISS_STORE_EXCLUSIVE;
    op->memory = load ? ISS_READ_MEMORY : ISS_WRITE_MEMORY;
    base(op, w, false);
    if (load) {
        dest_or_zero(op, rd(w));
        if (pair)
            dest_or_zero(op, ra(w));
        return;
    }
    source_or_zero(op, rd(w), ISS_NEED_DATA);
    if (pair)
        source_or_zero(op, ra(w), ISS_NEED_DATA);
    if (!ordered)
        dest_or_zero(op, rm(w)); /* did it succeed? */
}

/* Lists of vectors and structures. */
static void vector_list(struct iss_op *op, uint32_t w)
{
    static const uint8_t counts[16] = {4, 0, 4, 0, 3, 0, 3, 1, 2, 0, 2};
    bool load = bits(w, 22, 22), single = bits(w, 24, 24), after = bits(w, 23, 23);
    unsigned full = bits(w, 30, 30) ? 16 : 8, n;
    if (single) {
        unsigned opcode = bits(w, 15, 13), scale = opcode >> 1;
        n = 1 + bits(w, 21, 21) + 2 * (opcode & 1);
        unsigned element = scale == 3 ? 1u << bits(w, 11, 10) : scale == 2 && (w >> 10 & 1) ? 8 : 1u << scale;
        op->bytes = (uint16_t)(n * element);
        if (load && scale != 3)
            for (unsigned i = 0; i < n && i < 2; i++)
                source(op, fp((rd(w) + i) & 31), ISS_NEED_FP);
        op->repeat = (uint8_t)((n + 1) / 2);
    } else {
        n = counts[bits(w, 15, 12)];
        op->bytes = (uint16_t)(n * full);
        op->repeat = (uint8_t)(n * full / 8);
    }
    op->class = load ? ISS_FP_LOAD_MANY : ISS_FP_STORE_MANY;
    op->memory = load ? ISS_READ_MEMORY : ISS_WRITE_MEMORY;
    for (unsigned i = 0; i < n && i < 4; i++) {
        if (load)
            dest(op, fp((rd(w) + i) & 31));
        else
            source(op, fp((rd(w) + i) & 31), ISS_NEED_FP_DATA);
    }
    base(op, w, after);
    if (after && rm(w) != 31)
        source(op, rm(w), ISS_NEED_OPERAND);
}

static void load_literal(struct iss_op *op, uint32_t w)
{
    unsigned opc = bits(w, 31, 30);
    op->memory = ISS_READ_MEMORY;
    if (bits(w, 26, 26)) {
        op->class = opc == 2 ? ISS_FP_LOAD_128 : ISS_FP_LOAD;
        op->bytes = (uint16_t)(4u << opc);
        dest(op, fp(rd(w)));
    } else if (opc == 3) {
        op->class = ISS_PREFETCH;
        op->memory = ISS_NO_MEMORY;
    } else {
        op->class = ISS_LOAD_LITERAL;
        op->bytes = opc == 1 ? 8 : 4;
        op->value = opc == 2 ? ISS_VALUE_LOAD_SIGNED : ISS_VALUE_LOAD;
        dest_or_zero(op, rd(w));
    }
}

static void pair(struct iss_op *op, uint32_t w)
{
    unsigned opc = bits(w, 31, 30), each;
    bool load = bits(w, 22, 22), vector = bits(w, 26, 26), back = bits(w, 23, 23);
    if (vector) {
        each = 4u << opc;
        if (load)
            op->class = each == 16 ? ISS_FP_LOAD_PAIR_128 : ISS_FP_LOAD_PAIR;
        else
            op->class = each == 16 ? ISS_FP_STORE_PAIR_128 : ISS_FP_STORE_PAIR;
    } else {
        each = opc == 2 ? 8 : 4;
        op->class = !load ? ISS_STORE_PAIR : each == 8 ? ISS_LOAD_PAIR : ISS_LOAD_PAIR_WORD;
    }
    op->memory = load ? ISS_READ_MEMORY : ISS_WRITE_MEMORY;
    op->bytes = (uint16_t)(2 * each);
    unsigned registers_[2] = {rd(w), ra(w)};
    for (int i = 0; i < 2; i++) {
        if (vector && load)
            dest(op, fp(registers_[i]));
        else if (vector)
            source(op, fp(registers_[i]), ISS_NEED_FP_DATA);
        else if (load)
            dest_or_zero(op, registers_[i]);
        else
            source_or_zero(op, registers_[i], ISS_NEED_DATA);
    }
    base(op, w, back);
}

static void vector_access(struct iss_op *op, uint32_t w, bool load, unsigned size)
{
    if (load)
        op->class = size == 16 ? ISS_FP_LOAD_128 : ISS_FP_LOAD;
    else
        op->class = size == 16 ? ISS_FP_STORE_128 : ISS_FP_STORE;
    if (load)
        dest(op, fp(rd(w)));
    else
        source(op, fp(rd(w)), ISS_NEED_FP_DATA);
}

static void integer_access(struct iss_op *op, uint32_t w, unsigned size, bool by_register)
{
    unsigned opc = bits(w, 23, 22);
    if (opc == 0) {
        op->class = ISS_STORE;
        source_or_zero(op, rd(w), ISS_NEED_DATA);
        return;
    }
    if (size < 4 || opc > 1)
        op->class = by_register ? ISS_LOAD_SMALL_REG : ISS_LOAD_SMALL;
    else
        op->class = size == 4 ? ISS_LOAD_WORD : ISS_LOAD;
    op->width = opc == 3 ? 32 : 64;
    op->value = opc > 1 ? ISS_VALUE_LOAD_SIGNED : ISS_VALUE_LOAD;
    dest_or_zero(op, rd(w));
}

static void one_register(struct iss_op *op, uint32_t w)
{
    unsigned size = 1u << bits(w, 31, 30), opc = bits(w, 23, 22);
    bool vector = bits(w, 26, 26), constant = bits(w, 24, 24);
    bool by_register = !constant && bits(w, 21, 21) && bits(w, 11, 10) == 2;
    if (!constant && bits(w, 21, 21) && !by_register) { /* ldadd and its kin: Armv8.1 */
        op->class = ISS_ATOMIC;
        op->memory = ISS_READ_MEMORY | ISS_WRITE_MEMORY;
        op->bytes = (uint16_t)size;
        source_or_zero(op, rm(w), ISS_NEED_DATA);
        base(op, w, false);
        dest_or_zero(op, rd(w));
        return;
    }
    if (!vector && size == 8 && opc == 2) { /* prfm */
        op->class = ISS_PREFETCH;
        source(op, rn(w), ISS_NEED_ADDRESS);
        return;
    }
    bool load = vector ? opc & 1 : opc != 0;
    if (vector && opc > 1)
        size = 16;
    op->bytes = (uint16_t)size;
    op->memory = load ? ISS_READ_MEMORY : ISS_WRITE_MEMORY;
    if (vector)
        vector_access(op, w, load, size);
    else
        integer_access(op, w, size, by_register);
    base(op, w, !constant && !bits(w, 21, 21) && bits(w, 10, 10));
    if (by_register)
        source_or_zero(op, rm(w), ISS_NEED_ADDRESS);
}

static void load_store(struct iss_op *op, uint32_t w)
{
    switch (bits(w, 29, 28)) {
    case 0:
        if (bits(w, 26, 26))
            vector_list(op, w);
        else
            exclusive(op, w);
        return;
    case 1:
        if (bits(w, 24, 24))
            op->class = ISS_UNKNOWN;
        else
            load_literal(op, w);
        return;
    case 2:
        pair(op, w);
        return;
    default:
        one_register(op, w);
    }
}

/* ---- branches and the system ---- */

static void system_instruction(struct iss_op *op, uint32_t w)
{
    if ((w & 0xfffff01f) == 0xd503201f) {
        op->class = ISS_NOP;
    } else if ((w & 0xfffff000) == 0xd5033000) {
        op->class = ISS_BARRIER;
    } else {
        op->class = ISS_SYSTEM;
        if (bits(w, 21, 21))
            dest_or_zero(op, rd(w));
        else
            source_or_zero(op, rd(w), ISS_NEED_OPERAND);
    }
}

static void indirect(struct iss_op *op, uint32_t w)
{
    static const uint8_t classes[] = {ISS_BRANCH_REG, ISS_CALL_REG, ISS_RETURN};
    static const uint8_t kinds[] = {ISS_JUMP_INDIRECT, ISS_CALL_INDIRECT, ISS_RETURN_TO};
    unsigned opc = bits(w, 24, 21);
    op->class = opc < 3 ? classes[opc] : ISS_SYSTEM;
    op->branch = opc < 3 ? kinds[opc] : ISS_JUMP_INDIRECT;
    source_or_zero(op, rn(w), ISS_NEED_TARGET);
    if (opc == 1)
        dest(op, 30);
}

static void branch(struct iss_op *op, uint32_t w, uint64_t address)
{
    if (bits(w, 30, 26) == 5) {
        bool call = bits(w, 31, 31);
        op->class = call ? ISS_CALL : ISS_BRANCH;
        op->branch = call ? ISS_CALL_DIRECT : ISS_JUMP;
        op->constant = (int64_t)address + signed_bits(w, 25, 0) * 4;
        if (call)
            dest(op, 30);
    } else if (bits(w, 30, 25) == 0x1a) {
        op->class = ISS_BRANCH_ZERO;
        op->branch = ISS_CONDITIONAL;
        op->constant = (int64_t)address + signed_bits(w, 23, 5) * 4;
        op->width = bits(w, 31, 31) ? 64 : 32;
        op->condition = bits(w, 24, 24) ? ISS_IF_NOT_ZERO : ISS_IF_ZERO;
        source_or_zero(op, rd(w), ISS_NEED_CONDITION);
    } else if (bits(w, 30, 25) == 0x1b) {
        op->class = ISS_BRANCH_ZERO;
        op->branch = ISS_CONDITIONAL;
        op->constant = (int64_t)address + signed_bits(w, 18, 5) * 4;
        op->shift = (uint8_t)(bits(w, 31, 31) << 5 | bits(w, 23, 19));
        op->condition = bits(w, 24, 24) ? ISS_IF_BIT_SET : ISS_IF_BIT_CLEAR;
        source_or_zero(op, rd(w), ISS_NEED_CONDITION);
    } else if (bits(w, 31, 24) == 0x54) {
        op->class = ISS_BRANCH_IF;
        op->branch = bits(w, 3, 0) >= 14 ? ISS_JUMP : ISS_CONDITIONAL;
        op->constant = (int64_t)address + signed_bits(w, 23, 5) * 4;
        op->condition = (uint8_t)(ISS_IF_FLAGS + bits(w, 3, 0));
        source(op, ISS_REG_FLAGS, ISS_NEED_CONDITION);
    } else if (bits(w, 31, 25) == 0x6b) {
        indirect(op, w);
    } else if (bits(w, 31, 22) == 0x354) {
        system_instruction(op, w);
    } else {
        op->class = ISS_SYSTEM; /* svc, brk, hlt */
        dest(op, 0);            /* what the kernel answers */
    }
}

/* ---- scalar floating point ---- */

static void fp_and_integer(struct iss_op *op, uint32_t w)
{
    unsigned opcode = bits(w, 18, 16);
    bool fixed = !bits(w, 21, 21), from = opcode == 2 || opcode == 3 || opcode == 7;
    if (!fixed && opcode >= 6)
        op->class = from ? ISS_FP_FROM_INT : ISS_FP_TO_INT;
    else
        op->class = from ? ISS_FP_CONVERT_FROM_INT : ISS_FP_CONVERT_TO_INT;
    if (from) {
        source_or_zero(op, rn(w), ISS_NEED_OPERAND);
        dest(op, fp(rd(w)));
    } else {
        source(op, fp(rn(w)), ISS_NEED_FP);
        dest_or_zero(op, rd(w));
    }
}

static void fp_one_source(struct iss_op *op, uint32_t w, bool is_double)
{
    unsigned opcode = bits(w, 20, 15);
    op->class = opcode == 0                                 ? ISS_FP_MOVE
                : opcode == 3                               ? (is_double ? ISS_FP_SQRT64 : ISS_FP_SQRT32)
                : opcode == 4 || opcode == 5 || opcode == 7 ? ISS_FP_CONVERT
                                                            : ISS_FP_ADD;
    source(op, fp(rn(w)), ISS_NEED_FP);
    dest(op, fp(rd(w)));
}

static void fp_two_sources(struct iss_op *op, uint32_t w, bool is_double)
{
    unsigned opcode = bits(w, 15, 12);
    op->class = opcode == 0 || opcode == 8 ? ISS_FP_MUL
                : opcode == 1              ? (is_double ? ISS_FP_DIV64 : ISS_FP_DIV32)
                                           : ISS_FP_ADD;
    source(op, fp(rn(w)), ISS_NEED_FP);
    source(op, fp(rm(w)), ISS_NEED_FP);
    dest(op, fp(rd(w)));
}

static void scalar_fp(struct iss_op *op, uint32_t w)
{
    bool is_double = bits(w, 23, 22) == 1;
    op->width = is_double ? 64 : 32;
    if (bits(w, 24, 24)) { /* fmadd and its kin */
        op->class = ISS_FP_FMA;
        source(op, fp(rn(w)), ISS_NEED_FP);
        source(op, fp(rm(w)), ISS_NEED_FP);
        source(op, fp(ra(w)), ISS_NEED_FP_ACCUMULATE);
        dest(op, fp(rd(w)));
    } else if (!bits(w, 21, 21) || bits(w, 15, 10) == 0) {
        fp_and_integer(op, w);
    } else if (bits(w, 11, 10) == 2) {
        fp_two_sources(op, w, is_double);
    } else if (bits(w, 11, 10) == 3) {
        op->class = ISS_FP_SELECT;
        source(op, fp(rn(w)), ISS_NEED_FP);
        source(op, fp(rm(w)), ISS_NEED_FP);
        source(op, ISS_REG_FLAGS, ISS_NEED_FLAGS);
        dest(op, fp(rd(w)));
    } else if (bits(w, 11, 10) == 1) {
        op->class = ISS_FP_COMPARE;
        source(op, fp(rn(w)), ISS_NEED_FP);
        source(op, fp(rm(w)), ISS_NEED_FP);
        source(op, ISS_REG_FLAGS, ISS_NEED_FLAGS);
        dest(op, ISS_REG_FLAGS);
    } else if (bits(w, 12, 10) == 4) {
        op->class = ISS_FP_MOVE;
        dest(op, fp(rd(w)));
    } else if (bits(w, 13, 10) == 8) {
        op->class = ISS_FP_COMPARE;
        source(op, fp(rn(w)), ISS_NEED_FP);
        if (!bits(w, 3, 3))
            source(op, fp(rm(w)), ISS_NEED_FP);
        dest(op, ISS_REG_FLAGS);
    } else {
        fp_one_source(op, w, is_double);
    }
}

/* ---- vectors: by capstone ---- */

static enum iss_class vector_class(unsigned id, bool wide)
{
    switch (id) {
    case ARM64_INS_FDIV:
    case ARM64_INS_FSQRT:
        return ISS_SIMD_DIV;
    case ARM64_INS_FMLA:
    case ARM64_INS_FMLS:
    case ARM64_INS_FRECPS:
    case ARM64_INS_FRSQRTS:
        return wide ? ISS_SIMD_FMA_128 : ISS_SIMD_FMA_64;
    case ARM64_INS_MUL:
    case ARM64_INS_MLA:
    case ARM64_INS_MLS:
    case ARM64_INS_PMUL:
    case ARM64_INS_SMULL:
    case ARM64_INS_SMULL2:
    case ARM64_INS_UMULL:
    case ARM64_INS_UMULL2:
    case ARM64_INS_PMULL:
    case ARM64_INS_PMULL2:
    case ARM64_INS_SMLAL:
    case ARM64_INS_SMLAL2:
    case ARM64_INS_SMLSL:
    case ARM64_INS_SMLSL2:
    case ARM64_INS_UMLAL:
    case ARM64_INS_UMLAL2:
    case ARM64_INS_UMLSL:
    case ARM64_INS_UMLSL2:
    case ARM64_INS_SQDMULH:
    case ARM64_INS_SQRDMULH:
    case ARM64_INS_SQDMULL:
    case ARM64_INS_SQDMULL2:
    case ARM64_INS_SQDMLAL:
    case ARM64_INS_SQDMLAL2:
    case ARM64_INS_SQDMLSL:
    case ARM64_INS_SQDMLSL2:
        return wide ? ISS_SIMD_MUL_128 : ISS_SIMD_MUL_64;
    case ARM64_INS_AND:
    case ARM64_INS_BIC:
    case ARM64_INS_EOR:
    case ARM64_INS_MOV:
    case ARM64_INS_MVN:
    case ARM64_INS_NOT:
    case ARM64_INS_ORN:
    case ARM64_INS_ORR:
        return wide ? ISS_SIMD_LOGIC_128 : ISS_SIMD_LOGIC_64;
    case ARM64_INS_AESD:
    case ARM64_INS_AESE:
    case ARM64_INS_AESIMC:
    case ARM64_INS_AESMC:
    case ARM64_INS_SHA1C:
    case ARM64_INS_SHA1H:
    case ARM64_INS_SHA1M:
    case ARM64_INS_SHA1P:
    case ARM64_INS_SHA1SU0:
    case ARM64_INS_SHA1SU1:
    case ARM64_INS_SHA256H:
    case ARM64_INS_SHA256H2:
    case ARM64_INS_SHA256SU0:
    case ARM64_INS_SHA256SU1:
        return ISS_CRYPTO;
    default:
        return wide ? ISS_SIMD_128 : ISS_SIMD_64;
    }
}

/* Those of floating point are named f..., the conversions from integers scvtf and ucvtf. Comparisons into vectors and
 * scalars (fcmeq, facge) take as long as those of integers. */
static bool is_floating(const char *mnemonic, unsigned id)
{
    if (!strncmp(mnemonic, "fcm", 3) || !strncmp(mnemonic, "fac", 3))
        return false;
    return mnemonic[0] == 'f' || id == ARM64_INS_SCVTF || id == ARM64_INS_UCVTF;
}

/* fmaxp, fminnmp ... take both halves of the unit as scalars, too. */
static bool is_pairwise_extreme(const char *mnemonic)
{
    return (!strncmp(mnemonic, "fmax", 4) || !strncmp(mnemonic, "fmin", 4)) && mnemonic[strlen(mnemonic) - 1] == 'p';
}

/* dup, ins, smov, umov */
static void lane(struct iss_op *op, uint32_t w)
{
    bool between = bits(w, 29, 29); /* lanes */
    switch (bits(w, 14, 11)) {
    case 1:
    case 3:
        if (!between)
            op->class = ISS_FP_LANE_FROM_INT;
        return;
    case 5:
    case 7:
        if (!between)
            op->class = ISS_FP_LANE_TO_INT;
        return;
    }
}

/* Does it read the register it writes, besides what its other operands say? */
static bool keeps_dest(const char *mnemonic)
{
    static const char *const kept[] = {"mla",  "mls",  "ins",  "bsl",  "bit",   "bif",   "tbx",
                                       "sli",  "sri",  "aese", "aesd", "sha1",  "fmla",  "fmls",
                                       "ssra", "usra", "saba", "uaba", "srsra", "ursra", "sha256"};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        if (!strncmp(mnemonic, kept[i], strlen(kept[i])))
            return true;
    size_t n = strlen(mnemonic);
    return n > 2 && mnemonic[n - 1] == '2' && strstr(mnemonic, "n2"); /* narrowing into the upper half */
}

static void vector(struct iss_op *op, uint32_t w, const cs_insn *insn)
{
    unsigned id = insn->id;
    bool scalar = bits(w, 28, 28), wide = bits(w, 30, 30) && !scalar;
    op->class = (uint8_t)vector_class(id, wide);
    if (is_floating(insn->mnemonic, id) && (op->class == ISS_SIMD_64 || op->class == ISS_SIMD_128))
        op->class = wide || is_pairwise_extreme(insn->mnemonic) ? ISS_SIMD_FP_128 : ISS_SIMD_FP_64;
    if ((w & 0x9fe08400) == 0x0e000400) /* copies of lanes */
        lane(op, w);
    bool accumulates = op->class == ISS_SIMD_FMA_64 || op->class == ISS_SIMD_FMA_128 || op->class == ISS_SIMD_MUL_64 ||
                       op->class == ISS_SIMD_MUL_128;
    const cs_arm64 *detail = &insn->detail->arm64;
    for (uint8_t i = 0; i < detail->op_count; i++) {
        if (detail->operands[i].type != ARM64_OP_REG)
            continue;
        unsigned reg = detail->operands[i].reg;
        bool integer = (reg >= ARM64_REG_X0 && reg <= ARM64_REG_X28) || (reg >= ARM64_REG_W0 && reg <= ARM64_REG_W30) ||
                       reg == ARM64_REG_X29 || reg == ARM64_REG_X30 || reg == ARM64_REG_WZR || reg == ARM64_REG_XZR;
        unsigned number = i == 0 ? rd(w) : i == 1 ? rn(w) : rm(w);
        if (i == 0 && integer)
            dest_or_zero(op, number);
        else if (i == 0)
            dest(op, fp(number));
        else if (integer)
            source_or_zero(op, number, ISS_NEED_OPERAND);
        else
            source(op, fp(number), ISS_NEED_FP);
        if (i == 0 && keeps_dest(insn->mnemonic))
            source(op, fp(number), accumulates ? ISS_NEED_FP_ACCUMULATE : ISS_NEED_FP);
    }
    if (detail->op_count && id == ARM64_INS_TBL) /* up to four registers of a table */
        for (unsigned i = 1; i <= bits(w, 14, 13); i++)
            source(op, fp((rn(w) + i) & 31), ISS_NEED_FP);
}

/* ---- the decoder ---- */

struct state {
    csh capstone;
    cs_insn *insn;
};

static void *open_aarch64(void)
{
    static struct state s;
    if (cs_open(CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, &s.capstone) != CS_ERR_OK)
        return NULL;
    cs_option(s.capstone, CS_OPT_DETAIL, CS_OPT_ON);
    s.insn = cs_malloc(s.capstone);
    return &s;
}

static void close_aarch64(void *state)
{
    struct state *s = state;
    cs_free(s->insn, 1);
    cs_close(&s->capstone);
}

static bool decode(void *state, const uint8_t *code, size_t size, uint64_t address, struct iss_op *op)
{
    struct state *s = state;
    memset(op, 0, sizeof *op);
    op->size = (uint8_t)size;
    op->repeat = 1;
    op->class = ISS_UNKNOWN;
    uint64_t at = address;
    if (size != 4 || !cs_disasm_iter(s->capstone, &code, &size, &at, s->insn))
        return false;
    const uint8_t *bytes = code - 4;
    uint32_t w = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    if (bits(w, 28, 26) == 4)
        immediate(op, w, address);
    else if (bits(w, 28, 26) == 5)
        branch(op, w, address);
    else if (bits(w, 27, 25) == 5)
        registers(op, w);
    else if (bits(w, 27, 27) == 1 && bits(w, 25, 25) == 0)
        load_store(op, w);
    else if ((w & 0x5e000000) == 0x1e000000 && !bits(w, 31, 31) + bits(w, 29, 29) == 1)
        scalar_fp(op, w);
    else if ((w & 0x7e000000) == 0x1e000000)
        scalar_fp(op, w); /* with a 64-bit integer register */
    else
        vector(op, w, s->insn);
    return op->class != ISS_UNKNOWN;
}

const struct iss_decoder iss_decode_aarch64 = {"aarch64", open_aarch64, close_aarch64, decode};
