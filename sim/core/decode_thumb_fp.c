/* decode_thumb_fp.c - decodes Thumb-2 floating-point instructions. A single-precision unit has no arithmetic on
 * doubles, but moves, loads and stores them. */
#include "sim/core/decode_thumb.h"

static unsigned reg_of(const cs_arm *a, int i)
{
    return i < a->op_count && a->operands[i].type == ARM_OP_REG ? (unsigned)a->operands[i].reg : ARM_REG_INVALID;
}

static bool is_fp(unsigned reg)
{
    return thumb_is_single(reg) || thumb_is_double(reg);
}

/* 64 if any of the registers holds a double. */
static uint8_t width_of(const cs_arm *a)
{
    for (int i = 0; i < a->op_count; i++)
        if (thumb_is_double(reg_of(a, i)))
            return 64;
    return 32;
}

/* dest = f(the other operands). */
static bool arithmetic(struct iss_op *op, const cs_arm *a, enum iss_class class)
{
    op->class = (uint8_t) class;
    op->width = width_of(a);
    thumb_dest(op, reg_of(a, 0));
    for (int i = 1; i < a->op_count; i++)
        thumb_source(op, reg_of(a, i), ISS_NEED_FP);
    return is_fp(reg_of(a, 0));
}

/* dest = dest +- product */
static bool accumulate(struct iss_op *op, const cs_arm *a)
{
    bool known = arithmetic(op, a, ISS_FP_FMA);
    thumb_source(op, reg_of(a, 0), ISS_NEED_FP_ACCUMULATE);
    return known;
}

static bool compare(struct iss_op *op, const cs_arm *a)
{
    op->class = ISS_FP_COMPARE;
    op->width = width_of(a);
    thumb_source(op, reg_of(a, 0), ISS_NEED_FP);
    thumb_source(op, reg_of(a, 1), ISS_NEED_FP);
    return true;
}

static bool move(struct iss_op *op, const cs_arm *a)
{
    unsigned core = 0, first = reg_of(a, 0), second = reg_of(a, 1);
    for (int i = 0; i < a->op_count; i++)
        core += thumb_is_core(reg_of(a, i));
    op->width = 32;
    if (core >= 2) {
        bool from_core = thumb_is_core(reg_of(a, a->op_count - 1));
        op->class = ISS_FP_INT_PAIR;
        for (int i = 0; i < a->op_count; i++)
            if (thumb_is_core(reg_of(a, i)) == from_core)
                thumb_source(op, reg_of(a, i), from_core ? ISS_NEED_OPERAND : ISS_NEED_FP);
            else
                thumb_dest(op, reg_of(a, i));
        return true;
    }
    if (core == 1) {
        bool into_core = thumb_is_core(first);
        op->class = into_core ? ISS_FP_TO_INT : ISS_FP_FROM_INT;
        thumb_source(op, second, into_core ? ISS_NEED_FP : ISS_NEED_OPERAND);
        thumb_dest(op, first);
        return true;
    }
    return arithmetic(op, a, ISS_FP_MOVE) && (a->op_count < 2 || a->operands[1].type != ARM_OP_REG || is_fp(second));
}

/* Registers of the unit from operand `first` on, without the address. Returns how many words they have. */
static unsigned access_registers(struct iss_op *op, const cs_arm *a, int first, int memory, bool load)
{
    unsigned words = 0;
    for (int i = first; i < a->op_count; i++) {
        if (i == memory || !is_fp(reg_of(a, i)))
            continue;
        words += thumb_is_double(reg_of(a, i)) ? 2 : 1;
        if (load)
            thumb_dest(op, reg_of(a, i));
        else
            thumb_source(op, reg_of(a, i), ISS_NEED_FP_DATA);
    }
    return words;
}

