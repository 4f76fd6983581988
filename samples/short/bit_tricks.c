/*
 * bit_tricks - twelve words reversed bit by bit, their set bits counted and their lowest one isolated, by masks.
 *
 * Truth: the same, one bit at a time.
 * Work: 12 words; a reversal takes five exchanges of two shifts, in vectors of 16 lanes: 10.
 */
#include "../sample.h"

enum { N = 12 };
static uint32_t words[N], reversed[N], ones[N], lowest[N];

static uint32_t reverse(uint32_t x)
{
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0F0F0F0F) | (x & 0x0F0F0F0F) << 4;
    x = (x >> 8 & 0x00FF00FF) | (x & 0x00FF00FF) << 8;
    return x >> 16 | x << 16;
}

static uint32_t count(uint32_t x)
{
    x -= x >> 1 & 0x55555555;
    x = (x & 0x33333333) + (x >> 2 & 0x33333333);
    return ((x + (x >> 4)) & 0x0F0F0F0F) * 0x01010101 >> 24;
}

int main(void)
{
    int wrong = 0;

    for (uint32_t i = 0; i < N; i++)
        words[i] = (i + 1) * 2654435769U;
    SHIM_KEEP(words);
    shim_region_begin("bit_tricks");
    for (int i = 0; i < N; i++) {
        reversed[i] = reverse(words[i]);
        ones[i] = count(words[i]);
        lowest[i] = words[i] & (0 - words[i]);
    }
    SHIM_KEEP(reversed);
    SHIM_KEEP(ones);
    SHIM_KEEP(lowest);
    shim_region_end("bit_tricks");
    for (int i = 0; i < N; i++) {
        uint32_t set = 0, least = 0;

        for (int bit = 31; bit >= 0; bit--) {
            wrong += (words[i] >> bit & 1) != (reversed[i] >> (31 - bit) & 1);
            set += words[i] >> bit & 1;
            least = words[i] >> bit & 1 ? 1U << bit : least;
        }
        wrong += set != ones[i] || least != lowest[i];
    }
    return sample_verdict_int("wrong bits", wrong, 0);
}
