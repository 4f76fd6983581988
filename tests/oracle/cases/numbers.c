/* Arithmetic of every width: odd-sized fields, 128 bits and more, long double, conversions, the compiler's built-ins.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

static volatile uint64_t seed = 88172645463325252;

static uint64_t next(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

struct fields {
    int a : 3;
    unsigned b : 13;
    long long c : 37;
    unsigned char d : 1;
};

__attribute__((noinline)) static void words(uint64_t x, uint64_t y)
{
    int32_t sum, a = (int32_t)x, b = (int32_t)y;
    uint64_t product;
    unsigned shift = (unsigned)(y & 31);
    printf("%d %d %d %d ", __builtin_popcountll(x), __builtin_clzll(x | 1), __builtin_ctz((unsigned)y | 256),
           __builtin_parityll(x));
    printf("%llx %x ", (unsigned long long)__builtin_bswap64(x), __builtin_bswap32((uint32_t)y));
    printf("%x %x ", (unsigned)__builtin_bitreverse16((uint16_t)x),
           (uint32_t)x << shift | (uint32_t)x >> (-shift & 31));
    printf("%d %d ", __builtin_add_overflow(a, b, &sum), sum);
    printf("%d %llx ", __builtin_mul_overflow(x, y, &product), (unsigned long long)product);
    printf("%d %d %d %d\n", a < b ? b : a, a < 0 ? -(a / 3) : a % 7, (int8_t)x >> 2, (int16_t)y * (int16_t)x);
}

__attribute__((noinline)) static void wide(uint64_t x, uint64_t y)
{
    unsigned __int128 p = (unsigned __int128)x * y;
    __int128 q = -(__int128)p / 1000003;
    unsigned shift = (unsigned)(x & 127);
    p ^= p >> shift;
    printf("%llx %llx ", (unsigned long long)(p >> 64), (unsigned long long)p);
    printf("%lld %llx %d %.6e ", (long long)(q >> 64), (unsigned long long)q, q < (__int128)x, (double)q);
    printf("%llx\n", (unsigned long long)(p % 1000000007u));
}

typedef unsigned _BitInt(200) huge;
typedef signed _BitInt(137) odd;
__attribute__((noinline)) static void huge_ones(uint64_t x, uint64_t y)
{
    volatile huge a = (huge)x << 130 | (huge)y << 40 | 0xffu;
    volatile odd b = (odd)y << 70;
    huge c = (a + (huge)12345678901234567890u - y) ^ a >> (x & 63);
    odd d = (-b - 1) >> 3;
    printf("%llx %llx %llx ", (unsigned long long)c, (unsigned long long)(c >> 64), (unsigned long long)(c >> 128));
    printf("%lld %llx %d%d%d\n", (long long)(d >> 64), (unsigned long long)d, c < a, d < b, c == a);
}

__attribute__((noinline)) static void fields(struct fields *f, uint64_t x)
{
    f->a = (int)x & 7;
    f->b += (unsigned)(x >> 5) & 0x1fff;
    f->c -= (long long)(x >> 20);
    f->d ^= 1;
    printf("%d %u %lld %u\n", f->a, f->b, (long long)f->c, f->d);
}

__attribute__((noinline)) static void reals(double x, float y)
{
    long double z = (long double)x * y + 1;
    printf("%.17g %.9g %.15g ", sqrt(x), (double)fabsf(y - 3), (double)(z / 7));
    printf("%.17g %.17g %.17g %.17g ", floor(x), ceil(x), trunc(-x), round(x));
    printf("%.17g %.17g %.17g ", fmod(x, 0.7), pow(x, 0.3), copysign(x, -1.0));
    printf("%d %u %lld %llu ", (int)x, (unsigned)x, (long long)(x * 1e6), (unsigned long long)(y * 1e3f));
    printf("%d%d%d%d ", x < y, x != (double)y, isnan(x), isless(x, (double)NAN));
    printf("%.9g %.17g\n", (double)((float)x + (float)(int64_t)x), (double)(uint64_t)x - 0.5);
}

int main(void)
{
    struct fields f = {0, 0, 0, 0};
    for (int i = 0; i < 50; i++) {
        uint64_t x = next(), y = next();
        words(x, y);
        words(x & 255, y >> 50);
        wide(x, y | 1);
        huge_ones(x, y);
        fields(&f, x);
        reals((double)(x >> 40) / 1000, (float)(y >> 44) / 7);
    }
    return 0;
}
