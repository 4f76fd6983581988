/*
 * knock - knock detection of four cylinders: band-pass, rectified and summed over the window, against a slow mean; Q15.
 *
 * The usual chain of engine control (Bosch, "Automotive Handbook", ignition): the resonator y = x - x'' + a y' - b y''
 * with a pole pair at the knock's frequency, the energy of a measuring window, divided by the mean of the windows
 * without knock. The truth: in chosen combustions a tone of the knock's frequency has been put, of 6 times the noise's
 * deviation; every one of these must be found, and no other.
 *
 * Work: 240 windows of 128 samples; a sample depends on the one before: 2 products, 3 sums, a shift and a store:
 * 240 * 128 * 6 = 184320 in one lane. Windows do not depend on each other: in 16 lanes 11520.
 */
#include "../sample.h"
#include "test_signal.h"

#define CYLINDERS 4
#define WINDOWS   240
#define LENGTH    128

struct cylinder {
    int32_t mean; /* energy without knock */
    uint16_t knocks;
};

static int16_t vibration[WINDOWS][LENGTH];
static int16_t pole_cosine, pole_square; /* Q14: 2 r cos w, Q15: r^2 */
static struct cylinder cylinder[CYLINDERS];
static uint8_t knocked[WINDOWS];

static int32_t energy_of(const int16_t *x)
{
    int32_t y1 = 0, y2 = 0, sum = 0;

    for (int n = 2; n < LENGTH; n++) {
        int32_t y = (x[n] - x[n - 2]) / 2 + pole_cosine * y1 / (1 << 14) - pole_square * y2 / (1 << 15);

        sum += y < 0 ? -y : y;
        y2 = y1;
        y1 = y;
    }
    return sum;
}

/* Twice the mean is a knock; else the mean follows by an eighth. */
static int judge(struct cylinder *c, int32_t energy)
{
    if (energy > 2 * c->mean) {
        c->knocks++;
        return 1;
    }
    c->mean += (energy - c->mean) / 8;
    return 0;
}

static void detect(void)
{
    for (int w = 0; w < WINDOWS; w++)
        knocked[w] = (uint8_t)judge(&cylinder[w % CYLINDERS], energy_of(vibration[w]));
}

static int is_planted(int w)
{
    return w > 40 && w * 7 % 31 < 4;
}

/* r = 0.95, w = 0.7. The mean begins far above, so that it is learnt in the first 40 windows. */
static void prepare(void)
{
    uint32_t noise = 577215u;

    pole_cosine = (int16_t)(2 * 0.95 * cosine_of(0.7) * (1 << 14));
    pole_square = (int16_t)(0.95 * 0.95 * (1 << 15));
    for (int c = 0; c < CYLINDERS; c++)
        cylinder[c] = (struct cylinder){60000, 0};
    for (int w = 0; w < WINDOWS; w++)
        for (int n = 0; n < LENGTH; n++) {
            double tone = is_planted(w) ? 700.0 * sine_of(0.7 * n + w) : 0.0;

            vibration[w][n] = (int16_t)(tone + noise_within(&noise, 200));
        }
    SHIM_KEEP(vibration);
    SHIM_KEEP(&pole_cosine);
    SHIM_KEEP(&pole_square);
    SHIM_KEEP(cylinder);
}

int main(void)
{
    int wrong = 0;

    prepare();
    shim_region_begin("knock");
    detect();
    SHIM_KEEP(knocked);
    SHIM_KEEP(cylinder);
    shim_region_end("knock");
    for (int w = 0; w < WINDOWS; w++) {
        wrong += knocked[w] != is_planted(w);
        cylinder[w % CYLINDERS].knocks -= knocked[w];
    }
    for (int c = 0; c < CYLINDERS; c++)
        wrong += cylinder[c].knocks != 0;
    return sample_verdict_int("wrong judgements", wrong, 0);
}
