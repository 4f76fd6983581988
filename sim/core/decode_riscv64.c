/*
 * decode_riscv64.c - decodes RV64GC with Zba, Zbb, Zbs and Zicond. An instruction's fields stand at fixed places (The
 * RISC-V Instruction Set Manual, volume I). The opcode tells which registers there are, funct3 and funct7 what is done
 * with them. Compressed instructions are expanded first. The zero register is never a destination.
 */
#include "sim/core/op.h"
#include "sim/core/expand_rvc.h"

#include <string.h>

struct fields {
    uint32_t word;
    uint8_t rd, rs1, rs2, rs3, funct3, funct7;
    int32_t imm_i;
    uint64_t address;
};

enum { RA = 1, T0 = 5 };

static struct fields split(uint32_t word, uint64_t address)
{
    return (struct fields){.word = word,
                           .rd = word >> 7 & 31,
                           .rs1 = word >> 15 & 31,
                           .rs2 = word >> 20 & 31,
                           .rs3 = word >> 27,
                           .funct3 = word >> 12 & 7,
                           .funct7 = word >> 25,
                           .imm_i = (int32_t)word >> 20,
                           .address = address};
}

/* ---- Registers ---- */

/* The zero register counts as a source, so that the operands of a value keep their order. */
static void source(struct iss_op *op, unsigned reg, enum iss_need need)
{
    op->source[op->n_sources].reg = reg ? (uint8_t)reg : ISS_REG_NONE;
    op->source[op->n_sources++].need = need;
}
static void dest(struct iss_op *op, unsigned reg)
{
    if (reg)
        op->dest[op->n_dests++] = (uint8_t)reg;
}
static unsigned fp(unsigned reg)
{
    return ISS_REG_FP + reg;
}

/* The result is `value` of the sources. A 32-bit result is sign-extended. */
static void value(struct iss_op *op, enum iss_value value, unsigned width, int64_t constant)
{
    op->value = value;
    op->width = (uint8_t)width;
    op->sign_extends = width == 32;
    op->constant = constant;
}
/* The same, with one operand shifted (op->shift). */
static bool shifted(struct iss_op *op, enum iss_value kind, unsigned width, unsigned by)
{
    value(op, kind, width, 0);
    op->shift = (uint8_t)by;
    return true;
}

/* ---- Integer arithmetic ---- */

/* addi, slti, xori ...; of width 32 there is addiw alone. */
static bool alu_immediate(const struct fields *f, struct iss_op *op, unsigned width)
{
    static const uint8_t values[8] = {ISS_VALUE_ADD, 0, 0, 0, ISS_VALUE_XOR, 0, ISS_VALUE_OR, ISS_VALUE_AND};
    if (width == 32 && f->funct3)
        return false;
    if (!f->rs1 && !f->funct3) { /* li, nop */
        op->class = f->rd ? ISS_MOVE_IMM : ISS_NOP;
        value(op, ISS_VALUE_CONSTANT, 64, f->imm_i);
        return true;
    }
    source(op, f->rs1, ISS_NEED_OPERAND);
    if (values[f->funct3])
        value(op, values[f->funct3], width, f->imm_i);
    return true;
}

/* Shifts by a constant, and the bit operations that share their encoding. */
static bool shift_immediate(const struct fields *f, struct iss_op *op, unsigned width)
{
    unsigned funct6 = f->funct7 >> 1, shift = (unsigned)f->imm_i & (width - 1);
    op->class = ISS_SHIFT;
    source(op, f->rs1, ISS_NEED_SHIFTED);
    if (width == 32 && f->funct7 & 1 && funct6 != 2)
        return false;
    switch (f->funct3 << 6 | funct6) {
    case 1 << 6 | 0x00: /* slli */
        value(op, ISS_VALUE_SHL, width, shift);
        return true;
    case 5 << 6 | 0x00:
        value(op, ISS_VALUE_SHR, width, shift);
        return true;
    case 5 << 6 | 0x10:
        value(op, ISS_VALUE_SAR, width, shift);
        return true;
    case 1 << 6 | 0x02: /* slli.uw */
        return width == 32;
    case 1 << 6 | 0x18: /* clz ctz cpop sext.b sext.h */
        if (f->rs2 < 3)
            op->class = ISS_BITS;
        else
            shifted(op, ISS_VALUE_SIGN, 64, f->rs2 == 4 ? 8 : 16);
        return f->rs2 < 3 || (width == 64 && (f->rs2 == 4 || f->rs2 == 5));
    case 1 << 6 | 0x0a: /* bseti bclri binvi */
    case 1 << 6 | 0x12:
    case 1 << 6 | 0x1a:
    case 5 << 6 | 0x12: /* bexti */
        return width == 64;
    case 5 << 6 | 0x0a: /* orc.b */
    case 5 << 6 | 0x1a: /* rev8 */
        return width == 64 && f->imm_i == (funct6 == 0x0a ? 0x287 : 0x6b8);
    case 5 << 6 | 0x18: /* rori */
        return true;
    }
    return false;
}

