/* decode_aarch64.c - decodes A64 instructions on integers, branches and system instructions; passes others to their
 * files. */
#include "sim/core/decode_aarch64.h"

#include <string.h>

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

/* The bit masks of logical immediates: an element of 2 to 64 bits that contains a run of ones, rotated and repeated. */
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

/* Bit-field instructions that are shifts or extensions have a value that is followed; the others do not. */
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
    case 7: /* extr; ror is extr of one register with itself */
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

/* Logic and addition with a register that is shifted by a constant. */
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

/* The class of Rd = Ra +- Rn * Rm. none: Ra is the zero register. */
static uint8_t multiply_class(bool wide, bool subtract, bool none)
{
    static const uint8_t classes[2][2][2] = {{{ISS_MADD32, ISS_MUL32}, {ISS_MSUB32, ISS_MSUB32}},
                                             {{ISS_MADD64, ISS_MUL64}, {ISS_MSUB64, ISS_MNEG64}}};
    return classes[wide][subtract][none];
}

static void three_sources(struct iss_op *op, uint32_t w)
{
    bool subtract = bits(w, 15, 15);
    unsigned kind = bits(w, 23, 21);
    bool high = kind == 2 || kind == 6, widening = kind == 1 || kind == 5;
    source_or_zero(op, rn(w), ISS_NEED_MULTIPLY);
    source_or_zero(op, rm(w), ISS_NEED_MULTIPLY);
    if (!high)
        source_or_zero(op, ra(w), ISS_NEED_ACCUMULATE);
    dest_or_zero(op, rd(w));
    if (kind == 0) {
        op->class = multiply_class(op->width != 32, subtract, ra(w) == 31);
        op->value = subtract ? ISS_VALUE_MSUB : ISS_VALUE_MADD;
    } else {
        op->class = high ? ISS_MUL_HIGH : widening ? ISS_MUL_WIDE : ISS_UNKNOWN;
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
    } else if (kind == 4) { /* csel and its variants */
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
        dest(op, 0);            /* the kernel's result */
    }
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
        return 0;
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
    if (bits(w, 28, 27) == 0) /* SVE, SME, which capstone 5 knows, and what is reserved */
        return false;
    if (bits(w, 28, 26) == 4)
        immediate(op, w, address);
    else if (bits(w, 28, 26) == 5)
        branch(op, w, address);
    else if (bits(w, 27, 25) == 5)
        registers(op, w);
    else if (bits(w, 27, 27) == 1 && bits(w, 25, 25) == 0)
        iss_a64_load_store(op, w);
    else if ((w & 0x7e000000) == 0x1e000000)
        iss_a64_scalar_fp(op, w);
    else
        iss_a64_vector(op, w, s->insn);
    return op->class != ISS_UNKNOWN;
}

static size_t size_of(const uint8_t *code)
{
    (void)code;
    return 4;
}

const struct iss_decoder iss_decode_aarch64 = {"aarch64", open_aarch64, close_aarch64, decode, size_of, true};
