/* Integers wider than 64 bits: words, the lowest first. */
#include "scalar.h"

#define WORDS (MAX_INTEGER_BITS / 64)

struct wide {
    uint64_t w[WORDS];
};

static struct wide wide_at(const char *f, uint32_t at, unsigned bits)
{
    struct wide v = {{0}};
    for (unsigned i = 0; i < (bits + 63) / 64; i++)
        v.w[i] = get(f, at + i * SLOT);
    return v;
}

/* Cut to its bits. */
static void wide_set(char *f, uint32_t at, const struct wide *v, unsigned bits)
{
    for (unsigned i = 0; i < (bits + 63) / 64; i++)
        set(f, at + i * SLOT, v->w[i] & mask_of(bits - i * 64));
}

static bool bit_of(const struct wide *v, unsigned bit)
{
    return v->w[bit / 64] >> bit % 64 & 1;
}

/* The sign in all bits above. */
static struct wide sign_extended(struct wide v, unsigned bits)
{
    if (bit_of(&v, bits - 1))
        for (unsigned i = bits; i < MAX_INTEGER_BITS; i++)
            v.w[i / 64] |= UINT64_C(1) << i % 64;
    return v;
}

static struct wide sum(struct wide a, const struct wide *b, bool carry)
{
    for (unsigned i = 0; i < WORDS; i++) {
        uint64_t r = a.w[i] + b->w[i] + carry;
        carry = carry ? r <= a.w[i] : r < a.w[i];
        a.w[i] = r;
    }
    return a;
}

static struct wide complement(struct wide a)
{
    for (unsigned i = 0; i < WORDS; i++)
        a.w[i] = ~a.w[i];
    return a;
}

/* By n bits to the left, by -n to the right; what comes in is 0. */
static struct wide shifted(const struct wide *a, int n)
{
    struct wide r = {{0}};
    for (int i = 0; i < MAX_INTEGER_BITS; i++)
        if (i + n >= 0 && i + n < MAX_INTEGER_BITS && bit_of(a, (unsigned)i))
            r.w[(i + n) / 64] |= UINT64_C(1) << (i + n) % 64;
    return r;
}

/* a < b as numbers without a sign */
static bool is_less(const struct wide *a, const struct wide *b)
{
    for (unsigned i = WORDS; i-- > 0;)
        if (a->w[i] != b->w[i])
            return a->w[i] < b->w[i];
    return false;
}

static unsigned __int128 as_128(const struct wide *v)
{
    return (unsigned __int128)v->w[1] << 64 | v->w[0];
}

/* Multiplications and divisions, which there are only up to 128 bits. */
static struct wide product(unsigned opcode, const struct wide *wa, const struct wide *wb, unsigned bits)
{
    struct wide sa = sign_extended(*wa, bits), sb = sign_extended(*wb, bits);
    unsigned __int128 a = as_128(wa), b = as_128(wb), r;

    if (bits > 128)
        refuse("LLVM opcode number %u on integers of %u bits is not supported", opcode, bits);
    switch (opcode) {
    case LLVMMul:
        r = a * b;
        break;
    case LLVMUDiv:
        r = a / b;
        break;
    case LLVMURem:
        r = a % b;
        break;
    case LLVMSDiv:
        r = (unsigned __int128)((__int128)as_128(&sa) / (__int128)as_128(&sb));
        break;
    default:
        r = (unsigned __int128)((__int128)as_128(&sa) % (__int128)as_128(&sb));
        break;
    }
    return (struct wide){{(uint64_t)r, (uint64_t)(r >> 64)}};
}

void wide_op(const struct op *o, char *f)
{
    unsigned bits = o->c;
    struct wide a = wide_at(f, o->a, bits), b = wide_at(f, o->b, bits), r = {{0}}, s;
    int n = (int)(b.w[0] % MAX_INTEGER_BITS);

    switch (o->u.how) {
    case LLVMAdd:
        r = sum(a, &b, false);
        break;
    case LLVMSub:
        s = complement(b);
        r = sum(a, &s, true);
        break;
    case LLVMShl:
        r = shifted(&a, n);
        break;
    case LLVMLShr:
        r = shifted(&a, -n);
        break;
    case LLVMAShr: /* the bits that come in from above are the sign */
        s = sign_extended(a, bits);
        r = bit_of(&a, bits - 1) ? complement(s) : s;
        r = shifted(&r, -n);
        r = bit_of(&a, bits - 1) ? complement(r) : r;
        break;
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        for (unsigned i = 0; i < WORDS; i++)
            r.w[i] = o->u.how == LLVMAnd ? a.w[i] & b.w[i] : o->u.how == LLVMOr ? a.w[i] | b.w[i] : a.w[i] ^ b.w[i];
        break;
    default:
        r = product(o->u.how, &a, &b, bits);
        break;
    }
    wide_set(f, o->dst, &r, bits);
}

void wide_compare(const struct op *o, char *f)
{
    struct wide a = wide_at(f, o->a, o->c), b = wide_at(f, o->b, o->c);
    bool less, greater, r;

    if (o->u.how >= LLVMIntSGT) { /* with the sign bit turned, signed numbers are in the order of unsigned ones */
        a.w[(o->c - 1) / 64] ^= UINT64_C(1) << (o->c - 1) % 64;
        b.w[(o->c - 1) / 64] ^= UINT64_C(1) << (o->c - 1) % 64;
    }
    less = is_less(&a, &b);
    greater = is_less(&b, &a);
    switch (o->u.how) {
    case LLVMIntEQ:
        r = !less && !greater;
        break;
    case LLVMIntNE:
        r = less || greater;
        break;
    case LLVMIntUGT:
    case LLVMIntSGT:
        r = greater;
        break;
    case LLVMIntUGE:
    case LLVMIntSGE:
        r = !less;
        break;
    case LLVMIntULT:
    case LLVMIntSLT:
        r = less;
        break;
    default:
        r = !greater;
        break;
    }
    set(f, o->dst, r);
}

void wide_cast(const struct op *o, char *f)
{
    const struct cast *c = o->u.cast;
    struct wide v = wide_at(f, o->a, c->from.bits);
    if (c->opcode == LLVMSExt)
        v = sign_extended(v, c->from.bits);
    wide_set(f, o->dst, &v, c->to.bits);
}
