/*
 * signal_gateway - 400 frames from one bus to another: 12 signals, described by a table (first bit, width, byte order,
 * sign, factor, offset), are unpacked, scaled, limited and packed in another layout.
 *
 * The truth: the same bit by bit, in 64-bit arithmetic, with the bit's place computed for each.
 *
 * Work: 400 frames of 12 signals, each with loads of its row, shifts, a product and a limit: 400 * 12 * 8 = 38400.
 */
#include "judge.h"

#define FRAMES  400
#define SIGNALS 12

struct layout {
    uint8_t start, width; /* the lowest bit (Intel) or the highest (Motorola), as data bases number them */
    uint8_t big, is_signed;
};
struct route {
    struct layout from, to;
    int16_t factor, offset; /* factor in 1/256 */
    int32_t low, high;
};

static const struct route routes[SIGNALS] = {{{0, 12, 0, 0}, {7, 12, 1, 0}, 256, 0, 0, 4095},
                                             {{12, 4, 0, 0}, {11, 4, 1, 0}, 256, 0, 0, 15},
                                             {{16, 1, 0, 0}, {23, 1, 1, 0}, 256, 0, 0, 1},
                                             {{17, 3, 0, 0}, {22, 3, 1, 0}, 256, 1, 0, 7},
                                             {{20, 10, 0, 1}, {19, 12, 1, 1}, 700, -3, -2000, 2000},
                                             {{30, 2, 0, 0}, {28, 2, 0, 0}, 256, 0, 0, 3},
                                             {{39, 8, 1, 0}, {32, 8, 0, 0}, 128, 10, 0, 255},
                                             {{47, 6, 1, 1}, {40, 7, 0, 1}, 512, 0, -64, 63},
                                             {{41, 5, 1, 0}, {47, 1, 0, 0}, 16, 0, 0, 1},
                                             {{52, 4, 1, 0}, {48, 6, 0, 0}, 1024, 0, 0, 63},
                                             {{63, 4, 1, 0}, {54, 5, 0, 0}, 300, 0, 0, 31},
                                             {{59, 4, 1, 1}, {59, 5, 0, 1}, 256, -1, -16, 15}};

static uint8_t in[FRAMES][8], out[FRAMES][8];

static uint64_t load_little(const uint8_t *b)
{
    uint64_t word = 0;

    for (int i = 7; i >= 0; i--)
        word = word << 8 | b[i];
    return word;
}
static uint64_t swap_bytes(uint64_t x)
{
    x = (x & 0x00FF00FF00FF00FFu) << 8 | (x >> 8 & 0x00FF00FF00FF00FFu);
    x = (x & 0x0000FFFF0000FFFFu) << 16 | (x >> 16 & 0x0000FFFF0000FFFFu);
    return x << 32 | x >> 32;
}
/* In the big word the bit `start` of byte start / 8 stands at 63 - 8 * (start / 8) - 7 + start % 8. */
static unsigned shift_of(const struct layout *l)
{
    return l->big ? 64U - 8U * (l->start / 8U) - 8U + l->start % 8U - l->width + 1U : l->start;
}

static int32_t unpack(uint64_t little, uint64_t big, const struct layout *l)
{
    uint32_t raw = (uint32_t)((l->big ? big : little) >> shift_of(l)) & ((1U << l->width) - 1U);

    if (l->is_signed && raw >> (l->width - 1))
        return (int32_t)raw - (int32_t)(1U << l->width);
    return (int32_t)raw;
}

static void convert(const uint8_t *from, uint8_t *to)
{
    uint64_t little = load_little(from), big = swap_bytes(little), words[2] = {0, 0};

    for (const struct route *r = routes; r < routes + SIGNALS; r++) {
        int32_t v = unpack(little, big, &r->from) * r->factor / 256 + r->offset;

        if (v < r->low)
            v = r->low;
        else if (v > r->high)
            v = r->high;
        words[r->to.big] |= (uint64_t)((uint32_t)v & ((1U << r->to.width) - 1U)) << shift_of(&r->to);
    }
    words[0] |= swap_bytes(words[1]);
    for (int i = 0; i < 8; i++)
        to[i] = (uint8_t)(words[0] >> 8 * i);
}

/* The place of a signal's bit, 0 the lowest, as DBC files count. */
static unsigned place(const struct layout *l, unsigned bit)
{
    unsigned at = l->start;

    if (!l->big)
        return at + bit;
    for (unsigned i = l->width - 1U; i > bit; i--)
        at = at % 8 ? at - 1 : at + 15;
    return at;
}
static void convert_by_bits(const uint8_t *from, uint8_t *to)
{
    memset(to, 0, 8);
    for (int s = 0; s < SIGNALS; s++) {
        const struct route *r = &routes[s];
        int64_t v = 0;

        for (unsigned b = 0; b < r->from.width; b++) {
            unsigned at = place(&r->from, b);
            if (from[at / 8] >> at % 8 & 1)
                v += r->from.is_signed && b == r->from.width - 1U ? -(INT64_C(1) << b) : INT64_C(1) << b;
        }
        v = v * r->factor / 256 + r->offset;
        v = v < r->low ? r->low : v > r->high ? r->high : v;
        for (unsigned b = 0; b < r->to.width; b++) {
            unsigned at = place(&r->to, b);
            if (v >> b & 1)
                to[at / 8] |= (uint8_t)(1U << at % 8);
        }
    }
}

int main(void)
{
    uint64_t seed = 7;

    for (int i = 0; i < FRAMES * 8; i++)
        in[i / 8][i % 8] = (uint8_t)draw(&seed);
    SHIM_KEEP(in);
    shim_region_begin("signal_gateway");
    for (int i = 0; i < FRAMES; i++)
        convert(in[i], out[i]);
    SHIM_KEEP(out);
    shim_region_end("signal_gateway");
    for (int i = 0; i < FRAMES; i++) {
        uint8_t expected[8];

        convert_by_bits(in[i], expected);
        if (memcmp(expected, out[i], 8) != 0)
            return sample_verdict_int("frame that differs", i, -1);
    }
    return 0;
}
