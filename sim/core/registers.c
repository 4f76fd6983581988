/* registers.c - a small interpreter of register values. It may give up at any instruction; the value is unknown
 * then. */
#include "sim/core/registers.h"

static bool source_value(const struct iss_values *v, const struct iss_op *op, unsigned i, uint64_t *value)
{
    unsigned reg = op->source[i].reg;
    if (reg == ISS_REG_NONE) {
        *value = 0;
        return true;
    }
    if (reg >= 32 || !(v->known >> reg & 1))
        return false;
    *value = v->reg[reg];
    return true;
}

static uint64_t sign_extended(uint64_t value, unsigned bits)
{
    return bits >= 64 ? value : (uint64_t)((int64_t)(value << (64 - bits)) >> (64 - bits));
}

static uint64_t narrowed(uint64_t value, unsigned width)
{
    return width == 32 ? value & UINT32_MAX : value;
}

static unsigned bit_length(uint64_t value)
{
    return value ? 64 - (unsigned)__builtin_clzll(value) : 0;
}

/* ---- division ---- */

static bool is_signed_division(const struct iss_op *op)
{
    return op->value == ISS_VALUE_SDIV || op->value == ISS_VALUE_SREM;
}

/* Quotient and remainder of values of the instruction's width. Division by zero gives 0 and the dividend, as on A64.
 * That is close enough for other targets. */
static void divide(const struct iss_op *op, uint64_t a, uint64_t b, uint64_t *quotient, uint64_t *rest)
{
    unsigned width = op->width == 32 ? 32 : 64;
    if (is_signed_division(op)) {
        int64_t x = (int64_t)sign_extended(a, width), y = (int64_t)sign_extended(b, width);
        if (y == -1) { /* the most negative number has no positive counterpart */
            *quotient = -(uint64_t)x;
            *rest = 0;
            return;
        }
        *quotient = y ? (uint64_t)(x / y) : 0;
        *rest = y ? (uint64_t)(x % y) : (uint64_t)x;
        return;
    }
    a = narrowed(a, width);
    b = narrowed(b, width);
    *quotient = b ? a / b : 0;
    *rest = b ? a % b : a;
}

int iss_values_quotient_bits(const struct iss_values *v, const struct iss_op *op)
{
    uint64_t a, b, quotient, rest;
    if (op->n_sources < 2 || !source_value(v, op, 0, &a) || !source_value(v, op, 1, &b))
        return -1;
    divide(op, a, b, &quotient, &rest);
    if (is_signed_division(op) && (int64_t)quotient < 0)
        quotient = -quotient;
    return (int)bit_length(quotient);
}

/* ---- conditions ---- */

struct flags {
    bool n, z, c, v;
};

static struct flags flags_of(const struct iss_values *s)
{
    unsigned width = s->flags_width == 32 ? 32 : 64;
    uint64_t a = narrowed(s->a, width), b = narrowed(s->b, width), r;
    struct flags f = {0};
    uint64_t sign = UINT64_C(1) << (width - 1);
    if (s->flags_value == ISS_VALUE_AND) {
        r = a & b;
    } else if (s->flags_value == ISS_VALUE_ADD) {
        r = narrowed(a + b, width);
        f.c = r < a;
        f.v = ~(a ^ b) & (a ^ r) & sign;
    } else {
        r = narrowed(a - b, width);
        f.c = a >= b;
        f.v = (a ^ b) & (a ^ r) & sign;
    }
    f.n = r & sign;
    f.z = r == 0;
    return f;
}

static bool by_flags(struct flags f, unsigned code)
{
    bool met[] = {f.z, f.c, f.n, f.v, f.c && !f.z, f.n == f.v, f.n == f.v && !f.z, true};
    return met[code >> 1] != ((code & 1) && code != 15);
}

int iss_values_condition(const struct iss_values *v, const struct iss_op *op)
{
    uint64_t a, b = 0;
    if (op->condition >= ISS_IF_FLAGS)
        return v->flags_known ? by_flags(flags_of(v), op->condition - ISS_IF_FLAGS) : -1;
    if (op->condition == ISS_IF_UNKNOWN || !op->n_sources || !source_value(v, op, 0, &a))
        return -1;
    if (op->condition >= ISS_IF_EQUAL && (op->n_sources < 2 || !source_value(v, op, 1, &b)))
        return -1;
    switch (op->condition) {
    case ISS_IF_ZERO:
    case ISS_IF_NOT_ZERO:
        return (narrowed(a, op->width) == 0) == (op->condition == ISS_IF_ZERO);
    case ISS_IF_BIT_CLEAR:
    case ISS_IF_BIT_SET:
        return (a >> op->shift & 1) == (op->condition == ISS_IF_BIT_SET);
    case ISS_IF_EQUAL:
        return a == b;
    case ISS_IF_NOT_EQUAL:
        return a != b;
    case ISS_IF_LESS:
        return (int64_t)a < (int64_t)b;
    case ISS_IF_NOT_LESS:
        return (int64_t)a >= (int64_t)b;
    case ISS_IF_BELOW:
        return a < b;
    case ISS_IF_NOT_BELOW:
        return a >= b;
    default:
        return -1;
    }
}

/* ---- results ---- */

