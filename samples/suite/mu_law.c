/*
 * mu_law - speech between 16 bits and the 8 bits of the telephone network, both ways.
 *
 * ITU-T G.711, mu-law: sign, 3 bits of segment, 4 bits within it, all inverted. The truth: values from the standard's
 * decoder table (8-bit codes 00, 80, 0F, 10, 3F, 7F, FF; scaled to 16 bits), and that every sample comes back within
 * half a step of its segment.
 *
 * Work: each of the 6000 samples takes at least 6 instructions to encode and 6 to decode with its load and its store,
 * in at most 32 lanes: 6000 * 12 / 32 = 2250.
 */
#include "../sample.h"
#include "test_signal.h"

#define SAMPLES 6000
#define BIAS    132 /* 33 in 14 bits */
#define CLIP    32635

static int16_t speech[SAMPLES], heard[SAMPLES];
static uint8_t sent[SAMPLES];

static uint8_t encode(int16_t sample)
{
    int sign = sample < 0 ? 0x80 : 0;
    int size = sample < 0 ? -sample : sample;
    int segment = 7;

    if (size > CLIP)
        size = CLIP;
    size += BIAS;
    for (int bit = 0x4000; (size & bit) == 0 && segment > 0; bit >>= 1)
        segment--;
    return (uint8_t) ~(sign | segment << 4 | (size >> (segment + 3) & 15));
}

static int16_t decode(uint8_t code)
{
    int segment, size;

    code = (uint8_t)~code;
    segment = code >> 4 & 7;
    size = (((code & 15) << 3) + BIAS) << segment;
    size -= BIAS;
    return (int16_t)(code & 0x80 ? -size : size);
}

static void call(void)
{
    for (int n = 0; n < SAMPLES; n++)
        sent[n] = encode(speech[n]);
    for (int n = 0; n < SAMPLES; n++)
        heard[n] = decode(sent[n]);
}

static void prepare(void)
{
    uint32_t noise = 662607u;

    for (int n = 0; n < SAMPLES; n++)
        speech[n] = (int16_t)(noise_within(&noise, 32767) >> n % 15);
    SHIM_KEEP(speech);
}

/* The table of the standard, 14 bits, times 4. */
static int differs_from_standard(void)
{
    static const struct {
        uint8_t code;
        int16_t value;
    } known[] = {{0x00, -8031 * 4}, {0x80, 8031 * 4}, {0x0f, -4191 * 4}, {0x10, -3999 * 4},
                 {0x3f, -495 * 4},  {0x7f, 0},        {0xff, 0},         {0x70, -30 * 4}};
    int wrong = 0;

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        wrong += decode(known[i].code) != known[i].value;
    return wrong;
}

/* A step of the segment that starts at 2^k - 33 (14 bits) is 2^(k - 4): half a step is at most (|x| + 132) / 32. */
int main(void)
{
    int far = 0;

    prepare();
    shim_region_begin("mu_law");
    call();
    SHIM_KEEP(sent);
    SHIM_KEEP(heard);
    shim_region_end("mu_law");
    for (int n = 0; n < SAMPLES; n++) {
        int size = abs(speech[n]) > CLIP ? CLIP : abs(speech[n]);

        far += abs(abs(heard[n]) - size) * 32 > size + BIAS || (long)heard[n] * speech[n] < 0;
    }
    return sample_verdict_int("samples too far off", far, 0) |
           sample_verdict_int("codes against the standard", differs_from_standard(), 0);
}
