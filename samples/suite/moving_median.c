/*
 * moving_median - the median of the last 9 samples, 16 bits: how glitches are taken from a sensor.
 *
 * The window is kept sorted: the oldest sample goes out, the new one is inserted. The truth is the definition: 4 of the
 * 9 are not above the median and 4 not below it.
 *
 * Work: each of the 3000 samples depends on the window before. The leaving sample has to be found (at least one
 * comparison, with its load) and the new one placed (one more, and a store): 3000 * 6 = 18000.
 */
#include "../sample.h"
#include "test_signal.h"

#define SAMPLES 3000
#define WINDOW  9

static int16_t input[SAMPLES];
static int16_t median[SAMPLES];

/* Takes `leaving` out of the sorted window and puts `entering` in, moving only what stands between the two places. */
static void replace(int16_t window[WINDOW], int16_t leaving, int16_t entering)
{
    int i = 0;

    while (window[i] != leaving)
        i++;
    while (i > 0 && window[i - 1] > entering) {
        window[i] = window[i - 1];
        i--;
    }
    while (i < WINDOW - 1 && window[i + 1] < entering) {
        window[i] = window[i + 1];
        i++;
    }
    window[i] = entering;
}

static void filter(void)
{
    int16_t window[WINDOW] = {0};

    for (int n = 0; n < SAMPLES; n++) {
        replace(window, n < WINDOW ? 0 : input[n - WINDOW], input[n]);
        median[n] = window[WINDOW / 2];
    }
}

/* A slow wave, noise, and a glitch now and then. */
static void prepare(void)
{
    uint32_t noise = 362436069u;

    for (int n = 0; n < SAMPLES; n++) {
        double wave = 8000.0 * sine_of(n * 0.01);

        input[n] = (int16_t)((int)wave + noise_within(&noise, 300));
        if (noise_next(&noise) % 17 == 0)
            input[n] = (int16_t)noise_within(&noise, 32000);
    }
    SHIM_KEEP(input);
}

static int is_median(int n)
{
    int below = 0, above = 0;

    for (int i = n - WINDOW + 1; i <= n; i++) {
        below += input[i] < median[n];
        above += input[i] > median[n];
    }
    return below <= WINDOW / 2 && above <= WINDOW / 2;
}

int main(void)
{
    int wrong = 0;

    prepare();
    shim_region_begin("moving_median");
    filter();
    SHIM_KEEP(median);
    shim_region_end("moving_median");
    for (int n = WINDOW - 1; n < SAMPLES; n++)
        wrong += !is_median(n);
    return sample_verdict_int("wrong medians", wrong, 0);
}