static bool selected(const struct iss_values *v, const struct iss_op *op, uint64_t *r)
{
    int met = iss_values_condition(v, op);
    if (met < 0 || !source_value(v, op, met ? 0 : 1, r))
        return false;
    if (!met)
        *r = op->shift == 1 ? *r + 1 : op->shift == 2 ? ~*r : op->shift == 3 ? -*r : *r;
    return true;
}

static bool of_two(const struct iss_op *op, uint64_t a, uint64_t b, uint64_t *r)
{
    uint64_t rest;
    switch (op->value) {
    case ISS_VALUE_ADD:
        *r = a + b;
        return true;
    case ISS_VALUE_SUB:
        *r = a - b;
        return true;
    case ISS_VALUE_AND:
        *r = a & b;
        return true;
    case ISS_VALUE_OR:
        *r = a | b;
        return true;
    case ISS_VALUE_XOR:
        *r = a ^ b;
        return true;
    case ISS_VALUE_MUL:
        *r = a * b;
        return true;
    case ISS_VALUE_SDIV:
    case ISS_VALUE_UDIV:
        divide(op, a, b, r, &rest);
        return true;
    case ISS_VALUE_SREM:
    case ISS_VALUE_UREM:
        divide(op, a, b, &rest, r);
        return true;
    default:
        return false;
    }
}

static bool of_one(const struct iss_op *op, uint64_t a, uint64_t *r)
{
    unsigned by = (unsigned)op->constant & 63;
    switch (op->value) {
    case ISS_VALUE_SHL:
        *r = a << by;
        return true;
    case ISS_VALUE_SHR:
        *r = narrowed(a, op->width) >> by;
        return true;
    case ISS_VALUE_SAR:
        *r = (uint64_t)((int64_t)sign_extended(a, op->width == 32 ? 32 : 64) >> by);
        return true;
    case ISS_VALUE_SIGN:
        *r = sign_extended(a, op->shift);
        return true;
    case ISS_VALUE_ZERO:
        *r = op->shift >= 64 ? a : a & ((UINT64_C(1) << op->shift) - 1);
        return true;
    case ISS_VALUE_INSERT:
        *r = (a & ~(UINT64_C(0xffff) << op->shift)) | (uint64_t)op->constant << op->shift;
        return true;
    default:
        return false;
    }
}

static bool result(const struct iss_values *v, const struct iss_op *op, const uint64_t *loaded, uint64_t *r)
{
    uint64_t a, b, c;
    switch (op->value) {
    case ISS_VALUE_CONSTANT:
        *r = (uint64_t)op->constant;
        return true;
    case ISS_VALUE_LOAD:
    case ISS_VALUE_LOAD_SIGNED:
        if (loaded)
            *r = op->value == ISS_VALUE_LOAD ? *loaded : sign_extended(*loaded, op->bytes * 8u);
        return loaded != 0;
    case ISS_VALUE_SELECT:
        return selected(v, op, r);
    case ISS_VALUE_MADD:
    case ISS_VALUE_MSUB:
        if (op->n_sources < 3 || !source_value(v, op, 0, &a) || !source_value(v, op, 1, &b) ||
            !source_value(v, op, 2, &c))
            return false;
        *r = op->value == ISS_VALUE_MADD ? c + a * b : c - a * b;
        return true;
    default:
        break;
    }
    if (!op->n_sources || !source_value(v, op, 0, &a))
        return false;
    if (op->value >= ISS_VALUE_SHL && op->value <= ISS_VALUE_ZERO)
        return of_one(op, a, r);
    if (op->value == ISS_VALUE_INSERT)
        return of_one(op, a, r);
    if (op->n_sources < 2)
        return of_two(op, a, (uint64_t)op->constant, r);
    return source_value(v, op, 1, &b) && of_two(op, a, b << op->shift, r);
}

static void set_flags(struct iss_values *v, const struct iss_op *op)
{
    uint64_t a, b = (uint64_t)op->constant;
    v->flags_known = false;
    if (op->conditional)
        return;
    if (op->value != ISS_VALUE_ADD && op->value != ISS_VALUE_SUB && op->value != ISS_VALUE_AND)
        return;
    if (!source_value(v, op, 0, &a) || (op->n_sources > 1 && !source_value(v, op, 1, &b)))
        return;
    v->a = a;
    v->b = op->n_sources > 1 ? b << op->shift : b;
    v->flags_value = op->value;
    v->flags_width = op->width;
    v->flags_known = true;
}

void iss_values_step(struct iss_values *v, const struct iss_op *op, const uint64_t *loaded)
{
    uint64_t r = 0;
    /* an instruction that may not have been executed leaves an unknown value */
    bool known = op->n_dests && op->value != ISS_VALUE_NONE && !op->conditional && result(v, op, loaded, &r);
    v->known &= ~op->lost;
    for (unsigned i = 0; i < op->n_dests; i++) {
        if (op->dest[i] < 32)
            v->known &= ~(UINT32_C(1) << op->dest[i]);
        else if (op->dest[i] == ISS_REG_FLAGS)
            set_flags(v, op);
    }
    if (!known || op->dest[0] >= 32)
        return;
    r = narrowed(r, op->width);
    v->reg[op->dest[0]] = op->width == 32 && op->sign_extends ? sign_extended(r, 32) : r;
    v->known |= UINT32_C(1) << op->dest[0];
}
