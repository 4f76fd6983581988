/*
 * ans_coder - 6000 symbols of an alphabet of 64 through an asymmetric numeral system with 12-bit frequencies (rANS, two
 * states that take turns, 16 bits out at a time), and back through a table of 4096 slots.
 *
 * Duda, "Asymmetric numeral systems", 2009. The truth: the symbols; and the entropy, which the size comes near to.
 *
 * Work: each symbol is coded with a division and a remainder by its frequency, and decoded with a look-up and a product:
 * 6000 * 14 = 84000.
 */
#include "judge.h"

#define SYMBOLS 64
#define LENGTH  6000
#define SCALE   12
#define LOW     (1U << 16)

static uint8_t text[LENGTH], back[LENGTH], slot_symbol[1 << SCALE];
static uint16_t frequency[SYMBOLS], start[SYMBOLS];
static uint16_t packed[LENGTH + 8];
static size_t n_packed;

/* Counts are scaled to a sum of 4096, none to 0. */
static void model(void)
{
    unsigned counts[SYMBOLS] = {0}, sum = 0, most = 0;

    for (int i = 0; i < LENGTH; i++)
        counts[text[i]]++;
    for (int s = 0; s < SYMBOLS; s++) {
        frequency[s] = (uint16_t)(counts[s] ? counts[s] * (1U << SCALE) / LENGTH : 0);
        if (counts[s] && !frequency[s])
            frequency[s] = 1;
        sum += frequency[s];
        if (frequency[s] > frequency[most])
            most = (unsigned)s;
    }
    frequency[most] = (uint16_t)(frequency[most] + (1U << SCALE) - sum);
    sum = 0;
    for (int s = 0; s < SYMBOLS; s++) {
        start[s] = (uint16_t)sum;
        for (unsigned k = 0; k < frequency[s]; k++)
            slot_symbol[sum + k] = (uint8_t)s;
        sum += frequency[s];
    }
}

static void encode(void)
{
    uint32_t state[2] = {LOW, LOW};
    uint16_t *out = packed;

    for (int i = LENGTH - 1; i >= 0; i--) {
        uint32_t x = state[i & 1], f = frequency[text[i]];

        if (x >> (32 - SCALE) >= f) {
            *out++ = (uint16_t)x;
            x >>= 16;
        }
        state[i & 1] = (x / f << SCALE) + x % f + start[text[i]];
    }
    for (int k = 1; k >= 0; k--) {
        *out++ = (uint16_t)state[k];
        *out++ = (uint16_t)(state[k] >> 16);
    }
    n_packed = (size_t)(out - packed);
}

static void decode(void)
{
    uint32_t state[2];
    const uint16_t *in = packed + n_packed;

    for (int k = 0; k < 2; k++) {
        state[k] = (uint32_t) * --in << 16;
        state[k] |= *--in;
    }
    for (int i = 0; i < LENGTH; i++) {
        uint32_t x = state[i & 1], slot = x & ((1U << SCALE) - 1);
        uint8_t s = slot_symbol[slot];

        x = frequency[s] * (x >> SCALE) + slot - start[s];
        if (x < LOW)
            x = x << 16 | *--in;
        state[i & 1] = x;
        back[i] = s;
    }
}

int main(void)
{
    uint64_t seed = 11;
    double counts[SYMBOLS] = {0}, bits = 0;

    for (int i = 0; i < LENGTH; i++) {
        int a = draw_below(&seed, SYMBOLS), b = draw_below(&seed, SYMBOLS), c = draw_below(&seed, SYMBOLS);
        text[i] = (uint8_t)(a < b ? (a < c ? a : c) : (b < c ? b : c));
        counts[text[i]]++;
    }
    for (int s = 0; s < SYMBOLS; s++)
        bits -= counts[s] > 0 ? counts[s] * log2(counts[s] / LENGTH) : 0;
    SHIM_KEEP(text);
    shim_region_begin("ans_coder");
    model();
    encode();
    SHIM_KEEP(packed);
    decode();
    SHIM_KEEP(back);
    shim_region_end("ans_coder");
    return sample_verdict_int("difference", memcmp(text, back, LENGTH) != 0, 0) |
           sample_verdict_real("bits beside the entropy's", (double)n_packed * 16.0 / bits, 1.0, 0.02);
}
