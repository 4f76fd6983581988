/*
 * root_bits - the integer square root of five 32-bit numbers, two bits a step.
 *
 * Truth: r * r <= n < (r + 1) * (r + 1).
 * Work: 5 numbers of 16 dependent steps, each a comparison and a shift: 160.
 */
#include "../sample.h"

enum { N = 5 };
static uint32_t numbers[N], roots[N];

static uint32_t root(uint32_t n)
{
    uint32_t result = 0;

    for (uint32_t bit = 1U << 30; bit; bit >>= 2) {
        uint32_t trial = result + bit;

        result >>= 1;
        if (n >= trial) {
            n -= trial;
            result += bit;
        }
    }
    return result;
}

int main(void)
{
    static const uint32_t given[N] = {2, 144, 99999, 123456789, 4294967295U};
    int wrong = 0;

    memcpy(numbers, given, sizeof numbers);
    SHIM_KEEP(numbers);
    shim_region_begin("root_bits");
    for (int i = 0; i < N; i++)
        roots[i] = root(numbers[i]);
    SHIM_KEEP(roots);
    shim_region_end("root_bits");
    for (int i = 0; i < N; i++) {
        uint64_t r = roots[i];

        wrong += r * r > given[i] || (r + 1) * (r + 1) <= given[i];
    }
    return sample_verdict_int("wrong roots", wrong, 0);
}
