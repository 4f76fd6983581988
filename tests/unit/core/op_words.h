/* op_words.h - a decoded instruction in words, for tests of decoders. Registers: "3", "f3" floating point, "z" zero, "cc"
 * flags. */
#ifndef TESTS_UNIT_CORE_OP_WORDS_H
#define TESTS_UNIT_CORE_OP_WORDS_H

#include <inttypes.h>

#include "base/str.h"
#include "sim/core/op.h"

static inline void put_register(struct str *s, unsigned reg)
{
    if (reg == ISS_REG_NONE)
        str_add(s, "z");
    else if (reg == ISS_REG_FLAGS)
        str_add(s, "cc");
    else
        str_addf(s, "%s%u", reg >= ISS_REG_FP ? "f" : "", reg % 32);
}

/* "1/operand 2/shifted": each source and what it is needed for. */
static inline void put_sources(struct str *s, const struct iss_op *op)
{
    for (unsigned k = 0; k < op->n_sources; k++) {
        str_add(s, k ? " " : "");
        put_register(s, op->source[k].reg);
        str_addf(s, "/%s", iss_need_names[op->source[k].need]);
    }
}

/* "3 cc", with '!' before a base that is written back. */
static inline void put_dests(struct str *s, const struct iss_op *op)
{
    for (unsigned k = 0; k < op->n_dests; k++) {
        str_addf(s, "%s%s", k ? " " : "", k >= (unsigned)(op->n_dests - op->n_address) ? "!" : "");
        put_register(s, op->dest[k]);
    }
}

static inline void put_constant(struct str *s, const struct iss_op *op)
{
    if (op->constant)
        str_addf(s, " %" PRId64, op->constant);
}

/* "add64 by 2", "sar32s 31": width, 's' where the result is extended with its sign, shift, constant. */
static inline void put_value(struct str *s, const struct iss_op *op)
{
    static const char *const names[] = {"",     "constant", "add",  "sub",  "and",         "or",     "xor",   "shl",
                                        "shr",  "sar",      "sign", "zero", "mul",         "madd",   "msub",  "sdiv",
                                        "udiv", "srem",     "urem", "load", "load signed", "insert", "select"};
    if (op->value)
        str_addf(s, "%s%u%s", names[op->value], op->width, op->sign_extends ? "s" : "");
    else if (op->width && !op->condition)
        str_addf(s, "width %u", op->width);
    if (op->shift && op->value)
        str_addf(s, " by %u", op->shift);
    if (op->value == ISS_VALUE_SELECT)
        str_addf(s, " if %u", (unsigned)op->condition - ISS_IF_FLAGS);
    if (op->value)
        put_constant(s, op);
}

/* "if not less64 to 0x1010", "jump to 0x1010", "return". */
static inline void put_branch(struct str *s, const struct iss_op *op)
{
    static const char *const branches[] = {"", "jump", "if", "jump-register", "call", "call-register", "return"};
    static const char *const conditions[] = {"?",         "zero", "not zero", "bit clear", "bit set",  "equal",
                                             "not equal", "less", "not less", "below",     "not below"};
    if (!op->branch)
        return;
    str_add(s, branches[op->branch]);
    if (op->condition >= ISS_IF_FLAGS)
        str_addf(s, " flags %u", (unsigned)op->condition - ISS_IF_FLAGS);
    else if (op->condition)
        str_addf(s, " %s", conditions[op->condition]);
    if (op->condition && op->width)
        str_addf(s, "%u", op->width);
    if (op->condition == ISS_IF_BIT_CLEAR || op->condition == ISS_IF_BIT_SET)
        str_addf(s, " bit %u", op->shift);
    if (op->branch == ISS_JUMP || op->branch == ISS_CONDITIONAL || op->branch == ISS_CALL_DIRECT)
        str_addf(s, " to 0x%" PRIx64, (uint64_t)op->constant);
}

/* "read 4 at 0 back 8": the constant that is added to the base, before or after the access. */
static inline void put_access(struct str *s, const struct iss_op *op)
{
    static const char *const memory[] = {"", "read", "write", "read and write"};
    if (!op->memory)
        return;
    str_addf(s, "%s %u at %d", memory[op->memory], op->bytes, op->offset);
    if (op->n_address)
        str_addf(s, " back %d", op->back);
    if (op->index_shift)
        str_addf(s, " index by %u", op->index_shift);
    if (op->repeat > 1)
        str_addf(s, " repeated %u", op->repeat);
    str_add(s, op->value || op->width ? ", " : "");
}

/* What it computes and where it goes: "read 4 at -8, load signed64". */
static inline void put_effect(struct str *s, const struct iss_op *op)
{
    put_access(s, op);
    put_value(s, op);
    put_branch(s, op);
}

/* The class, sources, '>', destinations. */
static inline void put_what(struct str *s, const struct iss_op *op)
{
    str_addf(s, "%s%s", iss_class_names[op->class], op->n_sources ? " " : "");
    put_sources(s, op);
    str_add(s, op->n_dests ? " > " : " >");
    put_dests(s, op);
}

#endif