static bool register_immediate(const struct fields *f, struct iss_op *op, unsigned width)
{
    op->class = ISS_ALU;
    dest(op, f->rd);
    return f->funct3 == 1 || f->funct3 == 5 ? shift_immediate(f, op, width) : alu_immediate(f, op, width);
}

static bool multiply_divide(const struct fields *f, struct iss_op *op, unsigned width)
{
    static const uint8_t divisions[4] = {ISS_VALUE_SDIV, ISS_VALUE_UDIV, ISS_VALUE_SREM, ISS_VALUE_UREM};
    dest(op, f->rd);
    source(op, f->rs1, ISS_NEED_MULTIPLY);
    source(op, f->rs2, ISS_NEED_MULTIPLY);
    if (f->funct3 < 4) {
        op->class = f->funct3 ? ISS_MUL_HIGH : width == 32 ? ISS_MUL32 : ISS_MUL64;
        if (!f->funct3)
            value(op, ISS_VALUE_MUL, width, 0);
        return width == 64 || !f->funct3;
    }
    if (f->funct3 & 1)
        op->class = width == 32 ? ISS_UDIV32 : ISS_UDIV64;
    else
        op->class = width == 32 ? ISS_SDIV32 : ISS_SDIV64;
    value(op, divisions[f->funct3 - 4], width, 0);
    return true;
}

/* funct7 and funct3 of the instructions of OP and OP-32 beyond the base. A class of ISS_UNKNOWN ends the list. */
static const struct extra {
    uint8_t funct7, funct3, class;
    bool op, op32;
} extras[] = {{0x05, 4, ISS_SELECT, true, false},     {0x05, 5, ISS_SELECT, true, false}, /* min minu */
              {0x05, 6, ISS_SELECT, true, false},     {0x05, 7, ISS_SELECT, true, false}, /* max maxu */
              {0x07, 5, ISS_SELECT, true, false},     {0x07, 7, ISS_SELECT, true, false}, /* czero */
              {0x10, 2, ISS_ALU_SHIFTED, true, true}, {0x10, 4, ISS_ALU_SHIFTED, true, true},
              {0x10, 6, ISS_ALU_SHIFTED, true, true}, {0x04, 0, ISS_ALU_SHIFTED, false, true}, /* shNadd, add.uw */
              {0x04, 4, ISS_SHIFT, false, true},                                               /* zext.h */
              {0x30, 1, ISS_SHIFT_REG, true, true},   {0x30, 5, ISS_SHIFT_REG, true, true},    /* rol ror */
              {0x24, 1, ISS_SHIFT_REG, true, false},  {0x24, 5, ISS_SHIFT_REG, true, false},   /* bclr bext */
              {0x14, 1, ISS_SHIFT_REG, true, false},  {0x34, 1, ISS_SHIFT_REG, true, false},   /* bset binv */
              {0, 0, ISS_UNKNOWN, false, false}};

static bool extra_arithmetic(const struct fields *f, struct iss_op *op, unsigned width)
{
    for (const struct extra *e = extras; e->class != ISS_UNKNOWN; e++) {
        if (e->funct7 != f->funct7 || e->funct3 != f->funct3 || !(width == 64 ? e->op : e->op32))
            continue;
        bool shift = e->class == ISS_SHIFT || e->class == ISS_SHIFT_REG;
        op->class = e->class;
        dest(op, f->rd);
        if (e->class == ISS_ALU_SHIFTED) { /* rs2 + (rs1 << n); n = 0 in add.uw */
            source(op, f->rs2, ISS_NEED_OPERAND);
            source(op, f->rs1, ISS_NEED_SHIFTED);
            return width == 32 || shifted(op, ISS_VALUE_ADD, 64, f->funct3 >> 1);
        }
        source(op, f->rs1, shift ? ISS_NEED_SHIFTED : ISS_NEED_OPERAND);
        source(op, f->rs2, shift ? ISS_NEED_SHIFTED : ISS_NEED_OPERAND);
        return f->funct7 != 0x04 || shifted(op, ISS_VALUE_ZERO, 64, 16); /* zext.h */
    }
    return false;
}

