/* The scalar operations on reals, and on results with a flag, that are rare enough to be functions. */
#include "scalar.h"

typedef unsigned __int128 wide;

/* An integer of up to 128 bits. */
static wide wide_at(const char *f, uint32_t at, const struct leaf *l)
{
    wide v = get(f, at);
    if (l->slots > 2)
        refuse("conversions between reals and integers of %u bits are not supported", l->bits);
    if (l->slots == 2)
        v |= (wide)get(f, at + SLOT) << 64;
    return v;
}
static wide wide_mask(unsigned bits)
{
    return bits >= 128 ? ~(wide)0 : ((wide)1 << bits) - 1;
}
static __int128 wide_extend(wide v, unsigned bits)
{
    return (__int128)(v << (128 - bits)) >> (128 - bits);
}

/* Only machines whose long double is x86's can interpret IR that has it. */
long double long_double_at(const char *f, uint32_t at)
{
    long double v = 0;
    if (sizeof v != 16 || __LDBL_MANT_DIG__ != 64)
        refuse("x86_fp80 can only be interpreted on an x86 machine");
    memcpy(&v, f + at, 10);
    return v;
}
static void long_double_set(char *f, uint32_t at, long double v)
{
    memset(f + at, 0, 2 * SLOT);
    memcpy(f + at, &v, 10);
}

void long_double_op(const struct op *o, char *f)
{
    long double a = long_double_at(f, o->a), b = o->u.how == LLVMFNeg ? 0 : long_double_at(f, o->b), r;

    switch (o->u.how) {
    case LLVMFAdd:
        r = a + b;
        break;
    case LLVMFSub:
        r = a - b;
        break;
    case LLVMFMul:
        r = a * b;
        break;
    case LLVMFDiv:
        r = a / b;
        break;
    case LLVMFRem:
        r = fmodl(a, b);
        break;
    case LLVMFNeg:
        r = -a;
        break;
    default:
        refuse("LLVM opcode number %u on x86_fp80 is not supported", o->u.how);
    }
    long_double_set(f, o->dst, r);
}

/* fmuladd: no machine fuses it in this type. */
void long_double_multiply_add(const struct op *o, char *f)
{
    volatile long double product = long_double_at(f, o->a) * long_double_at(f, o->b);
    long_double_set(f, o->dst, product + long_double_at(f, o->c));
}

static void real_set(const struct leaf *to, char *f, uint32_t at, long double v)
{
    if (to->kind == LEAF_FLOAT)
        set32(f, at, (float)v);
    else if (to->kind == LEAF_DOUBLE)
        set64(f, at, (double)v);
    else
        long_double_set(f, at, v);
}
static long double real_at(const struct leaf *from, const char *f, uint32_t at)
{
    return from->kind == LEAF_FLOAT ? get32(f, at) : from->kind == LEAF_DOUBLE ? get64(f, at) : long_double_at(f, at);
}

/* Straight to the type, so that it is rounded once. */
static void from_word(const struct cast *c, const struct op *o, char *f)
{
    uint64_t v = get(f, o->a);
    int64_t s = extend(v, c->from.bits);
    bool is_signed = c->opcode == LLVMSIToFP;

    if (c->to.kind == LEAF_FLOAT)
        set32(f, o->dst, is_signed ? (float)s : (float)v);
    else if (c->to.kind == LEAF_DOUBLE)
        set64(f, o->dst, is_signed ? (double)s : (double)v);
    else
        long_double_set(f, o->dst, is_signed ? (long double)s : (long double)v);
}
static void from_wide(const struct cast *c, const struct op *o, char *f)
{
    wide v = wide_at(f, o->a, &c->from);
    bool negative = c->opcode == LLVMSIToFP && wide_extend(v, c->from.bits) < 0;
    wide magnitude = negative ? (wide)-wide_extend(v, c->from.bits) : v;

    if (c->to.kind == LEAF_FLOAT)
        set32(f, o->dst, negative ? -(float)magnitude : (float)magnitude);
    else if (c->to.kind == LEAF_DOUBLE)
        set64(f, o->dst, negative ? -(double)magnitude : (double)magnitude);
    else
        long_double_set(f, o->dst, negative ? -(long double)magnitude : (long double)magnitude);
}

