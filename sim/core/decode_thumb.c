/*
 * decode_thumb.c - decodes Thumb-2 instructions on integers and memory, and branches. Branches, IT and hints are
 * decoded from their bits (Armv7-M Architecture Reference Manual, A5), the rest from capstone's operands. The decoder
 * remembers which instructions an IT makes conditional.
 */
#include "sim/core/decode_thumb.h"

#include <string.h>

struct state {
    csh capstone;
    cs_insn *insn;
    uint64_t next; /* address after the last decoded instruction */
    uint8_t it;    /* ITSTATE at that address: condition of the next instruction, and mask; 0: not in an IT block */
};

static uint32_t bits(uint32_t word, unsigned high, unsigned low)
{
    return word >> low & (UINT32_MAX >> (31 - (high - low)));
}

static int64_t signed_bits(uint32_t value, unsigned n)
{
    return (int32_t)(value << (32 - n)) >> (32 - n);
}

static unsigned reg_of(const cs_arm *a, int i)
{
    return i < a->op_count && a->operands[i].type == ARM_OP_REG ? (unsigned)a->operands[i].reg : ARM_REG_INVALID;
}

/* ---- branches ---- */

static bool jump(struct iss_op *op, int64_t target, enum iss_class class, enum iss_branch branch)
{
    op->class = (uint8_t) class;
    op->branch = (uint8_t)branch;
    op->constant = target;
    if (branch == ISS_CALL_DIRECT)
        thumb_put_dest(op, THUMB_LR);
    return true;
}

/* A branch by flags; condition 14 is "always". */
static bool jump_if(struct iss_op *op, int64_t target, unsigned condition)
{
    if (condition >= 14)
        return jump(op, target, ISS_BRANCH, ISS_JUMP);
    op->condition = (uint8_t)(ISS_IF_FLAGS + condition);
    thumb_put_source(op, ISS_REG_FLAGS, ISS_NEED_CONDITION);
    return jump(op, target, ISS_BRANCH_IF, ISS_CONDITIONAL);
}

static bool jump_register(struct iss_op *op, unsigned reg, bool link)
{
    thumb_put_source(op, reg, ISS_NEED_TARGET);
    op->class = link ? ISS_CALL_REG : reg == THUMB_LR ? ISS_RETURN : ISS_BRANCH_REG;
    op->branch = link ? ISS_CALL_INDIRECT : reg == THUMB_LR ? ISS_RETURN_TO : ISS_JUMP_INDIRECT;
    if (link)
        thumb_put_dest(op, THUMB_LR);
    return true;
}

/* A direct branch. In an IT block it is a branch by flags. */
static bool narrow_branch(struct iss_op *op, uint32_t h, int64_t pc, unsigned it_condition)
{
    if (bits(h, 15, 12) == 13 && bits(h, 11, 8) < 14)
        return jump_if(op, pc + signed_bits(bits(h, 7, 0), 8) * 2, bits(h, 11, 8));
    if (bits(h, 15, 11) == 28)
        return jump_if(op, pc + signed_bits(bits(h, 10, 0), 11) * 2, it_condition);
    if ((h & 0xf500) == 0xb100) { /* cbz, cbnz */
        op->condition = bits(h, 11, 11) ? ISS_IF_NOT_ZERO : ISS_IF_ZERO;
        op->width = 32;
        thumb_put_source(op, bits(h, 2, 0), ISS_NEED_CONDITION);
        return jump(op, pc + (int64_t)(bits(h, 9, 9) << 6 | bits(h, 7, 3) << 1), ISS_BRANCH_ZERO, ISS_CONDITIONAL);
    }
    if ((h & 0xff00) == 0x4700) /* bx, blx */
        return jump_register(op, bits(h, 6, 3), bits(h, 7, 7));
    if ((h & 0xff87) == 0x4687) /* mov pc */
        return jump_register(op, bits(h, 6, 3), false);
    return false;
}

static bool wide_branch(struct iss_op *op, uint32_t first, uint32_t second, int64_t pc, unsigned it_condition)
{
    if (bits(first, 15, 11) != 30 || !bits(second, 15, 15))
        return false;
    uint32_t s = bits(first, 10, 10), j1 = bits(second, 13, 13), j2 = bits(second, 11, 11);
    bool link = bits(second, 14, 14), unconditional = bits(second, 12, 12);
    if (!link && !unconditional) {
        if (bits(first, 9, 7) == 7) /* system instructions */
            return false;
        uint32_t offset = s << 20 | j2 << 19 | j1 << 18 | bits(first, 5, 0) << 12 | bits(second, 10, 0) << 1;
        return jump_if(op, pc + signed_bits(offset, 21), bits(first, 9, 6));
    }
    uint32_t offset = s << 24 | !(j1 ^ s) << 23 | !(j2 ^ s) << 22 | bits(first, 9, 0) << 12 | bits(second, 10, 0) << 1;
    int64_t target = pc + signed_bits(offset, 25);
    if (!link)
        return jump_if(op, target, it_condition);
    if (!unconditional) /* blx: changes to A32, whose instructions are aligned */
        target &= ~INT64_C(3);
    return jump(op, target, ISS_CALL, ISS_CALL_DIRECT);
}

