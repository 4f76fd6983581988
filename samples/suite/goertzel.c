/*
 * goertzel - telling the 16 keys of a telephone by their two tones, in fixed point with 64-bit products.
 *
 * Goertzel, "An Algorithm for the Evaluation of Finite Trigonometric Series", 1958; tones of ITU-T Q.23, blocks of 205
 * samples at 8 kHz, coefficients 2 cos(2 pi f / fs) in Q14. The truth is the key that was pressed.
 *
 * Work: the recurrence of a tone is a chain over 205 samples: a product, a shift, two sums. The 8 tones of a block may
 * at best share a vector: 16 blocks * 205 * 4 = 13120.
 */
#include "../sample.h"
#include "test_signal.h"

#define KEYS    16
#define TONES   8
#define BLOCK   205
#define Q14     16384
#define SAMPLED 8000.0

static const int tone_hz[TONES] = {697, 770, 852, 941, 1209, 1336, 1477, 1633};
static const char key_name[KEYS + 1] = "123A456B789C*0#D";

static int32_t coefficient[TONES];
static int16_t samples[KEYS][BLOCK];
static char heard[KEYS];

/* The energy of one tone, s1^2 + s2^2 - c s1 s2. */
static int64_t tone_energy(const int16_t *x, int32_t c)
{
    int64_t s1 = 0, s2 = 0;

    for (int n = 0; n < BLOCK; n++) {
        int64_t s0 = x[n] + ((c * s1) >> 14) - s2;

        s2 = s1;
        s1 = s0;
    }
    return s1 * s1 + s2 * s2 - ((c * s1) >> 14) * s2;
}

static int strongest(const int16_t *x, int first)
{
    int best = first;
    int64_t most = -1;

    for (int tone = first; tone < first + 4; tone++) {
        int64_t energy = tone_energy(x, coefficient[tone]);

        if (energy > most) {
            most = energy;
            best = tone;
        }
    }
    return best - first;
}

static void listen(void)
{
    for (int k = 0; k < KEYS; k++)
        heard[k] = key_name[4 * strongest(samples[k], 0) + strongest(samples[k], 4)];
}

static void prepare(void)
{
    uint32_t noise = 5783321u;

    for (int tone = 0; tone < TONES; tone++)
        coefficient[tone] = (int32_t)(2 * Q14 * cosine_of(2.0 * TEST_SIGNAL_PI * tone_hz[tone] / SAMPLED));
    for (int k = 0; k < KEYS; k++)
        for (int n = 0; n < BLOCK; n++) {
            double time = 2.0 * TEST_SIGNAL_PI * n / SAMPLED;
            double wave = sine_of(time * tone_hz[k / 4]) + sine_of(time * tone_hz[4 + k % 4]);

            samples[k][n] = (int16_t)((int)(7000.0 * wave) + noise_within(&noise, 2000));
        }
    SHIM_KEEP(coefficient);
    SHIM_KEEP(samples);
}

int main(void)
{
    prepare();
    shim_region_begin("goertzel");
    listen();
    SHIM_KEEP(heard);
    shim_region_end("goertzel");
    return sample_verdict_int("difference of the keys heard", memcmp(heard, key_name, KEYS), 0);
}
