/*
 * radix_sort - sort 4096 unsigned 32-bit numbers by four passes over 8 bits, least significant first.
 *
 * Work: per pass and element the count's load, addition and store, and the place's load, addition and store, which may
 * hit the same bucket twice in a row and so cannot be widened: 4 * 4096 * 6 = 98304.
 */
#include "../sample.h"
#include "lcg.h"

#define COUNT 4096

static uint32_t data[COUNT], spare[COUNT];

static void radix_pass(const uint32_t from[], uint32_t to[], int count, int shift)
{
    int start[257] = {0};
    int i;

    for (i = 0; i < count; i++)
        start[(from[i] >> shift & 255) + 1]++;
    for (i = 1; i < 256; i++)
        start[i] += start[i - 1];
    for (i = 0; i < count; i++)
        to[start[from[i] >> shift & 255]++] = from[i];
}

int main(void)
{
    uint32_t seed = 3;
    uint64_t sum = 0, squares = 0;
    int i;

    for (i = 0; i < COUNT; i++) {
        data[i] = (uint32_t)lcg_draw(&seed) << 16;
        data[i] |= lcg_draw(&seed);
        sum += data[i];
        squares += (uint64_t)data[i] * data[i];
    }
    SHIM_KEEP(data);
    SHIM_KEEP(spare);
    shim_region_begin("radix_sort");
    radix_pass(data, spare, COUNT, 0);
    radix_pass(spare, data, COUNT, 8);
    radix_pass(data, spare, COUNT, 16);
    radix_pass(spare, data, COUNT, 24);
    shim_region_end("radix_sort");
    SHIM_KEEP(data);
    for (i = 0; i < COUNT; i++) {
        if (i > 0 && sample_verdict_int("whether neighbours are in order", data[i - 1] <= data[i], 1))
            return 1;
        sum -= data[i];
        squares -= (uint64_t)data[i] * data[i];
    }
    /* The same sum and the same sum of squares (modulo 2^64): the same numbers, but for a coincidence. */
    return sample_verdict_int("difference of sums", (long long)(sum | squares), 0);
}