static bool table_branch(struct iss_op *op, uint32_t first, uint32_t second)
{
    if ((first & 0xfff0) != 0xe8d0 || (second & 0xffe0) != 0xf000)
        return false;
    op->class = ISS_BRANCH_TABLE;
    op->branch = ISS_JUMP_INDIRECT;
    op->memory = ISS_READ_MEMORY;
    op->bytes = (uint16_t)(1 + bits(second, 4, 4));
    op->index_shift = (uint8_t)bits(second, 4, 4);
    if (bits(first, 3, 0) != THUMB_PC)
        thumb_put_source(op, bits(first, 3, 0), ISS_NEED_ADDRESS);
    thumb_put_source(op, bits(second, 3, 0), ISS_NEED_ADDRESS);
    return true;
}

/* ---- memory ---- */

int iss_thumb_address(struct iss_op *op, const cs_arm *a)
{
    for (int i = 0; i < a->op_count; i++) {
        if (a->operands[i].type != ARM_OP_MEM)
            continue;
        const arm_op_mem *m = &a->operands[i].mem;
        if (m->base != ARM_REG_INVALID)
            thumb_source(op, (unsigned)m->base, ISS_NEED_ADDRESS);
        if (m->index != ARM_REG_INVALID)
            thumb_source(op, (unsigned)m->index, ISS_NEED_ADDRESS);
        op->offset = m->disp;
        op->index_shift = (uint8_t)(m->lshift ? (unsigned)m->lshift : a->operands[i].shift.value);
        return i;
    }
    return -1;
}

/* "[r], #4": the summand is added after the access, and is not part of the address. */
void iss_thumb_write_back(struct iss_op *op, const cs_arm *a, int memory)
{
    unsigned base = (unsigned)a->operands[memory].mem.base;
    bool after = memory + 1 < a->op_count;
    if (!a->writeback && !after)
        return;
    op->back = after ? a->operands[memory + 1].imm : op->offset;
    if (after && a->operands[memory + 1].subtracted)
        op->back = -op->back;
    thumb_dest(op, base);
    op->n_address = 1;
}

void iss_thumb_list(struct iss_op *op, unsigned base, bool down, bool back)
{
    op->offset = down ? -(int32_t)op->bytes : 0;
    op->back = down ? -(int32_t)op->bytes : (int32_t)op->bytes;
    if (!back) {
        op->back = 0;
        return;
    }
    op->n_address = op->n_dests < ISS_DESTS;
    thumb_dest(op, base);
}

struct access {
    unsigned id;
    uint8_t bytes, class; /* bytes: of each register */
    bool sign, pair;
};
static const struct access loads[] =
    {
        {ARM_INS_LDR, 4, ISS_LOAD, false, false},
        {ARM_INS_LDRT, 4, ISS_LOAD, false, false},
        {ARM_INS_LDRB, 1, ISS_LOAD_SMALL, false, false},
        {ARM_INS_LDRBT, 1, ISS_LOAD_SMALL, false, false},
        {ARM_INS_LDRH, 2, ISS_LOAD_SMALL, false, false},
        {ARM_INS_LDRHT, 2, ISS_LOAD_SMALL, false, false},
        {ARM_INS_LDRSB, 1, ISS_LOAD_SMALL, true, false},
        {ARM_INS_LDRSBT, 1, ISS_LOAD_SMALL, true, false},
        {ARM_INS_LDRSH, 2, ISS_LOAD_SMALL, true, false},
        {ARM_INS_LDRSHT, 2, ISS_LOAD_SMALL, true, false},
        {ARM_INS_LDREX, 4, ISS_LOAD_EXCLUSIVE, false, false},
        {ARM_INS_LDREXB, 1, ISS_LOAD_EXCLUSIVE, false, false},
        {ARM_INS_LDREXH, 2, ISS_LOAD_EXCLUSIVE, false, false},
        {ARM_INS_LDREXD, 4, ISS_LOAD_EXCLUSIVE, false, true},
        {ARM_INS_LDRD, 4, ISS_LOAD_PAIR, false, true},
},
                           stores[] = {
                               {ARM_INS_STR, 4, ISS_STORE, false, false},
                               {ARM_INS_STRT, 4, ISS_STORE, false, false},
                               {ARM_INS_STRB, 1, ISS_STORE, false, false},
                               {ARM_INS_STRBT, 1, ISS_STORE, false, false},
                               {ARM_INS_STRH, 2, ISS_STORE, false, false},
                               {ARM_INS_STRHT, 2, ISS_STORE, false, false},
                               {ARM_INS_STREX, 4, ISS_STORE_EXCLUSIVE, false, false},
                               {ARM_INS_STREXB, 1, ISS_STORE_EXCLUSIVE, false, false},
                               {ARM_INS_STREXH, 2, ISS_STORE_EXCLUSIVE, false, false},
                               {ARM_INS_STREXD, 4, ISS_STORE_EXCLUSIVE, false, true},
                               {ARM_INS_STRD, 4, ISS_STORE_PAIR, false, true},
};

static const struct access *find_access(const struct access *list, size_t n, unsigned id)
{
    for (size_t i = 0; i < n; i++)
        if (list[i].id == id)
            return &list[i];
    return 0;
}

