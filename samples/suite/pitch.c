/*
 * pitch - the pitch of a voice by autocorrelation of clipped frames, 16-bit samples, 64-bit sums.
 *
 * Sondhi, "New Methods of Pitch Extraction", 1968: centre clipping at a third of the peak, then the lag of the greatest
 * correlation, and voiced or not by its share of the energy. The truth: the frames are made with known periods, or of
 * noise.
 *
 * Work: 12 frames of 240 samples, 101 lags of a product and a sum over at least 120 samples, a multiply-add in at most
 * 32 lanes: 12 * 101 * 120 / 32 = 4545.
 */
#include "../sample.h"
#include "test_signal.h"

#define FRAMES  12
#define LENGTH  240
#define LOWEST  20
#define HIGHEST 120

static int16_t voice[FRAMES][LENGTH], clipped[LENGTH];
static int16_t period[FRAMES]; /* 0: unvoiced */

static void clip(const int16_t *x)
{
    int32_t peak = 0, level;

    for (int i = 0; i < LENGTH; i++) {
        int32_t size = x[i] < 0 ? -x[i] : x[i];

        peak = size > peak ? size : peak;
    }
    level = peak / 3;
    for (int i = 0; i < LENGTH; i++) {
        if (x[i] > level)
            clipped[i] = (int16_t)(x[i] - level);
        else
            clipped[i] = (int16_t)(x[i] < -level ? x[i] + level : 0);
    }
}

static int64_t correlation(int lag)
{
    int64_t sum = 0;

    for (int i = 0; i < LENGTH - lag; i++)
        sum += clipped[i] * clipped[i + lag];
    return sum;
}

/* Sums at long lags have fewer terms: compared as means. */
static int16_t pitch_of(const int16_t *x)
{
    int64_t energy, best = 0;
    int at = 0;

    clip(x);
    energy = correlation(0) / LENGTH;
    for (int lag = LOWEST; lag <= HIGHEST; lag++) {
        int64_t mean = correlation(lag) / (LENGTH - lag);

        if (mean > best) {
            best = mean;
            at = lag;
        }
    }
    return (int16_t)(2 * best > energy ? at : 0);
}

static void analyse(void)
{
    for (int f = 0; f < FRAMES; f++)
        period[f] = pitch_of(voice[f]);
}

static int made_with(int f)
{
    return f % 4 == 3 ? 0 : 61 + 5 * f;
}

/* Pulses that ring, once a period (above half the longest lag, so that its double is out of reach); a little noise. */
static void prepare(void)
{
    uint32_t noise = 748331u;

    for (int f = 0; f < FRAMES; f++)
        for (int i = 0; i < LENGTH; i++) {
            int p = made_with(f);
            double x = 12000.0 * noise_unit(&noise);

            if (p > 0)
                x = x / 30.0 + 15000.0 * sine_of(0.6 * (i % p)) / (1.0 + 0.05 * (i % p) * (i % p));
            voice[f][i] = (int16_t)x;
        }
    SHIM_KEEP(voice);
}

int main(void)
{
    int wrong = 0;

    prepare();
    shim_region_begin("pitch");
    analyse();
    SHIM_KEEP(period);
    shim_region_end("pitch");
    for (int f = 0; f < FRAMES; f++)
        wrong += abs(period[f] - made_with(f)) > (made_with(f) > 0 ? 1 : 0);
    return sample_verdict_int("wrong periods", wrong, 0);
}
