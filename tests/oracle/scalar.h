/*
 * scalar.h - what an operation on scalars does. Vectors run it once for each lane, with the frame moved on by a slot:
 * lane i of every operand then stands where the scalar would.
 */
#ifndef ORACLE_SCALAR_H
#define ORACLE_SCALAR_H

#include <math.h>
#include <string.h>

#include "oracle.h"

static inline uint64_t get(const char *f, uint32_t at)
{
    uint64_t v;
    memcpy(&v, f + at, sizeof v);
    return v;
}
static inline void set(char *f, uint32_t at, uint64_t v)
{
    memcpy(f + at, &v, sizeof v);
}
static inline float get32(const char *f, uint32_t at)
{
    float v;
    memcpy(&v, f + at, sizeof v);
    return v;
}
static inline void set32(char *f, uint32_t at, float v)
{
    set(f, at, 0);
    memcpy(f + at, &v, sizeof v);
}
static inline double get64(const char *f, uint32_t at)
{
    double v;
    memcpy(&v, f + at, sizeof v);
    return v;
}
static inline void set64(char *f, uint32_t at, double v)
{
    memcpy(f + at, &v, sizeof v);
}
static inline int64_t extend(uint64_t v, uint32_t bits)
{
    return (int64_t)(v << (64 - bits)) >> (64 - bits);
}
static inline char *address(const char *f, uint32_t at)
{
    return (char *)(uintptr_t)get(f, at);
}

/* The less common ones (wide.c, real.c). */
void wide_op(const struct op *o, char *f);
void wide_compare(const struct op *o, char *f);
void wide_cast(const struct op *o, char *f);
void long_double_op(const struct op *o, char *f);
void long_double_multiply_add(const struct op *o, char *f);
long double long_double_at(const char *f, uint32_t at);
void fp_cast(const struct op *o, char *f);
void with_overflow(const struct op *o, char *f);
bool is_of_class(const struct op *o, const char *f);
uint64_t saturate(const struct op *o, uint64_t a, uint64_t b);
uint64_t bit_reverse(uint64_t v, unsigned bits);

/* LLVM's predicates are sets of the four relations: 1 equal, 2 greater, 4 less, 8 unordered. */
#define FCMP_HOLDS(predicate, x, y) (((predicate) & ((x) == (y) ? 1u : (x) > (y) ? 2u : (x) < (y) ? 4u : 8u)) != 0)