static bool load(struct iss_op *op, const cs_arm *a, const struct access *as)
{
    int memory = iss_thumb_address(op, a);
    if (memory < 0)
        return false;
    op->class = as->class;
    if (as->class == ISS_LOAD && !op->n_sources)
        op->class = ISS_LOAD_LITERAL;
    op->memory = ISS_READ_MEMORY;
    op->bytes = (uint16_t)(as->bytes * (as->pair ? 2 : 1));
    if (reg_of(a, 0) == ARM_REG_PC) {
        bool back = a->operands[memory].mem.base == ARM_REG_SP;
        op->class = ISS_LOAD_JUMP;
        op->branch = back ? ISS_RETURN_TO : ISS_JUMP_INDIRECT;
    } else {
        op->value = as->pair ? ISS_VALUE_NONE : as->sign ? ISS_VALUE_LOAD_SIGNED : ISS_VALUE_LOAD;
        op->width = 32;
    }
    for (int i = 0; i < memory; i++)
        thumb_dest(op, reg_of(a, i));
    iss_thumb_write_back(op, a, memory);
    return true;
}

static bool store(struct iss_op *op, const cs_arm *a, const struct access *as)
{
    int memory = iss_thumb_address(op, a), first = 0;
    if (memory < 0)
        return false;
    op->class = as->class == ISS_STORE && a->operands[memory].mem.index != ARM_REG_INVALID ? ISS_STORE_REG : as->class;
    op->memory = ISS_WRITE_MEMORY;
    op->bytes = (uint16_t)(as->bytes * (as->pair ? 2 : 1));
    if (as->class == ISS_STORE_EXCLUSIVE) /* receives whether the store succeeded */
        thumb_dest(op, reg_of(a, first++));
    for (int i = first; i < memory; i++)
        thumb_source(op, reg_of(a, i), ISS_NEED_DATA);
    iss_thumb_write_back(op, a, memory);
    return true;
}

/* Loads or stores of several registers. The base, or the stack pointer, comes first, then the list. */
static bool many(struct iss_op *op, const cs_arm *a, bool is_load, bool on_stack, bool down)
{
    int first = on_stack ? 0 : 1;
    unsigned n = (unsigned)(a->op_count - first);
    thumb_source(op, on_stack ? ARM_REG_SP : reg_of(a, 0), ISS_NEED_ADDRESS);
    op->class = is_load ? ISS_LOAD_MANY : ISS_STORE_MANY;
    op->memory = is_load ? ISS_READ_MEMORY : ISS_WRITE_MEMORY;
    op->bytes = (uint16_t)(4 * n);
    op->repeat = (uint8_t)(n ? n : 1);
    for (int i = first; i < a->op_count; i++) {
        if (!is_load)
            thumb_source(op, reg_of(a, i), ISS_NEED_DATA);
        else if (reg_of(a, i) != ARM_REG_PC)
            thumb_dest(op, reg_of(a, i));
        else
            op->branch = ISS_RETURN_TO;
    }
    if (op->branch)
        op->class = ISS_LOAD_JUMP;
    iss_thumb_list(op, on_stack ? ARM_REG_SP : reg_of(a, 0), down, on_stack || a->writeback);
    return n > 0;
}

/* ---- data processing ---- */

static bool is_immediate(const cs_arm_op *o)
{
    return o->type == ARM_OP_IMM;
}

/* A value shifted to the left by a constant is followed, other shifts are not. */
static bool is_followed(const cs_arm_op *o)
{
    return o->shift.type == ARM_SFT_INVALID || o->shift.type == ARM_SFT_LSL;
}

static void flags(struct iss_op *op, const cs_arm *a, bool narrow_in_block)
{
    if (a->update_flags && !narrow_in_block)
        thumb_put_dest(op, ISS_REG_FLAGS);
}

/* The last operand: a constant, or a register that may be shifted. */
static void last_operand(struct iss_op *op, const cs_arm_op *o, enum iss_value value, uint32_t inverted)
{
    if (is_immediate(o)) {
        op->value = (uint8_t)value;
        op->constant = (int64_t)((uint32_t)o->imm ^ inverted);
        return;
    }
    bool shifted = o->shift.type != ARM_SFT_INVALID;
    thumb_source(op, (unsigned)o->reg, shifted ? ISS_NEED_SHIFTED : ISS_NEED_OPERAND);
    if (shifted)
        op->class = op->class == ISS_COMPARE ? ISS_COMPARE_SHIFTED : ISS_ALU_SHIFTED;
    if (is_followed(o) && !inverted) {
        op->value = (uint8_t)value;
        op->shift = (uint8_t)(shifted ? o->shift.value & 31 : 0);
    }
}

/* Operands are "dest, first, last", or "dest, last" where dest is also the first source. A value computed from the
 * program counter is not followed. */
