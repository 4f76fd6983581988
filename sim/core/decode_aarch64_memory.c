/* decode_aarch64_memory.c - decodes A64 loads and stores. */
#include "sim/core/decode_aarch64.h"

static void base(struct iss_op *op, uint32_t w, bool written_back)
{
    source(op, rn(w), ISS_NEED_ADDRESS);
    if (written_back) {
        dest(op, rn(w));
        op->n_address = 1;
    }
}

/* `mode` 1: written back after the access; 3: before it; other values: not at all. */
static void displacement(struct iss_op *op, int64_t by, unsigned mode)
{
    op->offset = mode == 1 ? 0 : (int32_t)by;
    op->back = (int32_t)by;
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
        dest_or_zero(op, rm(w)); /* receives whether the store succeeded */
}

/* Loads and stores of several vectors, and of structures. */
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
            for (unsigned i = 0; i < n; i++)
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
    op->back = op->bytes;
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

static uint8_t pair_class(bool vector, bool load, unsigned each)
{
    if (vector && load)
        return each == 16 ? ISS_FP_LOAD_PAIR_128 : ISS_FP_LOAD_PAIR;
    if (vector)
        return each == 16 ? ISS_FP_STORE_PAIR_128 : ISS_FP_STORE_PAIR;
    if (!load)
        return ISS_STORE_PAIR;
    return each == 8 ? ISS_LOAD_PAIR : ISS_LOAD_PAIR_WORD;
}

static void pair(struct iss_op *op, uint32_t w)
{
    bool load = bits(w, 22, 22), vector = bits(w, 26, 26), back = bits(w, 23, 23);
    unsigned opc = bits(w, 31, 30), each = vector ? 4u << opc : opc == 2 ? 8 : 4;
    op->class = pair_class(vector, load, each);
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
    displacement(op, signed_bits(w, 21, 15) * (int32_t)each, bits(w, 24, 23));
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
    if (!constant && bits(w, 21, 21) && !by_register) { /* ldadd and its variants: Armv8.1 */
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
        if (by_register)
            source_or_zero(op, rm(w), ISS_NEED_ADDRESS);
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
    if (by_register) {
        source_or_zero(op, rm(w), ISS_NEED_ADDRESS);
        op->index_shift = bits(w, 12, 12) ? (uint8_t)(size == 16 ? 4 : bits(w, 31, 30)) : 0;
    } else if (constant) {
        displacement(op, (int64_t)bits(w, 21, 10) * size, 0);
    } else {
        displacement(op, signed_bits(w, 20, 12), bits(w, 11, 10));
    }
}

void iss_a64_load_store(struct iss_op *op, uint32_t w)
{
    switch (bits(w, 29, 28)) {
    case 0:
        if (bits(w, 26, 26))
            vector_list(op, w);
        else
            exclusive(op, w);
        return;
    case 1:
        if (!bits(w, 24, 24))
            load_literal(op, w);
        return;
    case 2:
        pair(op, w);
        return;
    default:
        one_register(op, w);
    }
}