/* On integers the operation's c holds their width, unless c is an operand: then u.how does. */
static inline __attribute__((always_inline)) void scalar(unsigned code, const struct op *o, char *f)
{
#define A  get(f, o->a)
#define B  get(f, o->b)
#define C  get(f, o->c)
#define SA extend(A, o->c)
#define SB extend(B, o->c)
    uint64_t a, b;
    float m32;
    double m64;

    switch (code) {
    case OP_MOVE:
        set(f, o->dst, A);
        break;
    case OP_ADD:
        set(f, o->dst, (A + B) & o->mask);
        break;
    case OP_SUB:
        set(f, o->dst, (A - B) & o->mask);
        break;
    case OP_MUL:
        set(f, o->dst, (A * B) & o->mask);
        break;
    case OP_UDIV:
        set(f, o->dst, A / B);
        break;
    case OP_UREM:
        set(f, o->dst, A % B);
        break;
    case OP_SDIV:
        set(f, o->dst, (uint64_t)(SA / SB) & o->mask);
        break;
    case OP_SREM:
        set(f, o->dst, (uint64_t)(SA % SB) & o->mask);
        break;
    case OP_SHL:
        set(f, o->dst, (A << (B & 63)) & o->mask);
        break;
    case OP_LSHR:
        set(f, o->dst, A >> (B & 63));
        break;
    case OP_ASHR:
        set(f, o->dst, (uint64_t)(SA >> (B & 63)) & o->mask);
        break;
    case OP_AND:
        set(f, o->dst, A & B);
        break;
    case OP_OR:
        set(f, o->dst, A | B);
        break;
    case OP_XOR:
        set(f, o->dst, A ^ B);
        break;
    case OP_EQ:
        set(f, o->dst, A == B);
        break;
    case OP_NE:
        set(f, o->dst, A != B);
        break;
    case OP_UGT:
        set(f, o->dst, A > B);
        break;
    case OP_UGE:
        set(f, o->dst, A >= B);
        break;
    case OP_ULT:
        set(f, o->dst, A < B);
        break;
    case OP_ULE:
        set(f, o->dst, A <= B);
        break;
    case OP_SGT:
        set(f, o->dst, SA > SB);
        break;
    case OP_SGE:
        set(f, o->dst, SA >= SB);
        break;
    case OP_SLT:
        set(f, o->dst, SA < SB);
        break;
    case OP_SLE:
        set(f, o->dst, SA <= SB);
        break;
    case OP_WIDE:
        wide_op(o, f);
        break;
    case OP_WIDECMP:
        wide_compare(o, f);
        break;
    case OP_WIDECAST:
        wide_cast(o, f);
        break;
    case OP_TRUNC:
        set(f, o->dst, A & o->mask);
        break;
    case OP_SEXT:
        set(f, o->dst, (uint64_t)SA & o->mask);
        break;
    case OP_SELECT:
        set(f, o->dst, A ? B : C);
        break;
    case OP_FADD32:
        set32(f, o->dst, get32(f, o->a) + get32(f, o->b));
        break;
    case OP_FSUB32:
        set32(f, o->dst, get32(f, o->a) - get32(f, o->b));
        break;
    case OP_FMUL32:
        set32(f, o->dst, get32(f, o->a) * get32(f, o->b));
        break;
    case OP_FDIV32:
        set32(f, o->dst, get32(f, o->a) / get32(f, o->b));
        break;
    case OP_FREM32:
        set32(f, o->dst, fmodf(get32(f, o->a), get32(f, o->b)));
        break;
    case OP_FADD64:
        set64(f, o->dst, get64(f, o->a) + get64(f, o->b));
        break;
    case OP_FSUB64:
        set64(f, o->dst, get64(f, o->a) - get64(f, o->b));
        break;
    case OP_FMUL64:
        set64(f, o->dst, get64(f, o->a) * get64(f, o->b));
        break;
    case OP_FDIV64:
        set64(f, o->dst, get64(f, o->a) / get64(f, o->b));
        break;
    case OP_FREM64:
        set64(f, o->dst, fmod(get64(f, o->a), get64(f, o->b)));
        break;
    case OP_FNEG32:
        set(f, o->dst, A ^ UINT64_C(0x80000000));
        break;
    case OP_FNEG64:
        set(f, o->dst, A ^ UINT64_C(0x8000000000000000));
        break;
    case OP_FCMP32:
        set(f, o->dst, FCMP_HOLDS(o->u.how, get32(f, o->a), get32(f, o->b)));
        break;
    case OP_FCMP64:
        set(f, o->dst, FCMP_HOLDS(o->u.how, get64(f, o->a), get64(f, o->b)));
        break;
    case OP_FCMP80:
        set(f, o->dst, FCMP_HOLDS(o->u.how, long_double_at(f, o->a), long_double_at(f, o->b)));
        break;
    case OP_LONG_DOUBLE:
        long_double_op(o, f);
        break;
    case OP_FPCAST:
        fp_cast(o, f);
        break;
    case OP_FMA32:
        set32(f, o->dst, fmaf(get32(f, o->a), get32(f, o->b), get32(f, o->c)));
        break;
    case OP_FMA64:
        set64(f, o->dst, fma(get64(f, o->a), get64(f, o->b), get64(f, o->c)));
        break;
    case OP_FMULADD32: /* fused exactly where the machine has the instruction */
#ifdef __FP_FAST_FMAF
        set32(f, o->dst, fmaf(get32(f, o->a), get32(f, o->b), get32(f, o->c)));
#else
        m32 = get32(f, o->a) * get32(f, o->b);
        set32(f, o->dst, m32 + get32(f, o->c));
#endif
        break;
    case OP_FMULADD64:
#ifdef __FP_FAST_FMA
        set64(f, o->dst, fma(get64(f, o->a), get64(f, o->b), get64(f, o->c)));
#else
        m64 = get64(f, o->a) * get64(f, o->b);
        set64(f, o->dst, m64 + get64(f, o->c));
#endif
        break;
    case OP_FMULADD80:
        long_double_multiply_add(o, f);
        break;
    case OP_MATH32:
        set32(f, o->dst, o->u.math32(get32(f, o->a)));
        break;
    case OP_MATH64:
        set64(f, o->dst, o->u.math64(get64(f, o->a)));
        break;
    case OP_MATH32_2:
        set32(f, o->dst, o->u.math32_2(get32(f, o->a), get32(f, o->b)));
        break;
    case OP_MATH64_2:
        set64(f, o->dst, o->u.math64_2(get64(f, o->a), get64(f, o->b)));
        break;
    case OP_SMAX:
        set(f, o->dst, SA > SB ? A : B);
        break;
    case OP_SMIN:
        set(f, o->dst, SA < SB ? A : B);
        break;
    case OP_UMAX:
        set(f, o->dst, A > B ? A : B);
        break;
    case OP_UMIN:
        set(f, o->dst, A < B ? A : B);
        break;
    case OP_ABS:
        a = A;
        set(f, o->dst, extend(a, o->c) < 0 ? -a & o->mask : a);
        break;
    case OP_CTPOP:
        set(f, o->dst, (uint64_t)__builtin_popcountll(A));
        break;
    case OP_CTLZ:
        a = A;
        set(f, o->dst, a ? (uint64_t)__builtin_clzll(a) - (64 - o->c) : o->c);
        break;
    case OP_CTTZ:
        a = A;
        set(f, o->dst, a ? (uint64_t)__builtin_ctzll(a) : o->c);
        break;
    case OP_BSWAP:
        set(f, o->dst, __builtin_bswap64(A) >> (64 - o->c));
        break;
    case OP_BITREVERSE:
        set(f, o->dst, bit_reverse(A, o->c));
        break;
    case OP_FSHL: /* of the two words side by side, the upper one after a shift to the left */
        b = C % o->u.how;
        set(f, o->dst, (b ? A << b | B >> (o->u.how - b) : A) & o->mask);
        break;
    case OP_FSHR:
        b = C % o->u.how;
        set(f, o->dst, (b ? A << (o->u.how - b) | B >> b : B) & o->mask);
        break;
    case OP_SADD_SAT:
    case OP_UADD_SAT:
    case OP_SSUB_SAT:
    case OP_USUB_SAT:
        set(f, o->dst, saturate(o, A, B));
        break;
    case OP_SCMP:
        set(f, o->dst, (uint64_t)((SA > SB) - (SA < SB)) & o->mask);
        break;
    case OP_UCMP:
        set(f, o->dst, (uint64_t)((A > B) - (A < B)) & o->mask);
        break;
    case OP_FPCLASS:
        set(f, o->dst, is_of_class(o, f));
        break;
    case OP_OVERFLOW:
        with_overflow(o, f);
        break;
    case OP_LOAD8:
        set(f, o->dst, *(uint8_t *)address(f, o->a));
        break;
    case OP_LOAD16: {
        uint16_t v;
        memcpy(&v, address(f, o->a), sizeof v);
        set(f, o->dst, v);
        break;
    }
    case OP_LOAD32: {
        uint32_t v;
        memcpy(&v, address(f, o->a), sizeof v);
        set(f, o->dst, v);
        break;
    }
    case OP_LOAD64:
        memcpy(f + o->dst, address(f, o->a), 8);
        break;
    case OP_LOADX:
        leaf_load(f + o->dst, o->u.leaf, address(f, o->a));
        break;
    case OP_STORE8:
        memcpy(address(f, o->b), f + o->a, 1);
        break;
    case OP_STORE16:
        memcpy(address(f, o->b), f + o->a, 2);
        break;
    case OP_STORE32:
        memcpy(address(f, o->b), f + o->a, 4);
        break;
    case OP_STORE64:
        memcpy(address(f, o->b), f + o->a, 8);
        break;
    case OP_STOREX:
        leaf_store(f + o->a, o->u.leaf, address(f, o->b));
        break;
    case OP_GEP0:
        set(f, o->dst, A + o->mask);
        break;
    case OP_GEP1:
        set(f, o->dst, A + o->mask + (uint64_t)SB * o->u.scale);
        break;
    default:
        refuse("operation %u is not one on scalars", code);
    }
#undef A
#undef B
#undef C
#undef SA
#undef SB
    (void)m32;
    (void)m64;
}

#endif