static bool two_operands(struct iss_op *op, const cs_arm *a, enum iss_value value, uint32_t inverted, bool in_block)
{
    int last = a->op_count - 1, first = last > 1 ? 1 : 0;
    if (last < 1 || reg_of(a, first) == ARM_REG_INVALID)
        return false;
    op->class = ISS_ALU;
    op->width = 32;
    thumb_source(op, reg_of(a, first), ISS_NEED_OPERAND);
    last_operand(op, &a->operands[last], value, inverted);
    if (reg_of(a, first) == ARM_REG_PC || reg_of(a, last) == ARM_REG_PC)
        op->value = ISS_VALUE_NONE;
    if (reg_of(a, 0) == ARM_REG_PC) {
        op->class = ISS_BRANCH_REG;
        op->branch = ISS_JUMP_INDIRECT;
    }
    thumb_dest(op, reg_of(a, 0));
    flags(op, a, in_block);
    return true;
}

static bool compare(struct iss_op *op, const cs_arm *a, enum iss_value value)
{
    if (a->op_count < 2)
        return false;
    op->class = ISS_COMPARE;
    op->width = 32;
    thumb_source(op, reg_of(a, 0), ISS_NEED_OPERAND);
    last_operand(op, &a->operands[1], value, 0);
    thumb_put_dest(op, ISS_REG_FLAGS);
    return true;
}

/* Moving a register is adding zero. */
static bool move(struct iss_op *op, const cs_arm *a, bool negated, bool in_block)
{
    const cs_arm_op *o = &a->operands[1];
    if (a->op_count != 2)
        return false;
    op->width = 32;
    if (is_immediate(o)) {
        op->class = ISS_MOVE_IMM;
        op->value = ISS_VALUE_CONSTANT;
        op->constant = (int64_t)(negated ? ~(uint32_t)o->imm : (uint32_t)o->imm);
    } else {
        bool shifted = o->shift.type != ARM_SFT_INVALID;
        op->class = shifted ? ISS_SHIFT : ISS_ALU;
        thumb_source(op, (unsigned)o->reg, shifted ? ISS_NEED_SHIFTED : ISS_NEED_OPERAND);
        if (!shifted && !negated && o->reg != ARM_REG_PC)
            op->value = ISS_VALUE_ADD;
    }
    thumb_dest(op, reg_of(a, 0));
    flags(op, a, in_block);
    return true;
}

static bool move_top(struct iss_op *op, const cs_arm *a)
{
    op->class = ISS_MOVE_IMM;
    op->width = 32;
    thumb_source(op, reg_of(a, 0), ISS_NEED_OPERAND);
    thumb_dest(op, reg_of(a, 0));
    op->value = ISS_VALUE_INSERT;
    op->shift = 16;
    op->constant = a->operands[1].imm & 0xffff;
    return a->op_count == 2;
}

static bool address_of(struct iss_op *op, const cs_arm *a, int64_t pc)
{
    op->class = ISS_MOVE_IMM;
    op->width = 32;
    op->value = ISS_VALUE_CONSTANT;
    op->constant = (pc & ~INT64_C(3)) + a->operands[a->op_count - 1].imm;
    thumb_dest(op, reg_of(a, 0));
    return true;
}

static bool shift(struct iss_op *op, const cs_arm *a, enum iss_value value, bool in_block)
{
    int last = a->op_count - 1, first = last > 1 ? 1 : 0;
    const cs_arm_op *o = &a->operands[last];
    op->width = 32;
    thumb_source(op, reg_of(a, first), ISS_NEED_SHIFTED);
    op->class = ISS_SHIFT;
    if (is_immediate(o) && o->imm < 32) {
        op->value = (uint8_t)value;
        op->constant = o->imm;
    } else if (!is_immediate(o)) {
        op->class = ISS_SHIFT_REG;
        thumb_source(op, (unsigned)o->reg, ISS_NEED_SHIFTED);
    }
    thumb_dest(op, reg_of(a, 0));
    flags(op, a, in_block);
    return last >= 1;
}

/* dest = f(all other operands), whose value is not followed. */
static bool plain(struct iss_op *op, const cs_arm *a, enum iss_class class, enum iss_need need)
{
    op->class = (uint8_t) class;
    op->width = 32;
    for (int i = 1; i < a->op_count; i++)
        thumb_source(op, reg_of(a, i), need);
    thumb_dest(op, reg_of(a, 0));
    return reg_of(a, 0) != ARM_REG_INVALID;
}

static bool rotate_by_carry(struct iss_op *op, const cs_arm *a, bool in_block)
{
    bool fine = plain(op, a, ISS_SHIFT, ISS_NEED_SHIFTED);
    thumb_put_source(op, ISS_REG_FLAGS, ISS_NEED_FLAGS);
    flags(op, a, in_block);
    return fine;
}

static bool extend(struct iss_op *op, const cs_arm *a, enum iss_value value, unsigned from)
{
    bool fine = plain(op, a, ISS_SHIFT, ISS_NEED_SHIFTED);
    if (a->operands[a->op_count - 1].shift.type == ARM_SFT_INVALID) {
        op->value = (uint8_t)value;
        op->shift = (uint8_t)from;
    }
    return fine;
}

static bool multiply(struct iss_op *op, const cs_arm *a, bool in_block)
{
    bool fine = plain(op, a, ISS_MUL32, ISS_NEED_MULTIPLY);
    if (a->op_count == 2) /* muls r0, r1: the destination is a factor too */
        thumb_source(op, reg_of(a, 0), ISS_NEED_MULTIPLY);
    op->value = ISS_VALUE_MUL;
    flags(op, a, in_block);
    return fine;
}