/* Out of range is poison in IR: any result will do, but the conversion in C must not be undefined. */
static void to_integer(const struct cast *c, const struct op *o, char *f)
{
    long double v = truncl(real_at(&c->from, f, o->a));
    const long double limit = ldexpl(1, (int)c->to.bits);
    wide r = 0;

    if (fabsl(v) < 0x1p62L)
        r = (wide)(__int128)(int64_t)v; /* the same, sooner */
    else if (fabsl(v) < limit)
        r = v < 0 ? -(wide)-v : (wide)v;
    r &= wide_mask(c->to.bits);
    set(f, o->dst, (uint64_t)r);
    if (c->to.slots == 2)
        set(f, o->dst + SLOT, (uint64_t)(r >> 64));
}

void fp_cast(const struct op *o, char *f)
{
    const struct cast *c = o->u.cast;
    switch (c->opcode) {
    case LLVMSIToFP:
    case LLVMUIToFP:
        if (c->from.slots == 1)
            from_word(c, o, f);
        else
            from_wide(c, o, f);
        break;
    case LLVMFPToSI:
    case LLVMFPToUI:
        to_integer(c, o, f);
        break;
    default:
        real_set(&c->to, f, o->dst, real_at(&c->from, f, o->a));
        break;
    }
}

/* sadd.with.overflow and its kin: the result, cut to its bits, and whether cutting changed it. */
void with_overflow(const struct op *o, char *f)
{
    bool is_signed = o->mask != 0;
    unsigned bits = o->c;
    __int128 a = is_signed ? (__int128)extend(get(f, o->a), bits) : (__int128)get(f, o->a);
    __int128 b = is_signed ? (__int128)extend(get(f, o->b), bits) : (__int128)get(f, o->b);
    __int128 exact;
    wide r;
    bool over;

    if (o->u.how == LLVMMul && !is_signed) {
        r = (wide)a * (wide)b; /* up to 128 bits without a sign */
        over = r >> bits != 0;
    } else {
        exact = o->u.how == LLVMAdd ? a + b : o->u.how == LLVMSub ? a - b : a * b;
        r = (wide)exact;
        over = is_signed ? exact != extend((uint64_t)r, bits) : exact < 0 || r >> bits != 0;
    }
    set(f, o->dst, (uint64_t)r & mask_of(bits));
    set(f, o->dst + SLOT, over);
}

/* llvm.is.fpclass: bit 0 signalling NaN, 1 quiet NaN, then -inf, -normal, -subnormal, -0, +0, +subnormal, +normal,
 * +inf. */
bool is_of_class(const struct op *o, const char *f)
{
    uint64_t v = get(f, o->a);
    unsigned fraction_bits = o->c == 32 ? 23 : 52;
    bool negative = v >> (o->c - 1) & 1;
    uint64_t fraction = v & mask_of(fraction_bits);
    uint64_t exponent = v >> fraction_bits & mask_of(o->c - 1 - fraction_bits);
    unsigned size; /* 0 zero, 1 subnormal, 2 normal, 3 infinite */

    if (exponent == mask_of(o->c - 1 - fraction_bits) && fraction)
        return o->u.how >> (fraction >> (fraction_bits - 1)) & 1;
    size = exponent == mask_of(o->c - 1 - fraction_bits) ? 3 : exponent ? 2 : fraction ? 1 : 0;
    return o->u.how >> (negative ? 5 - size : 6 + size) & 1;
}

uint64_t saturate(const struct op *o, uint64_t a, uint64_t b)
{
    unsigned code = o->code == OP_LANES || o->code == OP_REDUCE ? o->sub : o->code;
    bool is_signed = code == OP_SADD_SAT || code == OP_SSUB_SAT;
    bool adds = code == OP_SADD_SAT || code == OP_UADD_SAT;
    __int128 x = is_signed ? (__int128)extend(a, o->c) : (__int128)a;
    __int128 y = is_signed ? (__int128)extend(b, o->c) : (__int128)b;
    __int128 r = adds ? x + y : x - y;
    __int128 high = is_signed ? (__int128)(o->mask >> 1) : (__int128)o->mask;
    __int128 low = is_signed ? -high - 1 : 0;

    r = r > high ? high : r < low ? low : r;
    return (uint64_t)r & o->mask;
}

uint64_t bit_reverse(uint64_t v, unsigned bits)
{
    uint64_t r = 0;
    for (unsigned i = 0; i < bits; i++)
        r |= (v >> i & 1) << (bits - 1 - i);
    return r;
}
