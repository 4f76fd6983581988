/*
 * log2_bits - the binary logarithm of eight numbers with 12 bits behind the point: leading zeros, then repeated squaring.
 *
 * Truth: the C library's log2; 12 bits by squaring of 31 bits are cut off, not rounded.
 * Work: 8 numbers of 12 dependent steps of a multiplication and a comparison: 192.
 */
#include "../sample.h"

enum { N = 8, BITS = 12 };
static uint32_t numbers[N], logs[N];

static uint32_t logarithm(uint32_t x)
{
    uint32_t result = 31 - (uint32_t)__builtin_clz(x);
    uint64_t mantissa = (uint64_t)x << (31 - result); /* Q31, from 1 to 2 */

    for (int i = 0; i < BITS; i++) {
        mantissa = mantissa * mantissa >> 31;
        result <<= 1;
        if (mantissa >> 32) {
            mantissa >>= 1;
            result |= 1;
        }
    }
    return result;
}

int main(void)
{
    static const uint32_t given[N] = {1, 2, 3, 10, 1000, 65537, 123456789, 4000000000U};
    int wrong = 0;

    memcpy(numbers, given, sizeof numbers);
    SHIM_KEEP(numbers);
    shim_region_begin("log2_bits");
    for (int i = 0; i < N; i++)
        logs[i] = logarithm(numbers[i]);
    SHIM_KEEP(logs);
    shim_region_end("log2_bits");
    for (int i = 0; i < N; i++)
        wrong |= sample_verdict_real("logarithm", logs[i], 4096 * log2(given[i]) - 0.5, 0.6);
    return wrong;
}