static bool register_register(const struct fields *f, struct iss_op *op, unsigned width)
{
    static const uint8_t plain[8] = {ISS_VALUE_ADD, 0, 0, 0, ISS_VALUE_XOR, 0, ISS_VALUE_OR, ISS_VALUE_AND};
    if (f->funct7 == 1)
        return multiply_divide(f, op, width);
    bool shift = f->funct3 == 1 || f->funct3 == 5, base = f->funct7 == 0 && (width == 64 || shift || !f->funct3);
    bool other = f->funct7 == 0x20 && (f->funct3 == 0 || f->funct3 == 5 || (width == 64 && f->funct3 >= 4));
    if (!base && !other)
        return extra_arithmetic(f, op, width);
    op->class = shift ? ISS_SHIFT_REG : ISS_ALU;
    dest(op, f->rd);
    source(op, f->rs1, shift ? ISS_NEED_SHIFTED : ISS_NEED_OPERAND);
    source(op, f->rs2, shift ? ISS_NEED_SHIFTED : ISS_NEED_OPERAND);
    if (base && plain[f->funct3])
        value(op, plain[f->funct3], width, 0);
    else if (other && f->funct3 == 0)
        value(op, ISS_VALUE_SUB, width, 0);
    return true;
}

/* ---- Memory ---- */

static bool load(const struct fields *f, struct iss_op *op)
{
    static const uint8_t classes[8] = {ISS_LOAD_SMALL, ISS_LOAD_SMALL, ISS_LOAD_SMALL, ISS_LOAD,
                                       ISS_LOAD_SMALL, ISS_LOAD_SMALL, ISS_LOAD_WORD,  ISS_UNKNOWN};
    if (f->funct3 == 7)
        return false;
    op->class = classes[f->funct3];
    op->memory = ISS_READ_MEMORY;
    op->bytes = (uint16_t)(1 << (f->funct3 & 3));
    op->offset = f->imm_i;
    source(op, f->rs1, ISS_NEED_ADDRESS);
    dest(op, f->rd);
    value(op, f->funct3 < 4 ? ISS_VALUE_LOAD_SIGNED : ISS_VALUE_LOAD, 64, 0);
    return true;
}

static int32_t store_offset(const struct fields *f)
{
    return ((int32_t)f->word >> 25) * 32 + f->rd;
}

static bool store(const struct fields *f, struct iss_op *op)
{
    if (f->funct3 > 3)
        return false;
    op->class = ISS_STORE;
    op->memory = ISS_WRITE_MEMORY;
    op->bytes = (uint16_t)(1 << f->funct3);
    op->offset = store_offset(f);
    source(op, f->rs1, ISS_NEED_ADDRESS);
    source(op, f->rs2, ISS_NEED_DATA);
    return true;
}

static bool fp_memory(const struct fields *f, struct iss_op *op, bool is_load)
{
    if (f->funct3 != 2 && f->funct3 != 3)
        return false;
    op->class = is_load ? ISS_FP_LOAD : ISS_FP_STORE;
    op->memory = is_load ? ISS_READ_MEMORY : ISS_WRITE_MEMORY;
    op->bytes = f->funct3 == 3 ? 8 : 4;
    op->width = (uint8_t)(8 * op->bytes);
    op->offset = is_load ? f->imm_i : store_offset(f);
    source(op, f->rs1, ISS_NEED_ADDRESS);
    if (is_load)
        dest(op, fp(f->rd));
    else
        source(op, fp(f->rs2), ISS_NEED_FP_DATA);
    return true;
}

static bool atomic(const struct fields *f, struct iss_op *op)
{
    unsigned what = f->funct7 >> 2;
    if ((f->funct3 != 2 && f->funct3 != 3) || (what & 3 && what > 3))
        return false;
    bool lr = what == 2, sc = what == 3;
    op->class = lr ? ISS_LOAD_EXCLUSIVE : sc ? ISS_STORE_EXCLUSIVE : ISS_ATOMIC;
    op->memory = lr ? ISS_READ_MEMORY : sc ? ISS_WRITE_MEMORY : ISS_READ_MEMORY | ISS_WRITE_MEMORY;
    op->bytes = f->funct3 == 3 ? 8 : 4;
    source(op, f->rs1, ISS_NEED_ADDRESS);
    if (!lr)
        source(op, f->rs2, ISS_NEED_DATA);
    dest(op, f->rd);
    return true;
}

