/*
 * range_coder - 3000 symbols out of 16 through an adaptive arithmetic coder, and back.
 *
 * Witten, Neal and Cleary, "Arithmetic Coding for Data Compression", 1987, with a range of 32 bits written byte by byte
 * and carries passed on (Martin's range coder, 1979). The truth: the symbols; and the size, within 3 % of the model's
 * own entropy, summed outside.
 *
 * Work: each symbol costs the encoder and the decoder a division of the range, a product, two sums, and the update of
 * a count; the decoder a second division: 3000 * (5 + 6) = 33000. Each depends on the range before.
 */
#include "../sample.h"
#include "lcg.h"

#define LENGTH  3000
#define SYMBOLS 16
#define MOST    8192
#define LEAST   (1U << 24)

struct model {
    uint16_t count[SYMBOLS];
    uint32_t total;
};

static uint8_t symbols[LENGTH], back[LENGTH], packed[2 * LENGTH];
static size_t size;
static struct model model;

static void reset(struct model *m)
{
    for (int s = 0; s < SYMBOLS; s++)
        m->count[s] = 1;
    m->total = SYMBOLS;
}

static void learn(struct model *m, unsigned symbol)
{
    m->count[symbol] += 24;
    m->total += 24;
    if (m->total < MOST)
        return;
    m->total = 0;
    for (int s = 0; s < SYMBOLS; s++) {
        m->count[s] = (uint16_t)(m->count[s] / 2 + 1);
        m->total += m->count[s];
    }
}

/* The carry goes back into bytes already written. */
static void carry(uint8_t *last)
{
    while (++*last == 0)
        last--;
}

static size_t encode(const uint8_t *in, size_t length, uint8_t *out)
{
    uint64_t low = 0;
    uint32_t range = UINT32_MAX;
    uint8_t *at = out;

    *at++ = 0; /* for a carry out of the first byte */
    for (size_t i = 0; i < length; i++) {
        uint32_t below = 0, unit = range / model.total;

        for (unsigned s = 0; s < in[i]; s++)
            below += model.count[s];
        low += (uint64_t)unit * below;
        range = unit * model.count[in[i]];
        learn(&model, in[i]);
        for (; range < LEAST; range <<= 8) {
            if (low >> 32)
                carry(at - 1);
            *at++ = (uint8_t)(low >> 24);
            low = low << 8 & UINT32_MAX;
        }
    }
    if (low >> 32)
        carry(at - 1);
    for (int shift = 24; shift >= 0; shift -= 8)
        *at++ = (uint8_t)(low >> shift);
    return (size_t)(at - out);
}

static void decode(const uint8_t *in, uint8_t *out, size_t length)
{
    uint32_t code = 0, range = UINT32_MAX;

    in++;
    for (int i = 0; i < 4; i++)
        code = code << 8 | *in++;
    for (size_t i = 0; i < length; i++) {
        uint32_t unit = range / model.total, place = code / unit, below = 0;
        unsigned s = 0;

        while (s < SYMBOLS - 1 && below + model.count[s] <= place)
            below += model.count[s++];
        out[i] = (uint8_t)s;
        code -= unit * below;
        range = unit * model.count[s];
        learn(&model, s);
        for (; range < LEAST; range <<= 8)
            code = code << 8 | *in++;
    }
}

static double bits_needed(void)
{
    double bits = 0;

    reset(&model);
    for (int i = 0; i < LENGTH; i++) {
        bits += log2((double)model.total / model.count[symbols[i]]);
        learn(&model, symbols[i]);
    }
    return bits;
}

int main(void)
{
    uint32_t seed = 23;

    for (int i = 0; i < LENGTH; i++)
        symbols[i] = (uint8_t)(lcg_draw(&seed) % (i / 500 % 2 ? 6 : 16) * lcg_draw(&seed) >> 16);
    memset(packed, 0, sizeof packed);
    SHIM_KEEP(symbols);
    shim_region_begin("range_coder");
    reset(&model);
    size = encode(symbols, LENGTH, packed);
    SHIM_KEEP(packed);
    reset(&model);
    decode(packed, back, LENGTH);
    SHIM_KEEP(back);
    SHIM_KEEP(&size);
    shim_region_end("range_coder");
    return sample_verdict_int("difference from the symbols", memcmp(back, symbols, LENGTH) != 0, 0) |
           sample_verdict_real("bits over the entropy", (double)size * 8 / bits_needed(), 1.015, 0.015);
}