static bool multiply_add(struct iss_op *op, const cs_arm *a, enum iss_class class, enum iss_value value)
{
    op->class = (uint8_t) class;
    op->width = 32;
    thumb_source(op, reg_of(a, 1), ISS_NEED_MULTIPLY);
    thumb_source(op, reg_of(a, 2), ISS_NEED_MULTIPLY);
    thumb_source(op, reg_of(a, 3), ISS_NEED_ACCUMULATE);
    thumb_dest(op, reg_of(a, 0));
    op->value = (uint8_t)value;
    return a->op_count == 4;
}

/* Has two results. With an addition they are sources too. */
static bool multiply_long(struct iss_op *op, const cs_arm *a, bool add)
{
    op->class = ISS_MUL_WIDE;
    op->width = 32;
    thumb_source(op, reg_of(a, 2), ISS_NEED_MULTIPLY);
    thumb_source(op, reg_of(a, 3), ISS_NEED_MULTIPLY);
    for (int i = 0; i < 2; i++) {
        if (add)
            thumb_source(op, reg_of(a, i), ISS_NEED_ACCUMULATE);
        thumb_dest(op, reg_of(a, i));
    }
    return a->op_count == 4;
}

static bool divide(struct iss_op *op, const cs_arm *a, enum iss_class class, enum iss_value value)
{
    int last = a->op_count - 1;
    op->class = (uint8_t) class;
    op->width = 32;
    thumb_source(op, reg_of(a, last - 1), ISS_NEED_MULTIPLY);
    thumb_source(op, reg_of(a, last), ISS_NEED_MULTIPLY);
    thumb_dest(op, reg_of(a, 0));
    op->value = (uint8_t)value;
    return last >= 1;
}

static bool arithmetic(struct iss_op *op, const cs_insn *insn, int64_t pc, bool in_block)
{
    const cs_arm *a = &insn->detail->arm;
    switch (thumb_id(insn)) {
    case ARM_INS_ADD:
    case ARM_INS_ADDW:
        return two_operands(op, a, ISS_VALUE_ADD, 0, in_block);
    case ARM_INS_SUB:
    case ARM_INS_SUBW:
        return two_operands(op, a, ISS_VALUE_SUB, 0, in_block);
    case ARM_INS_AND:
        return two_operands(op, a, ISS_VALUE_AND, 0, in_block);
    case ARM_INS_BIC:
        return two_operands(op, a, ISS_VALUE_AND, UINT32_MAX, in_block);
    case ARM_INS_ORR:
        return two_operands(op, a, ISS_VALUE_OR, 0, in_block);
    case ARM_INS_ORN:
        return two_operands(op, a, ISS_VALUE_OR, UINT32_MAX, in_block);
    case ARM_INS_EOR:
        return two_operands(op, a, ISS_VALUE_XOR, 0, in_block);
    case ARM_INS_RSB:
        return two_operands(op, a, ISS_VALUE_NONE, 0, in_block);
    case ARM_INS_ADC:
    case ARM_INS_SBC:
        thumb_put_source(op, ISS_REG_FLAGS, ISS_NEED_FLAGS);
        return two_operands(op, a, ISS_VALUE_NONE, 0, in_block);
    case ARM_INS_CMP:
        return compare(op, a, ISS_VALUE_SUB);
    case ARM_INS_CMN:
        return compare(op, a, ISS_VALUE_ADD);
    case ARM_INS_TST:
        return compare(op, a, ISS_VALUE_AND);
    case ARM_INS_TEQ:
        return compare(op, a, ISS_VALUE_NONE);
    case ARM_INS_MOV:
    case ARM_INS_MOVW:
        return move(op, a, false, in_block);
    case ARM_INS_MVN:
        return move(op, a, true, in_block);
    case ARM_INS_MOVT:
        return move_top(op, a);
    case ARM_INS_ADR:
        return address_of(op, a, pc);
    case ARM_INS_LSL:
        return shift(op, a, ISS_VALUE_SHL, in_block);
    case ARM_INS_LSR:
        return shift(op, a, ISS_VALUE_SHR, in_block);
    case ARM_INS_ASR:
        return shift(op, a, ISS_VALUE_SAR, in_block);
    case ARM_INS_ROR:
        return shift(op, a, ISS_VALUE_NONE, in_block);
    case ARM_INS_RRX:
        return rotate_by_carry(op, a, in_block);
    case ARM_INS_SXTB:
        return extend(op, a, ISS_VALUE_SIGN, 8);
    case ARM_INS_SXTH:
        return extend(op, a, ISS_VALUE_SIGN, 16);
    case ARM_INS_UXTB:
        return extend(op, a, ISS_VALUE_ZERO, 8);
    case ARM_INS_UXTH:
        return extend(op, a, ISS_VALUE_ZERO, 16);
    case ARM_INS_MUL:
        return multiply(op, a, in_block);
    case ARM_INS_MLA:
        return multiply_add(op, a, ISS_MADD32, ISS_VALUE_MADD);
    case ARM_INS_MLS:
        return multiply_add(op, a, ISS_MSUB32, ISS_VALUE_MSUB);
    case ARM_INS_SDIV:
        return divide(op, a, ISS_SDIV32, ISS_VALUE_SDIV);
    case ARM_INS_UDIV:
        return divide(op, a, ISS_UDIV32, ISS_VALUE_UDIV);
    default:
        return false;
    }
}

