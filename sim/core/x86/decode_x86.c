/*
 * decode_x86.c - decodes x86-64. Capstone tells which operands an instruction has, and which of them it reads and
 * writes; x86_table.c tells what it does. Added here: what it waits for without using it (the rest of a register that
 * it writes in part), what it does not wait for although it names it (a register that is set to zero by itself), the
 * two groups of flags, and the stack pointer, which push, pop, call and ret change without an addition.
 */
#include "sim/core/x86/decode_x86.h"

#include <capstone/capstone.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

struct x86_decoder {
    csh capstone;
    cs_insn *insn;
    struct {
        const struct x86_row *row;
        char name[CS_MNEMONIC_SIZE];
    } last[X86_INS_ENDING]; /* of each id, the last mnemonic that was met: capstone 5 has several of one id */
};
/* The instruction that is being decoded. */
struct reading {
    const cs_insn *insn;
    const cs_x86 *x86;
    const struct x86_row *row;
    const char *name; /* without prefixes */
    struct iss_op *op;
};

/* ---- registers ---- */

static bool within(x86_reg reg, x86_reg first, unsigned n)
{
    return reg >= first && (unsigned)reg < (unsigned)first + n;
}

/* ISS_REG_NONE: not followed (rip, segments), or the flags, which are handled separately. */
static unsigned number_of(x86_reg reg)
{
    static const uint8_t general[X86_REG_ENDING] = {
#define FOUR(n, q, d, w, b)                                                                                            \
    [X86_REG_##q] = 1 + (n), [X86_REG_##d] = 1 + (n), [X86_REG_##w] = 1 + (n), [X86_REG_##b] = 1 + (n)
        FOUR(0, RAX, EAX, AX, AL),
        FOUR(1, RCX, ECX, CX, CL),
        FOUR(2, RDX, EDX, DX, DL),
        FOUR(3, RBX, EBX, BX, BL),
        FOUR(4, RSP, ESP, SP, SPL),
        FOUR(5, RBP, EBP, BP, BPL),
        FOUR(6, RSI, ESI, SI, SIL),
        FOUR(7, RDI, EDI, DI, DIL),
        FOUR(8, R8, R8D, R8W, R8B),
        FOUR(9, R9, R9D, R9W, R9B),
        FOUR(10, R10, R10D, R10W, R10B),
        FOUR(11, R11, R11D, R11W, R11B),
        FOUR(12, R12, R12D, R12W, R12B),
        FOUR(13, R13, R13D, R13W, R13B),
        FOUR(14, R14, R14D, R14W, R14B),
        FOUR(15, R15, R15D, R15W, R15B),
        [X86_REG_AH] = 1,
        [X86_REG_CH] = 2,
        [X86_REG_DH] = 3,
        [X86_REG_BH] = 4,
#undef FOUR
    };
    if (general[reg])
        return general[reg] - 1u;
    if (within(reg, X86_REG_XMM0, 32))
        return ISS_REG_FP + (unsigned)(reg - X86_REG_XMM0);
    if (within(reg, X86_REG_YMM0, 32))
        return ISS_REG_FP + (unsigned)(reg - X86_REG_YMM0);
    if (within(reg, X86_REG_ZMM0, 32))
        return ISS_REG_FP + (unsigned)(reg - X86_REG_ZMM0);
    if (within(reg, X86_REG_K0, 8))
        return X86_MASK + (unsigned)(reg - X86_REG_K0);
    if (within(reg, X86_REG_ST0, 8) || within(reg, X86_REG_FP0, 8) || within(reg, X86_REG_MM0, 8))
        return X86_X87;
    return ISS_REG_NONE;
}

static bool is_high_byte(x86_reg reg)
{
    return reg == X86_REG_AH || reg == X86_REG_BH || reg == X86_REG_CH || reg == X86_REG_DH;
}

static void source(struct iss_op *op, unsigned reg, enum iss_need need)
{
    for (unsigned i = 0; i < op->n_sources; i++)
        if (op->source[i].reg == reg && op->source[i].need == need && reg != ISS_REG_NONE && need != ISS_NEED_ADDRESS)
            return;
    if (op->n_sources < ISS_SOURCES) {
        op->source[op->n_sources].reg = (uint8_t)reg;
        op->source[op->n_sources++].need = (uint8_t)need;
    }
}

static void dest(struct iss_op *op, unsigned reg)
{
    for (unsigned i = 0; i < op->n_dests; i++)
        if (op->dest[i] == reg)
            return;
    if (reg != ISS_REG_NONE && op->n_dests < ISS_DESTS)
        op->dest[op->n_dests++] = (uint8_t)reg;
}

/* ---- operands ---- */

static bool is_reg(const cs_x86_op *o)
{
    return o->type == X86_OP_REG;
}

/* The first operand of vector instructions is the result, even where capstone says that it is read. */
static bool is_result(const struct reading *r, const cs_x86_op *o)
{
    return (r->row->how & (X86_VECTOR | X86_NO_RESULT)) == X86_VECTOR && o == r->x86->operands;
}

static bool writes(const struct reading *r, const cs_x86_op *o)
{
    if (r->row->class == ISS_COMPARE) /* its result is the flags */
        return false;
    bool sets = strncmp(r->name, "set", 3) == 0; /* a result even where capstone says that it is read */
    return (o->access & CS_AC_WRITE) || is_result(r, o) || sets;
}

static bool reads(const struct reading *r, const cs_x86_op *o)
{
    bool may_keep = strncmp(r->name, "cmov", 4) == 0; /* also where capstone (5) says that it is only written */
    return !writes(r, o) || may_keep || ((o->access & CS_AC_READ) && (o->access & CS_AC_WRITE));
}

static bool is_vector(unsigned reg)
{
    return reg >= ISS_REG_FP && reg < ISS_REG_FLAGS;
}

static const cs_x86_op *memory_operand(const struct reading *r)
{
    for (unsigned i = 0; i < r->x86->op_count; i++)
        if (r->x86->operands[i].type == X86_OP_MEM)
            return &r->x86->operands[i];
    return NULL;
}

static unsigned log2_of(int scale)
{
    return scale == 8 ? 3 : scale == 4 ? 2 : scale == 2;
}

/* Adds the base, then the index, which is the shifted one. An address relative to rip has no register. */
static void add_address(struct reading *r, const x86_op_mem *m, enum iss_need need, enum iss_need index_need)
{
    struct iss_op *op = r->op;
    unsigned base = number_of(m->base), index = number_of(m->index);
    op->offset = (int32_t)m->disp;
    op->index_shift = (uint8_t)log2_of(m->scale);
    if (m->base == X86_REG_RIP)
        op->offset = (int32_t)((int64_t)r->insn->address + r->insn->size + m->disp);
    else if (base != ISS_REG_NONE || index != ISS_REG_NONE)
        source(op, base, need);
    if (index != ISS_REG_NONE)
        source(op, index, index_need);
}

static void add_memory(struct reading *r, const cs_x86_op *o)
{
    struct iss_op *op = r->op;
    if (op->class == ISS_NOP)
        return;
    add_address(r, &o->mem, ISS_NEED_ADDRESS, ISS_NEED_ADDRESS);
    op->bytes = o->size;
    if (op->class == ISS_PREFETCH)
        return;
    op->memory |= reads(r, o) ? ISS_READ_MEMORY : 0;
    op->memory |= writes(r, o) ? ISS_WRITE_MEMORY : 0;
}

static bool stores_only(const struct reading *r)
{
    const cs_x86_op *m = memory_operand(r);
    return m && (r->row->how & X86_MOVES) && writes(r, m);
}

/* Which operand of a fused multiply-add is the summand: 231 the first, 132 the second, 213 the third. */
static bool is_added(const struct reading *r, unsigned operand)
{
    static const char *const orders[] = {"231", "132", "213"};
    return r->row->class == ISS_FP_FMA && operand < 3 && strstr(r->name, orders[operand]);
}

static enum iss_need need_of(const struct reading *r, unsigned operand, unsigned reg)
{
    if (reg == X86_X87)
        return ISS_NEED_FP;
    if (is_vector(reg))
        return stores_only(r) ? ISS_NEED_FP_DATA : is_added(r, operand) ? ISS_NEED_FP_ACCUMULATE : ISS_NEED_FP;
    if (stores_only(r) || r->op->class == ISS_STORE)
        return ISS_NEED_DATA;
    if (r->op->branch)
        return ISS_NEED_TARGET;
    return r->row->how & X86_FACTORS ? ISS_NEED_MULTIPLY : ISS_NEED_OPERAND;
}

/* Does it write only a part of a register, so that it waits for the rest? Writing 32 bits clears the others. */
static bool keeps_rest(const struct reading *r, const cs_x86_op *o)
{
    if (is_vector(number_of(o->reg)))
        return (r->row->how & X86_MERGES) && r->name[0] != 'v';
    return o->size < 4 && number_of(o->reg) < 16;
}

static void add_operands(struct reading *r)
{
    for (unsigned i = 0; i < r->x86->op_count; i++) {
        const cs_x86_op *o = &r->x86->operands[i];
        if (o->type == X86_OP_IMM)
            r->op->constant = o->imm;
        if (o->type == X86_OP_MEM && strcmp(r->name, "lea") != 0)
            add_memory(r, o);
        if (!is_reg(o))
            continue;
        unsigned reg = number_of(o->reg);
        if (reg == ISS_REG_NONE)
            continue;
        if (reads(r, o) || keeps_rest(r, o))
            source(r->op, reg, need_of(r, i, reg));
        if (writes(r, o))
            dest(r->op, reg);
    }
}

/* ---- what the operands do not name: flags, fixed registers ---- */

enum { OTHER_FLAGS = 1, CARRY = 2 };

static unsigned flags_tested(uint64_t f)
{
    const uint64_t others =
        X86_EFLAGS_TEST_OF | X86_EFLAGS_TEST_SF | X86_EFLAGS_TEST_ZF | X86_EFLAGS_TEST_PF | X86_EFLAGS_TEST_AF;
    return (f & others ? OTHER_FLAGS : 0) | (f & X86_EFLAGS_TEST_CF ? CARRY : 0);
}

static unsigned flags_changed(uint64_t f)
{
    const uint64_t carry = X86_EFLAGS_MODIFY_CF | X86_EFLAGS_RESET_CF | X86_EFLAGS_SET_CF | X86_EFLAGS_UNDEFINED_CF;
    const uint64_t others = X86_EFLAGS_MODIFY_ZF | X86_EFLAGS_MODIFY_SF | X86_EFLAGS_MODIFY_OF | X86_EFLAGS_MODIFY_PF |
                            X86_EFLAGS_RESET_ZF | X86_EFLAGS_RESET_SF | X86_EFLAGS_UNDEFINED_ZF |
                            X86_EFLAGS_UNDEFINED_OF | X86_EFLAGS_RESET_OF;
    return (f & others ? OTHER_FLAGS : 0) | (f & carry ? CARRY : 0);
}

/* An instruction whose flags capstone does not know reads all of them. */
static void add_flags_read(struct reading *r)
{
    unsigned which = r->row->how & X86_CARRIES ? CARRY : flags_tested(r->x86->eflags);
    enum iss_need need = r->op->branch ? ISS_NEED_CONDITION : ISS_NEED_FLAGS;
    if (!which)
        which = OTHER_FLAGS | CARRY;
    if (which & OTHER_FLAGS)
        source(r->op, ISS_REG_FLAGS, need);
    if (which & CARRY)
        source(r->op, X86_CARRY, need);
}

/* The other flags come last among the destinations (op.h). */
static void add_flags_written(struct reading *r)
{
    unsigned which = r->row->how & X86_X87_STACK ? 0 : flags_changed(r->x86->eflags);
    if (!which)
        which = OTHER_FLAGS | CARRY;
    if (which & CARRY)
        dest(r->op, X86_CARRY);
    if (which & OTHER_FLAGS)
        dest(r->op, ISS_REG_FLAGS);
}

static void add_implicit(struct reading *r)
{
    const cs_detail *d = r->insn->detail;
    bool flags = false;
    for (unsigned i = 0; i < d->regs_read_count; i++) {
        unsigned reg = number_of(d->regs_read[i]);
        if (d->regs_read[i] == X86_REG_EFLAGS)
            add_flags_read(r);
        else if (reg != ISS_REG_NONE)
            source(r->op, reg, need_of(r, ISS_SOURCES, reg));
    }
    bool extends = strcmp(r->name, "cqo") == 0 || strcmp(r->name, "cdq") == 0 || strcmp(r->name, "cwd") == 0;
    for (unsigned i = 0; i < d->regs_write_count; i++) {
        unsigned reg = number_of(d->regs_write[i]);
        flags |= d->regs_write[i] == X86_REG_EFLAGS;
        if (!extends || reg != X86_RAX) /* cqo and its kind only write rdx: the sign of rax */
            dest(r->op, reg);
    }
    if (strcmp(r->name, "cmpxchg") == 0) /* if the comparison fails, rax gets the old value */
        dest(r->op, X86_RAX);
    if (flags || (r->row->how & X86_FLAGS))
        add_flags_written(r);
}

/* ---- classes that follow from the operands ---- */

static bool is_general(const cs_x86_op *o)
{
    return is_reg(o) && number_of(o->reg) < 16;
}

/* `m`: the operand in memory, or NULL. */
static unsigned class_of_vector_move(const struct reading *r, const cs_x86_op *to, const cs_x86_op *from,
                                     const cs_x86_op *m)
{
    if (!m)
        return is_general(to) ? ISS_FP_TO_INT : is_general(from) ? ISS_FP_FROM_INT : r->row->class;
    if (writes(r, m))
        return m->size < 16 ? ISS_FP_STORE : ISS_FP_STORE_128;
    if (r->row->class == ISS_SIMD_SHUFFLE)
        return ISS_SIMD_SHUFFLE;
    return m->size < 16 ? ISS_FP_LOAD : ISS_FP_LOAD_128;
}

/* The class of a move, by what it copies from and to. */
static unsigned class_of_move(const struct reading *r)
{
    const cs_x86_op *to = &r->x86->operands[0], *from = &r->x86->operands[r->x86->op_count - 1];
    bool part = to->size < 4;
    const cs_x86_op *m = memory_operand(r);
    if (m && to->type == X86_OP_MEM && from->type == X86_OP_MEM)
        return ISS_STORE_MANY;
    if (r->row->how & X86_VECTOR)
        return class_of_vector_move(r, to, from, m);
    if (m && writes(r, m))
        return ISS_STORE;
    if (r->row->class == ISS_ALU)
        return m && !part ? ISS_LOAD_SMALL : ISS_ALU;
    if (part)
        return ISS_ALU;
    if (m)
        return to->size == 8 ? ISS_LOAD : ISS_LOAD_WORD;
    return from->type == X86_OP_IMM ? ISS_MOVE_IMM : ISS_MOVE;
}

/* lea: a sum of three terms, or of a multiple. */
static unsigned class_of_lea(const x86_op_mem *m)
{
    bool three = m->base != X86_REG_INVALID && m->index != X86_REG_INVALID && m->disp;
    if (m->base == X86_REG_RIP)
        return ISS_MOVE_IMM;
    return three || (m->index != X86_REG_INVALID && m->scale > 1) ? ISS_ALU_SHIFTED : ISS_ALU;
}

static bool has_prefix(const struct reading *r, const char *prefix)
{
    return strncmp(r->insn->mnemonic, prefix, strlen(prefix)) == 0;
}

/* Most classes are the row's own. */
static unsigned class_by_name(const struct reading *r, const cs_x86_op *last, bool narrow)
{
    if (strcmp(r->name, "lea") == 0)
        return class_of_lea(&last->mem);
    /* one operand: gives the full product */
    if (strcmp(r->name, "imul") == 0 && r->x86->op_count == 1)
        return narrow ? ISS_MUL_WIDE : ISS_MUL_HIGH;
    return narrow && r->row->narrow ? r->row->narrow : r->row->class;
}

static unsigned class_of(const struct reading *r)
{
    const unsigned n = r->x86->op_count;
    const cs_x86_op *first = &r->x86->operands[0], *last = &r->x86->operands[n ? n - 1 : 0];
    bool narrow = n && first->size <= 4, by_register = n && first->type != X86_OP_IMM;
    if (has_prefix(r, "lock "))
        return ISS_ATOMIC;
    if (r->row->how & X86_MOVES)
        return class_of_move(r);
    switch (r->row->class) {
    case ISS_ATOMIC:
        return memory_operand(r) ? ISS_ATOMIC : ISS_ALU;
    case ISS_SHIFT:
        return n == 2 && is_reg(last) && last->reg == X86_REG_CL ? ISS_SHIFT_REG : ISS_SHIFT;
    case ISS_BRANCH:
        return by_register ? ISS_BRANCH_REG : ISS_BRANCH;
    case ISS_CALL:
        return by_register ? ISS_CALL_REG : ISS_CALL;
    case ISS_MUL_HIGH:
        return narrow ? ISS_MUL_WIDE : ISS_MUL_HIGH;
    default:
        return class_by_name(r, last, narrow);
    }
}

static unsigned branch_of(unsigned class)
{
    switch (class) {
    case ISS_BRANCH:
        return ISS_JUMP;
    case ISS_BRANCH_IF:
    case ISS_BRANCH_ZERO:
        return ISS_CONDITIONAL;
    case ISS_BRANCH_REG:
        return ISS_JUMP_INDIRECT;
    case ISS_CALL:
        return ISS_CALL_DIRECT;
    case ISS_CALL_REG:
        return ISS_CALL_INDIRECT;
    case ISS_RETURN:
        return ISS_RETURN_TO;
    default:
        return ISS_NO_BRANCH;
    }
}

/* ---- the stack pointer ---- */

/* By how much the instruction changes the stack pointer besides its other work; 0: not at all. */
static int stack_change(const struct reading *r)
{
    unsigned class = r->op->class;
    if (strcmp(r->name, "push") == 0 || class == ISS_CALL || class == ISS_CALL_REG)
        return -8;
    return strcmp(r->name, "pop") == 0 || class == ISS_RETURN ? 8 : 0;
}

/* The stack pointer is the last destination, like an address that is written back. */
static void add_stack(struct reading *r)
{
    struct iss_op *op = r->op;
    unsigned n = 0;
    op->back = stack_change(r);
    if (!op->back)
        return;
    for (unsigned i = 0; i < op->n_sources; i++) /* it was taken for an operand */
        if (op->source[i].reg != X86_RSP || op->source[i].need == ISS_NEED_ADDRESS)
            op->source[n++] = op->source[i];
    op->n_sources = (uint8_t)n;
    for (unsigned i = n = 0; i < op->n_dests; i++)
        if (op->dest[i] != X86_RSP)
            op->dest[n++] = op->dest[i];
    op->n_dests = (uint8_t)n;
    if (!op->memory) {
        op->offset = op->back < 0 ? op->back : 0;
        op->bytes = 8;
        source(op, X86_RSP, ISS_NEED_ADDRESS);
    } else { /* two addresses: the other one is followed */
        source(op, X86_RSP, ISS_NEED_OPERAND);
    }
    op->memory |= op->back < 0 ? ISS_WRITE_MEMORY : ISS_READ_MEMORY;
    op->dest[op->n_dests++] = X86_RSP;
    op->n_address = 1;
}

/* ---- what is calculated ---- */

static void add_value(struct reading *r)
{
    struct iss_op *op = r->op;
    const cs_x86_op *o = r->x86->operands;
    unsigned n = r->x86->op_count, bits = n ? o[0].size * 8u : 0;
    bool plain = !(r->row->how & X86_VECTOR) && !memory_operand(r) && n >= 2 && bits >= 32;
    op->width = bits == 32 ? 32 : bits == 64 ? 64 : 0;
    if (r->row->how & X86_VECTOR)
        op->width = r->row->how & X86_SINGLE ? 32 : 64;
    if (!plain)
        return;
    op->value = r->row->value;
    if (op->class == ISS_MOVE_IMM)
        op->value = ISS_VALUE_CONSTANT;
    if (op->class == ISS_MOVE) /* and nothing is added */
        op->value = ISS_VALUE_ADD;
    if (op->value == ISS_VALUE_SIGN || op->value == ISS_VALUE_ZERO) {
        op->shift = (uint8_t)(o[1].size * 8);
        op->value = is_reg(&o[1]) && is_high_byte(o[1].reg) ? ISS_VALUE_NONE : op->value;
    }
    if (op->class == ISS_SHIFT_REG)
        op->value = ISS_VALUE_NONE;
}

static void add_lea(struct reading *r)
{
    struct iss_op *op = r->op;
    const x86_op_mem *m = &r->x86->operands[1].mem;
    add_address(r, m, ISS_NEED_OPERAND, m->scale > 1 ? ISS_NEED_SHIFTED : ISS_NEED_OPERAND);
    op->constant = op->offset;
    op->shift = op->index_shift;
    op->width = r->x86->operands[0].size == 4 ? 32 : 64;
    if (!op->n_sources)
        op->value = ISS_VALUE_CONSTANT;
    else if (op->n_sources == 1 || !op->offset)
        op->value = ISS_VALUE_ADD;
    op->offset = 0;
    op->index_shift = 0;
}

/* Are the last two operands the same register? Of values computed with themselves only zero is followed. */
static bool is_zero(const struct reading *r)
{
    unsigned n = r->x86->op_count;
    const cs_x86_op *a = &r->x86->operands[n > 1 ? n - 2 : 0], *b = &r->x86->operands[n > 1 ? n - 1 : 0];
    return (r->row->how & X86_IDIOM) && n > 1 && is_reg(a) && is_reg(b) && a->reg == b->reg && a->size >= 4;
}

static void make_zero(struct iss_op *op)
{
    op->class = ISS_ZERO;
    op->n_sources = 0;
    op->constant = 0;
    op->value = ISS_VALUE_CONSTANT;
}

/* ---- the whole ---- */

static unsigned vector_steps(const struct reading *r)
{
    unsigned most = 16;
    for (unsigned i = 0; i < r->x86->op_count && (r->row->how & X86_VECTOR); i++)
        if (r->x86->operands[i].size > most && r->x86->operands[i].size <= 64)
            most = r->x86->operands[i].size;
    return most / 16;
}

static void read_instruction(struct reading *r)
{
    struct iss_op *op = r->op;
    op->class = (uint8_t)class_of(r);
    op->branch = (uint8_t)branch_of(op->class);
    add_operands(r);
    if (r->row->how & X86_X87_STACK && op->class != ISS_NOP) {
        if (op->class != ISS_FP_LOAD)
            source(op, X86_X87, op->class == ISS_FP_STORE ? ISS_NEED_FP_DATA : ISS_NEED_FP);
        dest(op, X86_X87);
    }
    add_implicit(r);
    add_value(r);
    add_stack(r);
    if (strcmp(r->name, "lea") == 0)
        add_lea(r);
    if (strcmp(r->name, "leave") == 0) { /* rsp becomes rbp, and rbp what it points to */
        op->memory = ISS_READ_MEMORY;
        op->bytes = 8;
        op->n_sources = 0;
        source(op, X86_RBP, ISS_NEED_ADDRESS);
    }
    op->repeat = (uint8_t)vector_steps(r);
    if (is_zero(r))
        make_zero(op);
}

static const struct x86_row *row_of(struct x86_decoder *d, const char *name)
{
    unsigned id = d->insn->id;
    if (id >= X86_INS_ENDING)
        return NULL;
    if (strcmp(d->last[id].name, name) != 0) {
        snprintf(d->last[id].name, sizeof d->last[id].name, "%s", name);
        d->last[id].row = x86_row_of(name);
    }
    return d->last[id].row;
}

static bool decode(void *state, const uint8_t *code, size_t size, uint64_t address, struct iss_op *op)
{
    struct x86_decoder *d = state;
    *op = (struct iss_op){.class = ISS_UNKNOWN, .size = 1, .repeat = 1};
    if (!cs_disasm_iter(d->capstone, &code, &size, &address, d->insn)) {
        size_t length = x86_vector_length(code, size);
        op->size = length ? (uint8_t)length : 1;
        return false;
    }
    op->size = (uint8_t)d->insn->size;
    const char *space = strrchr(d->insn->mnemonic, ' '), *name = space ? space + 1 : d->insn->mnemonic;
    const struct x86_row *row = row_of(d, name);
    if (!row)
        return false;
    read_instruction(
        &(struct reading){.insn = d->insn, .x86 = &d->insn->detail->x86, .row = row, .name = name, .op = op});
    return true;
}

static void *open_decoder(void)
{
    struct x86_decoder *d = xcalloc(1, sizeof *d);
    if (cs_open(CS_ARCH_X86, CS_MODE_64, &d->capstone) != CS_ERR_OK) {
        free(d);
        return NULL;
    }
    cs_option(d->capstone, CS_OPT_DETAIL, CS_OPT_ON);
    d->insn = cs_malloc(d->capstone);
    return d;
}

static void close_decoder(void *state)
{
    struct x86_decoder *d = state;
    cs_free(d->insn, 1);
    cs_close(&d->capstone);
    free(d);
}

const struct iss_decoder iss_decode_x86_64 = {
    .architecture = "x86_64", .open = open_decoder, .close = close_decoder, .decode = decode, .plain = true};
