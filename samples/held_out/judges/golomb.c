/*
 * golomb - 1500 differences of a measured signal in a bit stream: exponential Golomb codes with signs folded in for
 * their headers, adaptive Rice codes for their values, most significant bit first; and back.
 *
 * Golomb, "Run-Length Encodings", 1966; Rice, 1979. The truth: the differences.
 *
 * Work: each of the 1500 values is folded, coded and decoded, in chains through the stream's place: 1500 * 12 = 18000.
 */
#include "judge.h"

#define VALUES 1500
#define BLOCK  50

struct stream {
    uint8_t *at;
    uint64_t held; /* the highest bits first */
    unsigned count;
};

static int16_t values[VALUES], back[VALUES];
static uint8_t bytes[VALUES * 4];
static size_t length;

static void put_bits(struct stream *s, uint32_t value, unsigned n)
{
    s->held |= (uint64_t)value << (64 - n - s->count);
    for (s->count += n; s->count >= 8; s->count -= 8) {
        *s->at++ = (uint8_t)(s->held >> 56);
        s->held <<= 8;
    }
}
static void fill(struct stream *s)
{
    while (s->count <= 56) {
        s->held |= (uint64_t)*s->at++ << (56 - s->count);
        s->count += 8;
    }
}
static uint32_t get_bits(struct stream *s, unsigned n)
{
    uint32_t value;

    if (n == 0)
        return 0;
    fill(s);
    value = (uint32_t)(s->held >> (64 - n));
    s->held <<= n;
    s->count -= n;
    return value;
}
static unsigned leading_zeros(uint64_t x)
{
    unsigned n = 0;

    for (unsigned step = 32; step; step >>= 1)
        if (x >> (64 - step) == 0) {
            n += step;
            x <<= step;
        }
    return n;
}

static void put_exp_golomb(struct stream *s, uint32_t value)
{
    unsigned width = 64 - leading_zeros(value + 1U);

    put_bits(s, 0, width - 1);
    put_bits(s, value + 1U, width);
}
static uint32_t get_exp_golomb(struct stream *s)
{
    unsigned zeros;

    fill(s);
    zeros = leading_zeros(s->held);
    get_bits(s, zeros);
    return get_bits(s, zeros + 1) - 1U;
}

static uint32_t fold(int32_t v)
{
    return (uint32_t)v << 1 ^ (uint32_t)(v < 0 ? -1 : 0);
}
static int32_t unfold(uint32_t u)
{
    return (int32_t)(u >> 1) ^ -(int32_t)(u & 1);
}

static unsigned parameter(const int16_t *v)
{
    uint32_t sum = 0;
    unsigned k = 0;

    for (int i = 0; i < BLOCK; i++)
        sum += fold(v[i]);
    while (k < 14 && (uint32_t)BLOCK << (k + 1) <= sum)
        k++;
    return k;
}

static size_t encode(const int16_t *v, uint8_t *out)
{
    struct stream s = {out, 0, 0};

    for (int b = 0; b < VALUES; b += BLOCK) {
        unsigned k = parameter(v + b);

        put_exp_golomb(&s, k + 1);
        for (int i = b; i < b + BLOCK; i++) {
            uint32_t u = fold(v[i]), high = u >> k;

            for (; high >= 16; high -= 16)
                put_bits(&s, 0, 16);
            put_bits(&s, 1, high + 1);
            if (k)
                put_bits(&s, u & ((1U << k) - 1), k);
        }
    }
    put_bits(&s, 0, 7);
    return (size_t)(s.at - out);
}
static void decode(uint8_t *in, int16_t *v)
{
    struct stream s = {in, 0, 0};

    for (int b = 0; b < VALUES; b += BLOCK) {
        unsigned k = get_exp_golomb(&s) - 1;

        for (int i = b; i < b + BLOCK; i++) {
            uint32_t high = 0;

            for (fill(&s); s.held == 0; fill(&s)) {
                high += s.count;
                s.count = 0;
            }
            unsigned zeros = leading_zeros(s.held);
            high += zeros;
            get_bits(&s, zeros + 1);
            v[i] = (int16_t)unfold(high << k | get_bits(&s, k));
        }
    }
}

int main(void)
{
    uint64_t seed = 10;

    for (int i = 0; i < VALUES; i++) {
        int width = 1 + i / 100; /* quiet at first, then louder */
        int up = (int)draw_below(&seed, 1 << (width - 1)), down = (int)draw_below(&seed, 1 << (width - 1));
        values[i] = (int16_t)(up - down);
    }
    values[777] = 2000;
    memset(bytes, 0, sizeof bytes);
    memset(back, 0, sizeof back);
    SHIM_KEEP(values);
    SHIM_KEEP(bytes);
    shim_region_begin("golomb");
    length = encode(values, bytes);
    SHIM_KEEP(bytes);
    decode(bytes, back);
    SHIM_KEEP(back);
    SHIM_KEEP(&length);
    shim_region_end("golomb");
    return sample_verdict_int("difference", memcmp(values, back, sizeof values) != 0, 0) |
           sample_verdict_int("whether it got shorter", length < VALUES * 3 / 2, 1);
}
