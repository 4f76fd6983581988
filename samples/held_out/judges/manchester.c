/*
 * manchester - 160 bytes on a line in Manchester code, sampled 8 times a bit by a clock that is off and jitters; the
 * receiver finds the bits from the times between edges alone, after a preamble and a sync word.
 *
 * The truth: the bytes that were coded.
 *
 * Work: 160 * 8 bits of 8 samples are 10240; of each the level is loaded and compared with the last: 10240 * 3 = 30720.
 * The compiler may look at 64 samples at once: 480.
 */
#include "judge.h"

#define BYTES    160
#define PREAMBLE 16
#define SYNC     0xD391u
#define ROOM     16000

struct decoder {
    uint8_t last, half; /* the line's level; whether the last edge stood at a bit's border */
    uint16_t since;     /* samples since the last edge */
    uint16_t window;
    uint8_t synced, bits;
    uint16_t count;
};

static uint8_t samples[ROOM], data[BYTES], decoded[BYTES + 1];
static unsigned n_samples;
static struct decoder decoder;

static void on_bit(struct decoder *d, unsigned bit)
{
    d->window = (uint16_t)(d->window << 1 | bit);
    if (!d->synced) {
        d->synced = d->window == SYNC;
        return;
    }
    if (++d->bits == 8) {
        d->bits = 0;
        if (d->count < BYTES)
            decoded[d->count++] = (uint8_t)d->window;
    }
}

/* An edge in the middle of a bit carries it; one at the border none. A long gap always ends in a middle. */
static void on_edge(struct decoder *d, unsigned level)
{
    if (d->since >= 6 || d->half) {
        d->half = 0;
        on_bit(d, level);
    } else {
        d->half = 1;
    }
    d->since = 0;
}

static void decode(const uint8_t *line, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        decoder.since++;
        if (line[i] != decoder.last) {
            decoder.last = line[i];
            on_edge(&decoder, line[i]);
        }
    }
}

static double line_end;
static void level(unsigned value, uint64_t *seed)
{
    line_end += 4.0 * 1.03;
    unsigned end = (unsigned)(line_end + 0.8 * draw_unit(seed));
    while (n_samples < end)
        samples[n_samples++] = (uint8_t)value;
}
static void bit(unsigned value, uint64_t *seed)
{
    level(!value, seed);
    level(value, seed);
}

int main(void)
{
    uint64_t seed = 4;

    n_samples = 0;
    line_end = 0.0;
    for (int i = 0; i < PREAMBLE; i++)
        bit(0, &seed);
    for (int i = 15; i >= 0; i--)
        bit(SYNC >> i & 1, &seed);
    for (int i = 0; i < BYTES; i++) {
        data[i] = (uint8_t)draw(&seed);
        for (int k = 7; k >= 0; k--)
            bit(data[i] >> k & 1U, &seed);
    }
    memset(decoded, 0, sizeof decoded);
    decoder = (struct decoder){.last = 1, .half = 1, .window = 0xFFFF};
    SHIM_KEEP(samples);
    SHIM_KEEP(&decoder);
    shim_region_begin("manchester");
    decode(samples, n_samples);
    SHIM_KEEP(decoded);
    SHIM_KEEP(&decoder);
    shim_region_end("manchester");
    return sample_verdict_int("bytes", decoder.count, BYTES) |
           sample_verdict_int("difference", memcmp(data, decoded, BYTES) != 0, 0);
}
