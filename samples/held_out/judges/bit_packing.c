/*
 * bit_packing - 40 blocks of 128 numbers of 32 bits, each packed in as few bits as its spread needs above its least
 * number, and unpacked; then 400 single numbers are read in place.
 *
 * The truth: the numbers.
 *
 * Work: 5120 numbers, each shifted into a 64-bit word and out again: 5120 * 2 * 4 = 40960; 16 at once: 2560.
 */
#include "judge.h"

#define BLOCKS 40
#define BLOCK  128
#define READS  400

struct header {
    uint32_t least, first; /* first: its words in `packed` */
    uint32_t width;
};

static uint32_t values[BLOCKS][BLOCK], back[BLOCKS][BLOCK], read_values[READS];
static uint16_t places[READS];
static struct header headers[BLOCKS];
static uint64_t packed[BLOCKS * BLOCK / 2 + 2];
static uint32_t used;

static uint32_t width_of(uint32_t spread)
{
    uint32_t width = 0;

    for (; spread; spread >>= 1)
        width++;
    return width;
}
static void pack(const uint32_t *v, struct header *h)
{
    uint32_t least = v[0], most = v[0];
    uint64_t word = 0;
    unsigned filled = 0;

    for (int i = 1; i < BLOCK; i++) {
        least = v[i] < least ? v[i] : least;
        most = v[i] > most ? v[i] : most;
    }
    *h = (struct header){least, used, width_of(most - least)};
    for (int i = 0; i < BLOCK; i++) {
        uint64_t x = v[i] - least;

        word |= x << filled;
        filled += h->width;
        if (filled >= 64) {
            packed[used++] = word;
            filled -= 64;
            word = filled ? x >> (h->width - filled) : 0;
        }
    }
    if (filled)
        packed[used++] = word;
}
static void unpack(const struct header *h, uint32_t *v)
{
    const uint64_t *in = packed + h->first, mask = (UINT64_C(1) << h->width) - 1;
    uint64_t word = *in;
    unsigned at = 0;

    for (int i = 0; i < BLOCK; i++) {
        uint64_t x = word >> at;

        at += h->width;
        if (at >= 64) {
            at -= 64;
            word = *++in;
            if (at)
                x |= word << (h->width - at);
        }
        v[i] = (uint32_t)(x & mask) + h->least;
    }
}
static uint32_t value_at(unsigned n)
{
    const struct header *h = &headers[n / BLOCK];
    unsigned bit = n % BLOCK * h->width;
    const uint64_t *in = packed + h->first + bit / 64;
    uint64_t x = in[0] >> bit % 64;

    if (bit % 64 + h->width > 64)
        x |= in[1] << (64 - bit % 64);
    return (uint32_t)(x & ((UINT64_C(1) << h->width) - 1)) + h->least;
}

int main(void)
{
    uint64_t seed = 15;
    int wrong = 0;

    for (int b = 0; b < BLOCKS; b++) {
        uint32_t base = draw(&seed);
        for (int i = 0; i < BLOCK; i++)
            values[b][i] = base + (b == 33 ? 0 : draw(&seed) >> (31 - b * 3 % 32));
    }
    for (int i = 0; i < READS; i++)
        places[i] = (uint16_t)draw_below(&seed, BLOCKS * BLOCK);
    memset(packed, 0, sizeof packed);
    used = 0;
    SHIM_KEEP(values);
    SHIM_KEEP(places);
    SHIM_KEEP(packed);
    SHIM_KEEP(&used);
    shim_region_begin("bit_packing");
    for (int b = 0; b < BLOCKS; b++)
        pack(values[b], &headers[b]);
    SHIM_KEEP(headers);
    SHIM_KEEP(packed);
    for (int b = 0; b < BLOCKS; b++)
        unpack(&headers[b], back[b]);
    for (int i = 0; i < READS; i++)
        read_values[i] = value_at(places[i]);
    SHIM_KEEP(back);
    SHIM_KEEP(read_values);
    shim_region_end("bit_packing");
    for (int i = 0; i < READS; i++)
        wrong += read_values[i] != values[places[i] / BLOCK][places[i] % BLOCK];
    return sample_verdict_int("blocks differ", memcmp(values, back, sizeof values) != 0, 0) |
           sample_verdict_int("reads differ", wrong, 0) |
           sample_verdict_int("whether it got shorter", used < BLOCKS * BLOCK / 2, 1);
}