/* Loads or stores one register or a list. Each word is one step. `down`: the list ends below its base. */
static bool access_memory(struct iss_op *op, const cs_arm *a, bool load, bool list, bool on_stack, bool down)
{
    int memory = list ? -1 : iss_thumb_address(op, a);
    if (list)
        thumb_source(op, on_stack ? ARM_REG_SP : reg_of(a, 0), ISS_NEED_ADDRESS);
    unsigned words = access_registers(op, a, list && !on_stack ? 1 : 0, memory, load);
    op->memory = load ? ISS_READ_MEMORY : ISS_WRITE_MEMORY;
    op->bytes = (uint16_t)(4 * words);
    if (list) {
        op->class = load ? ISS_FP_LOAD_MANY : ISS_FP_STORE_MANY;
        op->repeat = (uint8_t)(words ? words : 1);
        iss_thumb_list(op, on_stack ? ARM_REG_SP : reg_of(a, 0), down, a->writeback || on_stack);
        return words > 0;
    }
    op->width = words == 2 ? 64 : 32;
    op->class = load ? ISS_FP_LOAD : ISS_FP_STORE;
    return words > 0 && memory >= 0;
}

/* Conversions between integers and floating-point numbers stay in the unit's own registers. */
static bool convert(struct iss_op *op, const cs_arm *a)
{
    return arithmetic(op, a, ISS_FP_CONVERT);
}

bool iss_thumb_fp(struct iss_op *op, const cs_insn *insn)
{
    const cs_arm *a = &insn->detail->arm;
    switch (thumb_id(insn)) {
    case ARM_INS_VADD:
    case ARM_INS_VSUB:
        return arithmetic(op, a, ISS_FP_ADD);
    case ARM_INS_VABS:
    case ARM_INS_VNEG: /* these only change a bit, and exist for doubles too */
        return arithmetic(op, a, ISS_FP_MOVE);
    case ARM_INS_VMUL:
    case ARM_INS_VNMUL:
        return arithmetic(op, a, ISS_FP_MUL);
    case ARM_INS_VDIV:
        return arithmetic(op, a, width_of(a) == 64 ? ISS_FP_DIV64 : ISS_FP_DIV32);
    case ARM_INS_VSQRT:
        return arithmetic(op, a, width_of(a) == 64 ? ISS_FP_SQRT64 : ISS_FP_SQRT32);
    case ARM_INS_VMLA:
    case ARM_INS_VMLS:
    case ARM_INS_VNMLA:
    case ARM_INS_VNMLS:
    case ARM_INS_VFMA:
    case ARM_INS_VFMS:
    case ARM_INS_VFNMA:
    case ARM_INS_VFNMS:
        return accumulate(op, a);
    case ARM_INS_VCMP:
    case ARM_INS_VCMPE:
        return compare(op, a);
    case ARM_INS_VCVT:
    case ARM_INS_VCVTR:
    case ARM_INS_VCVTB:
    case ARM_INS_VCVTT:
        return convert(op, a);
    case ARM_INS_VMRS:
    case ARM_INS_VMSR:
        op->class = ISS_FP_FLAGS;
        for (int i = 0; i < a->op_count; i++)
            if (insn->id == ARM_INS_VMSR)
                thumb_source(op, reg_of(a, i), ISS_NEED_OPERAND);
            else if (reg_of(a, i) == ARM_REG_APSR_NZCV)
                thumb_put_dest(op, ISS_REG_FLAGS);
            else if (thumb_is_core(reg_of(a, i)))
                thumb_dest(op, reg_of(a, i));
        return true;
    case ARM_INS_VMOV:
        return move(op, a);
    case ARM_INS_VLDR:
        return access_memory(op, a, true, false, false, false);
    case ARM_INS_VSTR:
        return access_memory(op, a, false, false, false, false);
    case ARM_INS_VLDMIA:
    case ARM_INS_VLDMDB:
        return access_memory(op, a, true, true, false, insn->id == ARM_INS_VLDMDB);
    case ARM_INS_VSTMIA:
    case ARM_INS_VSTMDB:
        return access_memory(op, a, false, true, false, insn->id == ARM_INS_VSTMDB);
    case ARM_INS_VPOP:
        return access_memory(op, a, true, true, true, false);
    case ARM_INS_VPUSH:
        return access_memory(op, a, false, true, true, true);
    default:
        return false;
    }
}
