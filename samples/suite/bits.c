/*
 * bits - ones, order reversed, leading zeros, parity and Gray code of 32-bit words, by shifts and masks.
 *
 * Warren, "Hacker's Delight", 2nd edition, chapters 5, 7 and 13. The truth is a loop over single bits.
 *
 * Work: 8000 words, 5 results a word, each stored. The compiler may know an instruction for any of them, and a vector
 * holds 16 words or 64 bytes: 8000 * 5 / 16 operations, 8000 * 3 / 64 and 8000 * 2 / 16 stores: 2500 + 375 + 1000 =
 * 3875.
 */
#include "../sample.h"
#include "test_signal.h"

#define WORDS 8000

static uint32_t word[WORDS];
static uint8_t ones[WORDS], zeros[WORDS], odd[WORDS];
static uint32_t reversed[WORDS], decoded[WORDS];

static uint8_t count_ones(uint32_t x)
{
    x = x - (x >> 1 & 0x55555555u);
    x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0fu;
    return (uint8_t)(x * 0x01010101u >> 24);
}

static uint32_t reverse(uint32_t x)
{
    x = (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
    x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
    x = (x & 0x0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0fu);
    x = (x & 0x00ff00ffu) << 8 | (x >> 8 & 0x00ff00ffu);
    return x << 16 | x >> 16;
}

/* By halves, with branches; 32 for zero. */
static uint8_t leading_zeros(uint32_t x)
{
    uint8_t n = 0;

    if (x == 0)
        return 32;
    for (int width = 16; width > 0; width /= 2)
        if (x >> (32 - width) == 0) {
            n = (uint8_t)(n + width);
            x <<= width;
        }
    return n;
}

static uint8_t parity(uint32_t x)
{
    for (int by = 16; by > 0; by /= 2)
        x ^= x >> by;
    return (uint8_t)(x & 1);
}

static uint32_t gray_decode(uint32_t x)
{
    for (int by = 1; by < 32; by *= 2)
        x ^= x >> by;
    return x;
}

static void compute(void)
{
    for (int i = 0; i < WORDS; i++) {
        ones[i] = count_ones(word[i]);
        reversed[i] = reverse(word[i]);
        zeros[i] = leading_zeros(word[i]);
        odd[i] = parity(word[i]);
        decoded[i] = gray_decode(word[i]);
    }
}

/* Words of all lengths, zero among them. */
static void prepare(void)
{
    uint32_t noise = 123456789u;

    for (int i = 0; i < WORDS; i++)
        word[i] = i == 0 ? 0 : noise_next(&noise) >> i % 32;
    SHIM_KEEP(word);
}

static int is_right(int i)
{
    uint32_t mirrored = 0;
    int set = 0, length = 0;

    for (int bit = 0; bit < 32; bit++)
        if (word[i] >> bit & 1) {
            mirrored |= UINT32_C(1) << (31 - bit);
            set++;
            length = bit + 1;
        }
    return ones[i] == set && reversed[i] == mirrored && zeros[i] == 32 - length && odd[i] == set % 2 &&
           (decoded[i] ^ decoded[i] >> 1) == word[i];
}

int main(void)
{
    int wrong = 0;

    prepare();
    shim_region_begin("bits");
    compute();
    SHIM_KEEP(ones);
    SHIM_KEEP(reversed);
    SHIM_KEEP(zeros);
    SHIM_KEEP(odd);
    SHIM_KEEP(decoded);
    shim_region_end("bits");
    for (int i = 0; i < WORDS; i++)
        wrong += !is_right(i);
    return sample_verdict_int("wrong words", wrong, 0);
}