/* ---- Floating point ---- */

static bool fused(const struct fields *f, struct iss_op *op)
{
    op->class = ISS_FP_FMA;
    op->width = f->funct7 & 1 ? 64 : 32;
    source(op, fp(f->rs1), ISS_NEED_FP);
    source(op, fp(f->rs2), ISS_NEED_FP);
    source(op, fp(f->rs3), ISS_NEED_FP_ACCUMULATE);
    dest(op, fp(f->rd));
    return (f->funct7 & 2) == 0;
}

/* Indexed by funct7 without the two bits of the format: the class, and which operands are integer registers. */
static const struct fp_kind {
    uint8_t funct5, class32, class64;
    bool two, from_int, to_int;
} fp_kinds[] = {{0x00, ISS_FP_ADD, ISS_FP_ADD, true, false, false},
                {0x01, ISS_FP_ADD, ISS_FP_ADD, true, false, false},
                {0x02, ISS_FP_MUL, ISS_FP_MUL, true, false, false},
                {0x03, ISS_FP_DIV32, ISS_FP_DIV64, true, false, false},
                {0x0b, ISS_FP_SQRT32, ISS_FP_SQRT64, false, false, false},
                {0x04, ISS_FP_MOVE, ISS_FP_MOVE, true, false, false},     /* fsgnj: fmv, fneg, fabs */
                {0x05, ISS_FP_SELECT, ISS_FP_SELECT, true, false, false}, /* fmin fmax */
                {0x08, ISS_FP_CONVERT, ISS_FP_CONVERT, false, false, false},
                {0x14, ISS_FP_COMPARE, ISS_FP_COMPARE, true, false, true},
                {0x18, ISS_FP_CONVERT_TO_INT, ISS_FP_CONVERT_TO_INT, false, false, true},
                {0x1a, ISS_FP_CONVERT_FROM_INT, ISS_FP_CONVERT_FROM_INT, false, true, false},
                {0x1c, ISS_FP_TO_INT, ISS_FP_TO_INT, false, false, true}, /* fmv.x, fclass */
                {0x1e, ISS_FP_FROM_INT, ISS_FP_FROM_INT, false, true, false}};

static bool fp_arithmetic(const struct fields *f, struct iss_op *op)
{
    unsigned format = f->funct7 & 3;
    for (size_t i = 0; i < sizeof fp_kinds / sizeof *fp_kinds && format < 2; i++) {
        const struct fp_kind *k = &fp_kinds[i];
        if (k->funct5 != f->funct7 >> 2)
            continue;
        op->class = format ? k->class64 : k->class32;
        op->width = format ? 64 : 32;
        if (k->from_int)
            source(op, f->rs1, ISS_NEED_OPERAND);
        else
            source(op, fp(f->rs1), ISS_NEED_FP);
        if (k->two && (op->class != ISS_FP_MOVE || f->rs1 != f->rs2))
            source(op, fp(f->rs2), ISS_NEED_FP);
        dest(op, k->to_int ? f->rd : fp(f->rd));
        return true;
    }
    return false;
}

/* ---- Jumps, branches, the rest ---- */

static bool is_link(unsigned reg)
{
    return reg == RA || reg == T0;
}

static bool jump(const struct fields *f, struct iss_op *op)
{
    uint32_t w = f->word;
    uint32_t offset = (w >> 21 & 0x3ff) << 1 | (w >> 20 & 1) << 11 | (w >> 12 & 0xff) << 12;
    bool call = is_link(f->rd);
    op->class = call ? ISS_CALL : ISS_BRANCH;
    op->branch = call ? ISS_CALL_DIRECT : ISS_JUMP;
    op->constant = (int64_t)(f->address + offset - (uint64_t)(w >> 31) * (1u << 20));
    dest(op, f->rd);
    return true;
}

/* The manual's hints for return-address stacks: an instruction that writes a link register is a call, one that reads it
 * a return. */
static bool jump_register(const struct fields *f, struct iss_op *op)
{
    if (f->funct3)
        return false;
    bool call = is_link(f->rd), back = is_link(f->rs1);
    op->class = call ? ISS_CALL_REG : back ? ISS_RETURN : ISS_BRANCH_REG;
    op->branch = call ? ISS_CALL_INDIRECT : back ? ISS_RETURN_TO : ISS_JUMP_INDIRECT;
    source(op, f->rs1, ISS_NEED_TARGET);
    dest(op, f->rd);
    return true;
}

