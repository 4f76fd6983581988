/*
 * adpcm - speech coding to 4 bits a sample and back, the algorithm of the Interactive Multimedia Association.
 *
 * IMA Digital Audio Focus and Technical Working Groups, "Recommended Practices for Enhancing Digital Audio
 * Compatibility", 1992: 89 step sizes, a step index that follows the signal. The coder carries the decoder in itself,
 * so both must end in the same state, and the decoded wave must follow the input.
 *
 * Work: each of 2000 samples is coded and then decoded in order, and both carry two states. Either looks up a step and
 * an index change (2 loads), adds to the prediction and to the index, and stores a result: 2 * 2000 * 5 = 20000.
 */
#include "../sample.h"
#include "test_signal.h"

#define SAMPLES   2000
#define LAST_STEP 88

static const int16_t step_size[LAST_STEP + 1] = {
    7,    8,     9,     10,    11,    12,    13,    14,    16,    17,    19,    21,    23,    25,    28,
    31,   34,    37,    41,    45,    50,    55,    60,    66,    73,    80,    88,    97,    107,   118,
    130,  143,   157,   173,   190,   209,   230,   253,   279,   307,   337,   371,   408,   449,   494,
    544,  598,   658,   724,   796,   876,   963,   1060,  1166,  1282,  1411,  1552,  1707,  1878,  2066,
    2272, 2499,  2749,  3024,  3327,  3660,  4026,  4428,  4871,  5358,  5894,  6484,  7132,  7845,  8630,
    9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794, 32767,
};
static const int8_t index_change[8] = {-1, -1, -1, -1, 2, 4, 6, 8};

struct adpcm_state {
    int32_t predicted;
    int32_t index;
};

static int16_t input[SAMPLES], decoded[SAMPLES];
static uint8_t code[SAMPLES / 2];
static struct adpcm_state coder, decoder;

static int32_t clamp(int32_t value, int32_t low, int32_t high)
{
    if (value < low)
        return low;
    return value > high ? high : value;
}

/* What both sides do with a code: move the prediction by (magnitude + 1/2) / 4 steps, then the index. */
static void follow(struct adpcm_state *s, unsigned nibble)
{
    int32_t step = step_size[s->index];
    int32_t change = step >> 3;

    if (nibble & 4)
        change += step;
    if (nibble & 2)
        change += step >> 1;
    if (nibble & 1)
        change += step >> 2;
    s->predicted = clamp(nibble & 8 ? s->predicted - change : s->predicted + change, -32768, 32767);
    s->index = clamp(s->index + index_change[nibble & 7], 0, LAST_STEP);
}

static unsigned encode_sample(struct adpcm_state *s, int16_t x)
{
    int32_t step = step_size[s->index];
    int32_t difference = x - s->predicted;
    unsigned nibble = difference < 0 ? 8 : 0;

    difference = difference < 0 ? -difference : difference;
    for (unsigned bit = 4; bit > 0; bit >>= 1) {
        if (difference >= step) {
            nibble |= bit;
            difference -= step;
        }
        step >>= 1;
    }
    follow(s, nibble);
    return nibble;
}

static void encode(void)
{
    for (int n = 0; n < SAMPLES; n += 2) {
        unsigned low = encode_sample(&coder, input[n]);
        unsigned high = encode_sample(&coder, input[n + 1]);

        code[n / 2] = (uint8_t)(low | high << 4);
    }
}

static void decode(void)
{
    for (int n = 0; n < SAMPLES; n++) {
        follow(&decoder, n & 1 ? code[n / 2] >> 4 : code[n / 2] & 15);
        decoded[n] = (int16_t)decoder.predicted;
    }
}

static void prepare(void)
{
    memset(&coder, 0, sizeof coder);
    memset(&decoder, 0, sizeof decoder);
    for (int n = 0; n < SAMPLES; n++)
        input[n] = (int16_t)(9000.0 * sine_of(n * 0.05) + 3000.0 * sine_of(n * 0.31));
    SHIM_KEEP(&coder);
    SHIM_KEEP(&decoder);
    SHIM_KEEP(input);
}

/* Energy of the input over that of the error. 4 bits of a smooth wave give more than 20 dB, a factor of 100. */
static double signal_to_noise(void)
{
    double wanted = 0.0, error = 0.0;

    for (int n = 0; n < SAMPLES; n++) {
        double e = (double)input[n] - decoded[n];

        wanted += (double)input[n] * input[n];
        error += e * e;
    }
    return wanted / error;
}

int main(void)
{
    prepare();
    shim_region_begin("adpcm");
    encode();
    SHIM_KEEP(code);
    decode();
    SHIM_KEEP(decoded);
    shim_region_end("adpcm");
    return sample_verdict_int("prediction of the decoder", decoder.predicted, coder.predicted) |
           sample_verdict_int("step index of the decoder", decoder.index, coder.index) |
           sample_verdict_int("signal to noise above 100", signal_to_noise() > 100.0, 1);
}