/* Instructions whose values are not followed. */
static const struct other {
    unsigned id;
    uint8_t class, need;
} others[] = {
    {ARM_INS_CLZ, ISS_BITS, ISS_NEED_OPERAND},
    {ARM_INS_RBIT, ISS_SHIFT, ISS_NEED_SHIFTED},
    {ARM_INS_REV, ISS_SHIFT, ISS_NEED_SHIFTED},
    {ARM_INS_REV16, ISS_SHIFT, ISS_NEED_SHIFTED},
    {ARM_INS_REVSH, ISS_SHIFT, ISS_NEED_SHIFTED},
    {ARM_INS_UBFX, ISS_SHIFT, ISS_NEED_SHIFTED},
    {ARM_INS_SBFX, ISS_SHIFT, ISS_NEED_SHIFTED},
    {ARM_INS_SXTB16, ISS_SHIFT, ISS_NEED_SHIFTED},
    {ARM_INS_UXTB16, ISS_SHIFT, ISS_NEED_SHIFTED},
    {ARM_INS_SXTAB, ISS_ALU_SHIFTED, ISS_NEED_SHIFTED},
    {ARM_INS_SXTAH, ISS_ALU_SHIFTED, ISS_NEED_SHIFTED},
    {ARM_INS_SXTAB16, ISS_ALU_SHIFTED, ISS_NEED_SHIFTED},
    {ARM_INS_UXTAB, ISS_ALU_SHIFTED, ISS_NEED_SHIFTED},
    {ARM_INS_UXTAH, ISS_ALU_SHIFTED, ISS_NEED_SHIFTED},
    {ARM_INS_UXTAB16, ISS_ALU_SHIFTED, ISS_NEED_SHIFTED},
    {ARM_INS_PKHBT, ISS_ALU_SHIFTED, ISS_NEED_SHIFTED},
    {ARM_INS_PKHTB, ISS_ALU_SHIFTED, ISS_NEED_SHIFTED},
    {ARM_INS_SSAT, ISS_SHIFT, ISS_NEED_SHIFTED},
    {ARM_INS_USAT, ISS_SHIFT, ISS_NEED_SHIFTED},
    {ARM_INS_SSAT16, ISS_SHIFT, ISS_NEED_SHIFTED},
    {ARM_INS_USAT16, ISS_SHIFT, ISS_NEED_SHIFTED},
    {ARM_INS_SEL, ISS_SELECT, ISS_NEED_OPERAND},
    {ARM_INS_QADD, ISS_ALU, ISS_NEED_OPERAND},
    {ARM_INS_QSUB, ISS_ALU, ISS_NEED_OPERAND},
    {ARM_INS_QDADD, ISS_ALU, ISS_NEED_OPERAND},
    {ARM_INS_QDSUB, ISS_ALU, ISS_NEED_OPERAND},
    {ARM_INS_USAD8, ISS_MUL32, ISS_NEED_MULTIPLY},
    {ARM_INS_USADA8, ISS_MADD32, ISS_NEED_MULTIPLY},
    {ARM_INS_SMULBB, ISS_MUL32, ISS_NEED_MULTIPLY},
    {ARM_INS_SMULBT, ISS_MUL32, ISS_NEED_MULTIPLY},
    {ARM_INS_SMULTB, ISS_MUL32, ISS_NEED_MULTIPLY},
    {ARM_INS_SMULTT, ISS_MUL32, ISS_NEED_MULTIPLY},
    {ARM_INS_SMULWB, ISS_MUL32, ISS_NEED_MULTIPLY},
    {ARM_INS_SMULWT, ISS_MUL32, ISS_NEED_MULTIPLY},
    {ARM_INS_SMLABB, ISS_MADD32, ISS_NEED_MULTIPLY},
    {ARM_INS_SMLABT, ISS_MADD32, ISS_NEED_MULTIPLY},
    {ARM_INS_SMLATB, ISS_MADD32, ISS_NEED_MULTIPLY},
    {ARM_INS_SMLATT, ISS_MADD32, ISS_NEED_MULTIPLY},
    {ARM_INS_SMLAWB, ISS_MADD32, ISS_NEED_MULTIPLY},
    {ARM_INS_SMLAWT, ISS_MADD32, ISS_NEED_MULTIPLY},
    {ARM_INS_SMLAD, ISS_MADD32, ISS_NEED_MULTIPLY},
    {ARM_INS_SMLADX, ISS_MADD32, ISS_NEED_MULTIPLY},
    {ARM_INS_SMLSD, ISS_MSUB32, ISS_NEED_MULTIPLY},
    {ARM_INS_SMLSDX, ISS_MSUB32, ISS_NEED_MULTIPLY},
    {ARM_INS_SMUAD, ISS_MUL32, ISS_NEED_MULTIPLY},
    {ARM_INS_SMUADX, ISS_MUL32, ISS_NEED_MULTIPLY},
    {ARM_INS_SMUSD, ISS_MUL32, ISS_NEED_MULTIPLY},
    {ARM_INS_SMUSDX, ISS_MUL32, ISS_NEED_MULTIPLY},
    {ARM_INS_SMMUL, ISS_MUL32, ISS_NEED_MULTIPLY},
    {ARM_INS_SMMULR, ISS_MUL32, ISS_NEED_MULTIPLY},
    {ARM_INS_SMMLA, ISS_MADD32, ISS_NEED_MULTIPLY},
    {ARM_INS_SMMLAR, ISS_MADD32, ISS_NEED_MULTIPLY},
    {ARM_INS_SMMLS, ISS_MSUB32, ISS_NEED_MULTIPLY},
    {ARM_INS_SMMLSR, ISS_MSUB32, ISS_NEED_MULTIPLY},
};