static bool branch(const struct fields *f, struct iss_op *op)
{
    uint32_t w = f->word;
    uint32_t offset = (w >> 8 & 15) << 1 | (w >> 25 & 63) << 5 | (w >> 7 & 1) << 11;
    static const uint8_t conditions[8] = {ISS_IF_EQUAL, ISS_IF_NOT_EQUAL, 0, 0, ISS_IF_LESS, ISS_IF_NOT_LESS,
                                          ISS_IF_BELOW, ISS_IF_NOT_BELOW};
    if (f->funct3 == 2 || f->funct3 == 3)
        return false;
    op->class = ISS_BRANCH_ZERO;
    op->branch = ISS_CONDITIONAL;
    op->constant = (int64_t)(f->address + offset - (uint64_t)(w >> 31) * (1u << 12));
    op->condition = conditions[f->funct3];
    op->width = 64;
    source(op, f->rs1, ISS_NEED_CONDITION);
    source(op, f->rs2, ISS_NEED_CONDITION);
    return true;
}

static bool upper(const struct fields *f, struct iss_op *op, uint64_t base)
{
    op->class = f->rd ? ISS_MOVE_IMM : ISS_NOP;
    dest(op, f->rd);
    value(op, ISS_VALUE_CONSTANT, 64, (int64_t)(base + (uint64_t)(int64_t)(int32_t)(f->word & 0xfffff000u)));
    return true;
}

static bool system(const struct fields *f, struct iss_op *op)
{
    op->class = ISS_SYSTEM;
    if (f->funct3 == 0)
        return true;
    if (f->funct3 < 4)
        source(op, f->rs1, ISS_NEED_OPERAND);
    dest(op, f->rd);
    return f->funct3 != 4;
}

static bool fence(const struct fields *f, struct iss_op *op)
{
    op->class = f->funct3 < 2 ? ISS_BARRIER : ISS_SYSTEM;
    return f->funct3 < 3;
}

static bool by_opcode(const struct fields *f, struct iss_op *op)
{
    switch (f->word & 0x7f) {
    case 0x03:
        return load(f, op);
    case 0x07:
        return fp_memory(f, op, true);
    case 0x0f:
        return fence(f, op);
    case 0x13:
        return register_immediate(f, op, 64);
    case 0x17:
        return upper(f, op, f->address);
    case 0x1b:
        return register_immediate(f, op, 32);
    case 0x23:
        return store(f, op);
    case 0x27:
        return fp_memory(f, op, false);
    case 0x2f:
        return atomic(f, op);
    case 0x33:
        return register_register(f, op, 64);
    case 0x37:
        return upper(f, op, 0);
    case 0x3b:
        return register_register(f, op, 32);
    case 0x43:
    case 0x47:
    case 0x4b:
    case 0x4f:
        return fused(f, op);
    case 0x53:
        return fp_arithmetic(f, op);
    case 0x63:
        return branch(f, op);
    case 0x67:
        return jump_register(f, op);
    case 0x6f:
        return jump(f, op);
    case 0x73:
        return system(f, op);
    }
    return false;
}

static bool decode(void *state, const uint8_t *code, size_t size, uint64_t address, struct iss_op *op)
{
    (void)state;
    memset(op, 0, sizeof *op);
    op->repeat = 1;
    op->size = (uint8_t)size;
    uint32_t word = 0;
    if (size == 2)
        word = iss_expand_rvc((uint16_t)(code[0] | code[1] << 8));
    else if (size == 4)
        word = (uint32_t)code[0] | (uint32_t)code[1] << 8 | (uint32_t)code[2] << 16 | (uint32_t)code[3] << 24;
    struct fields f = split(word, address);
    if ((word & 3) == 3 && by_opcode(&f, op))
        return true;
    memset(op, 0, sizeof *op);
    op->class = ISS_UNKNOWN;
    op->repeat = 1;
    op->size = (uint8_t)size;
    return false;
}

static void *open_nothing(void)
{
    static char nothing;
    return &nothing;
}
static void close_nothing(void *state)
{
    (void)state;
}

static size_t size_of(const uint8_t *code)
{
    return (code[0] & 3) == 3 ? 4 : 2;
}

const struct iss_decoder iss_decode_riscv64 = {"riscv64", open_nothing, close_nothing, decode, size_of, true};
