/*
 * complementary - the tilt of a two-wheeler from gyroscope and accelerometer, both axes, 32-bit fixed point.
 *
 * Higgins, "A Comparison of Complementary and Kalman Filtering", 1975: angle = a (angle + rate) + (1 - a) gravity's, a
 * = 1 - 1/256. The truth: the motion that the readings were made from; a gyroscope that is off by b shifts the angle by
 * 256 b, no less and no more.
 *
 * Work: each of the 5000 readings depends on the one before: on 2 axes 2 loads, a difference, a shift, 2 sums and a
 * store: 5000 * 14 in 2 lanes: 35000.
 */
#include "../sample.h"
#include "test_signal.h"

#define READINGS 5000
#define AXES     2
#define BIAS     3 /* of axis 1, in units of the rate */

struct filter {
    int32_t angle; /* 1/256 of the unit of the readings */
    int32_t worst_rate;
    uint16_t over; /* readings out of range */
};

static struct filter filter[AXES];
static int16_t rate[READINGS][AXES], gravity[READINGS][AXES]; /* units of 1/100 degree, a reading */
static int16_t tilt[READINGS][AXES];

static int16_t step(struct filter *f, int16_t turned, int16_t measured)
{
    int32_t size = turned < 0 ? -turned : turned;

    if (size > f->worst_rate)
        f->worst_rate = size;
    if (size > 300) {
        f->over++;
        turned = (int16_t)(turned < 0 ? -300 : 300);
    }
    f->angle += turned * 256;
    f->angle += (measured * 256 - f->angle) / 256;
    return (int16_t)(f->angle / 256);
}

static void fuse(void)
{
    for (int n = 0; n < READINGS; n++)
        for (int i = 0; i < AXES; i++)
            tilt[n][i] = step(&filter[i], rate[n][i], gravity[n][i]);
}

static double true_tilt(int n, int axis)
{
    return axis == 0 ? 3000.0 * sine_of(0.01 * n) : 2000.0 * sine_of(0.007 * n) + 1000.0 * cosine_of(0.019 * n);
}

/* Gravity's angle shakes by 5 degrees to either side; rates are whole: what is rounded is carried on. */
static void prepare(void)
{
    uint32_t noise = 519615u;

    for (int i = 0; i < AXES; i++) {
        long before = (long)floor(true_tilt(-1, i) + 0.5);

        filter[i] = (struct filter){(int32_t)before * 256, 0, 0};
        for (int n = 0; n < READINGS; n++) {
            long now = (long)floor(true_tilt(n, i) + 0.5);

            rate[n][i] = (int16_t)(now - before + (i == 1 ? BIAS : 0));
            gravity[n][i] = (int16_t)(true_tilt(n, i) + 500.0 * noise_unit(&noise));
            before = now;
        }
    }
    SHIM_KEEP(filter);
    SHIM_KEEP(rate);
    SHIM_KEEP(gravity);
}

/* The noise's deviation of 289 is averaged over 2 * 256: 12.8; 6 of it are 77. The bias has settled to 2 % after
 * 1000: 3 * 256 * 0.02 = 15 less. */
int main(void)
{
    double worst = 0.0;

    prepare();
    shim_region_begin("complementary");
    fuse();
    SHIM_KEEP(tilt);
    SHIM_KEEP(filter);
    shim_region_end("complementary");
    for (int n = 1000; n < READINGS; n++)
        for (int i = 0; i < AXES; i++)
            worst = worse_of(worst, fabs(tilt[n][i] - true_tilt(n, i) - (i == 1 ? 255.0 * BIAS : 0.0)));
    return sample_verdict_real("worst tilt", worst, 0.0, 77.0 + 15.0) |
           sample_verdict_int("readings out of range", filter[0].over + filter[1].over, 0);
}