/* Parallel additions and subtractions of bytes and halfwords: sadd8, uhsub16 ... */
static bool is_parallel(unsigned id)
{
    static const uint16_t all[] = {
        ARM_INS_SADD8,  ARM_INS_SADD16,  ARM_INS_SASX,  ARM_INS_SSAX,  ARM_INS_SSUB8,  ARM_INS_SSUB16,
        ARM_INS_QADD8,  ARM_INS_QADD16,  ARM_INS_QASX,  ARM_INS_QSAX,  ARM_INS_QSUB8,  ARM_INS_QSUB16,
        ARM_INS_SHADD8, ARM_INS_SHADD16, ARM_INS_SHASX, ARM_INS_SHSAX, ARM_INS_SHSUB8, ARM_INS_SHSUB16,
        ARM_INS_UADD8,  ARM_INS_UADD16,  ARM_INS_UASX,  ARM_INS_USAX,  ARM_INS_USUB8,  ARM_INS_USUB16,
        ARM_INS_UQADD8, ARM_INS_UQADD16, ARM_INS_UQASX, ARM_INS_UQSAX, ARM_INS_UQSUB8, ARM_INS_UQSUB16,
        ARM_INS_UHADD8, ARM_INS_UHADD16, ARM_INS_UHASX, ARM_INS_UHSAX, ARM_INS_UHSUB8, ARM_INS_UHSUB16,
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] == id)
            return true;
    return false;
}

static bool other_arithmetic(struct iss_op *op, const cs_insn *insn)
{
    const cs_arm *a = &insn->detail->arm;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].id == insn->id)
            return plain(op, a, others[i].class, others[i].need);
    if (is_parallel(insn->id))
        return plain(op, a, ISS_ALU, ISS_NEED_OPERAND);
    switch (insn->id) {
    case ARM_INS_BFI:
    case ARM_INS_BFC: /* the other bits are kept */
        thumb_source(op, reg_of(a, 0), ISS_NEED_OPERAND);
        return plain(op, a, ISS_SHIFT, ISS_NEED_SHIFTED);
    case ARM_INS_UMULL:
    case ARM_INS_SMULL:
        return multiply_long(op, a, false);
    case ARM_INS_UMLAL:
    case ARM_INS_SMLAL:
    case ARM_INS_UMAAL:
    case ARM_INS_SMLALBB:
    case ARM_INS_SMLALBT:
    case ARM_INS_SMLALTB:
    case ARM_INS_SMLALTT:
    case ARM_INS_SMLALD:
    case ARM_INS_SMLALDX:
    case ARM_INS_SMLSLD:
    case ARM_INS_SMLSLDX:
        return multiply_long(op, a, true);
    default:
        return false;
    }
}

static bool system_or_hint(struct iss_op *op, const cs_insn *insn)
{
    const cs_arm *a = &insn->detail->arm;
    switch (insn->id) {
    case ARM_INS_DMB:
    case ARM_INS_DSB:
    case ARM_INS_ISB:
        op->class = ISS_BARRIER;
        return true;
    case ARM_INS_PLD:
    case ARM_INS_PLDW:
    case ARM_INS_PLI:
    case ARM_INS_CLREX:
    case ARM_INS_HINT:
    case ARM_INS_NOP:
        op->class = ISS_NOP;
        return true;
    case ARM_INS_SVC:
        thumb_put_dest(op, 0); /* the kernel's result */
        op->class = ISS_SYSTEM;
        return true;
    case ARM_INS_MRC:
        op->class = ISS_SYSTEM;
        for (int i = 0; i < a->op_count; i++)
            thumb_dest(op, reg_of(a, i));
        return true;
    case ARM_INS_MRS:
    case ARM_INS_MSR:
    case ARM_INS_MCR:
    case ARM_INS_CPS:
    case ARM_INS_BKPT:
    case ARM_INS_UDF:
        op->class = ISS_SYSTEM;
        if (insn->id == ARM_INS_MRS)
            thumb_dest(op, reg_of(a, 0));
        if (insn->id == ARM_INS_MSR)
            thumb_source(op, reg_of(a, 1), ISS_NEED_OPERAND);
        return true;
    default:
        return false;
    }
}

static bool access_memory(struct iss_op *op, const cs_insn *insn)
{
    const cs_arm *a = &insn->detail->arm;
    const struct access *load_as = find_access(loads, sizeof loads / sizeof *loads, insn->id);
    const struct access *store_as = find_access(stores, sizeof stores / sizeof *stores, insn->id);
    if (load_as)
        return load(op, a, load_as);
    if (store_as)
        return store(op, a, store_as);
    switch (insn->id) {
    case ARM_INS_LDM:
    case ARM_INS_LDMDB:
        return many(op, a, true, false, insn->id == ARM_INS_LDMDB);
    case ARM_INS_STM:
    case ARM_INS_STMDB:
        return many(op, a, false, false, insn->id == ARM_INS_STMDB);
    case ARM_INS_POP:
        return many(op, a, true, true, false);
    case ARM_INS_PUSH:
        return many(op, a, false, true, true);
    default:
        return false;
    }
}

/* ---- the decoder ---- */

static void *open_thumb(void)
{
    static struct state s;
    if (cs_open(CS_ARCH_ARM, CS_MODE_THUMB | CS_MODE_LITTLE_ENDIAN, &s.capstone) != CS_ERR_OK)
        return 0;
    cs_option(s.capstone, CS_OPT_DETAIL, CS_OPT_ON);
    s.insn = cs_malloc(s.capstone);
    s.it = 0;
    return &s;
}

static void close_thumb(void *state)
{
    struct state *s = state;
    cs_free(s->insn, 1);
    cs_close(&s->capstone);
}

/* Decodes the instructions that are read from their bits. `h`: the first halfword. */
static bool by_bits(struct iss_op *op, uint32_t h, uint32_t second, int64_t pc, unsigned it_condition)
{
    if (op->size == 2 && (h & 0xff00) == 0xbf00) {
        op->class = h & 15 ? ISS_IF_THEN : ISS_NOP;
        return true;
    }
    return op->size == 2 ? narrow_branch(op, h, pc, it_condition)
                         : wide_branch(op, h, second, pc, it_condition) || table_branch(op, h, second);
}

/* Capstone 4 reports additions with carry of 32-bit encoding as setting the flags. The bit that says so is the
 * fifth. */
static void correct_flags(cs_arm *a, const uint8_t *code)
{
    uint32_t h = (uint32_t)code[0] | (uint32_t)code[1] << 8;
    if ((h & 0xfe00) == 0xea00 || ((h & 0xfa00) == 0xf000 && !(code[3] & 0x80)))
        a->update_flags = h >> 4 & 1;
}

static bool by_capstone(struct state *s, struct iss_op *op, const uint8_t *code, size_t size, uint64_t address,
                        bool in_block)
{
    const uint8_t *from = code;
    uint64_t at = address;
    if (!cs_disasm_iter(s->capstone, &code, &size, &at, s->insn) || s->insn->size != op->size)
        return false;
    if (op->size == 4)
        correct_flags(&s->insn->detail->arm, from);
    int64_t pc = (int64_t)address + 4;
    const struct iss_op empty = *op;
    if (arithmetic(op, s->insn, pc, in_block && op->size == 2))
        return true;
    *op = empty;
    if (other_arithmetic(op, s->insn) || access_memory(op, s->insn))
        return true;
    *op = empty;
    if (iss_thumb_fp(op, s->insn))
        return true;
    *op = empty;
    return system_or_hint(op, s->insn);
}

/* Used inside an IT block. A branch by flags says so itself. */
static void make_conditional(struct iss_op *op, unsigned condition)
{
    op->conditional = op->branch != ISS_CONDITIONAL;
    if (op->conditional && condition < 14)
        op->condition = (uint8_t)(ISS_IF_FLAGS + condition);
}

static bool decode(void *state, const uint8_t *code, size_t size, uint64_t address, struct iss_op *op)
{
    struct state *s = state;
    memset(op, 0, sizeof *op);
    op->size = (uint8_t)size;
    op->repeat = 1;
    if (address != s->next)
        s->it = 0;
    s->next = address + size;
    unsigned condition = s->it & 15 ? (unsigned)s->it >> 4 : 14;
    bool in_block = s->it & 15;
    uint32_t h = size < 2 ? 0 : (uint32_t)code[0] | (uint32_t)code[1] << 8;
    uint32_t second = size < 4 ? 0 : (uint32_t)code[2] | (uint32_t)code[3] << 8;
    bool known = (size == 2 || size == 4) && (by_bits(op, h, second, (int64_t)address + 4, condition) ||
                                              by_capstone(s, op, code, size, address, in_block));
    s->it = (s->it & 7) ? (uint8_t)((s->it & 0xe0) | (s->it << 1 & 0x1f)) : 0;
    if (!known) {
        memset(op, 0, sizeof *op);
        op->size = (uint8_t)size;
        op->repeat = 1;
        op->class = ISS_UNKNOWN;
        return false;
    }
    if (in_block)
        make_conditional(op, condition);
    if (op->class == ISS_IF_THEN)
        s->it = (uint8_t)h;
    return true;
}

static size_t size_of(const uint8_t *code)
{
    return code[1] >> 3 >= 29 ? 4 : 2;
}

const struct iss_decoder iss_decode_thumb = {"arm", open_thumb, close_thumb, decode, size_of, false};
